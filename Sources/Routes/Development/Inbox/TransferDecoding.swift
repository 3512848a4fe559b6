/// Takes the transfer encodings off again, leaving out or letting through what is wrong in them.
enum TransferDecoding {
    /// Undoes a Content-Transfer-Encoding (RFC 2045 §6.1); one that is not known changes nothing.
    static func decode(_ body: ArraySlice<UInt8>, encoding: String) -> [UInt8] {
        switch encoding {
        case "quoted-printable": quotedPrintable(body)
        case "base64": base64(body)
        default: Array(body)
        }
    }

    /// RFC 2045 §6.7. An `=` that begins no escape stays as it is.
    static func quotedPrintable(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count)
        var rest = body
        while !rest.isEmpty {
            let line = MIMEEntity.line(of: rest)
            let hasEnd = rest[line.end - 1] == 0x0A
            // Blanks at the end of a line were put there on the way.
            let content = line.content.trimmingEnd()
            let isSoft = content.last == UInt8(ascii: "=")
            appendEscaped(isSoft ? content.dropLast() : content, to: &result)
            if hasEnd && !isSoft { result.append(0x0A) }
            rest = rest[line.end...]
        }
        return result
    }

    /// The text of an encoded word in Q (RFC 2047 §4.2).
    static func q(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        // Blanks first, since an escape may stand for a `_`.
        appendEscaped(ArraySlice(text.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }), to: &result)
        return result
    }

    /// RFC 2045 §6.8. Bytes outside of the alphabet are left out; padding ends a group, and more may follow.
    static func base64(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(body.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        func flush() {
            // One digit alone is less than a byte.
            if digits > 1 { result.append(UInt8(truncatingIfNeeded: digits == 2 ? group >> 4 : group >> 10)) }
            if digits > 2 { result.append(UInt8(truncatingIfNeeded: group >> 2)) }
            group = 0
            digits = 0
        }
        for byte in body {
            if byte == UInt8(ascii: "=") { flush() }
            guard let digit = base64Digit(byte) else { continue }
            group = group << 6 | UInt32(digit)
            digits += 1
            guard digits == 4 else { continue }
            result.append(UInt8(truncatingIfNeeded: group >> 16))
            result.append(UInt8(truncatingIfNeeded: group >> 8))
            result.append(UInt8(truncatingIfNeeded: group))
            group = 0
            digits = 0
        }
        flush()
        return result
    }

    private static func appendEscaped(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]),
                let low = hexDigit(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func base64Digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmingEnd() -> ArraySlice<UInt8> {
        var result = self
        while let last = result.last, last == 0x20 || last == 0x09 || last == 0x0D { result.removeLast() }
        return result
    }
}
