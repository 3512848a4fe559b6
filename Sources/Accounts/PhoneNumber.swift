/// Phone numbers in the one form in which they are stored and compared.
enum PhoneNumber {
    /// E.164: a plus and up to 15 digits, the first not zero. Spaces, hyphens, dots and parentheses between them are dropped, since
    /// Firebase's own examples are written `+1 650-555-3434`; `nil` for anything else.
    static func normalized(_ text: String) -> String? {
        // Far more separators than anybody writes; the text's length is the client's to choose.
        guard text.utf8.count <= 64, text.utf8.first == UInt8(ascii: "+") else { return nil }
        let separators = Array(" -.()".utf8)
        let digits = text.utf8.dropFirst().filter { !separators.contains($0) }
        guard (1...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return "+" + String(decoding: digits, as: UTF8.self)
    }
}
