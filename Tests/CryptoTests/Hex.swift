/// The bytes of a hexadecimal text, as RFCs print them; white space is skipped.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count == text.count { !$0.isWhitespace } && digits.count.isMultiple(of: 2), "not hexadecimal: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
