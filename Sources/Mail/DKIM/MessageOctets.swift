/// A message as octets, divided into its header fields and its body (RFC 5322 §2.1).
struct MessageOctets {
    /// One field, with its folding and without the CRLF at its end.
    struct Field {
        /// The name in lower case.
        let name: String
        let octets: ArraySlice<UInt8>
    }

    /// In their order.
    let fields: [Field]
    /// What follows the first empty line; empty when there is none.
    let body: ArraySlice<UInt8>

    /// Divides a message whose lines end in CRLF. A line without a colon belongs to no field and is passed over.
    init(_ message: [UInt8]) {
        var fields: [Field] = []
        var start = message.startIndex
        while start < message.endIndex {
            if message[start...].starts(with: [0x0D, 0x0A]) {
                start += 2
                break
            }
            var end = start
            while end < message.endIndex {
                if message[end] == 0x0D, end + 1 < message.endIndex, message[end + 1] == 0x0A {
                    // A blank or tab behind the break goes on with the field.
                    guard end + 2 < message.endIndex, message[end + 2] == 0x20 || message[end + 2] == 0x09 else { break }
                }
                end += 1
            }
            let octets = message[start..<end]
            if let colon = octets.firstIndex(of: UInt8(ascii: ":")) {
                let name = octets[..<colon].filter { $0 != 0x20 && $0 != 0x09 }
                fields.append(Field(name: String(decoding: name, as: UTF8.self).lowercased(), octets: octets))
            }
            start = min(end + 2, message.endIndex)
        }
        self.fields = fields
        body = message[start...]
    }
}
