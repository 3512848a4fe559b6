/// The relaxed canonical forms, which survive what honest relays do to white space (RFC 6376 §3.4.2, §3.4.4).
enum DKIMCanonicalization {
    /// The body: runs of blanks and tabs are one blank, none stand at the end of a line, no empty lines at the end, CRLF behind the last line.
    ///
    /// Nothing stays of a body without content. A lone CR or LF is an octet like others; no message of ours has one.
    static func relaxedBody(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(body.count + 2)
        // Line breaks and blanks wait until something follows them.
        var breaks = 0
        var hasBlank = false
        var index = body.startIndex
        while index < body.endIndex {
            let byte = body[index]
            if byte == 0x20 || byte == 0x09 {
                hasBlank = true
                index += 1
                continue
            }
            if byte == 0x0D, index + 1 < body.endIndex, body[index + 1] == 0x0A {
                breaks += 1
                hasBlank = false
                index += 2
                continue
            }
            for _ in 0..<breaks {
                out.append(0x0D)
                out.append(0x0A)
            }
            breaks = 0
            if hasBlank {
                out.append(0x20)
                hasBlank = false
            }
            var end = index + 1
            while end < body.endIndex, body[end] != 0x20, body[end] != 0x0D, body[end] != 0x09 { end += 1 }
            out.append(contentsOf: body[index..<end])
            index = end
        }
        if !out.isEmpty {
            out.append(0x0D)
            out.append(0x0A)
        }
        return out
    }

    /// Appends a field without its last CRLF: the name in lower case, unfolded, runs of blanks and tabs as one blank, none around the colon
    /// or at the end.
    static func appendRelaxedField(_ field: ArraySlice<UInt8>, to out: inout [UInt8]) {
        guard let colon = field.firstIndex(of: UInt8(ascii: ":")) else { return }
        for byte in field[..<colon] where byte != 0x20 && byte != 0x09 { out.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
        out.append(UInt8(ascii: ":"))
        let start = out.count
        var hasBlank = false
        for byte in field[(colon + 1)...] {
            switch byte {
            case 0x20, 0x09: hasBlank = true
            // Unfolding; a field that was split off has no other line breaks.
            case 0x0D, 0x0A: break
            default:
                if hasBlank, out.count > start { out.append(0x20) }
                hasBlank = false
                out.append(byte)
            }
        }
    }
}
