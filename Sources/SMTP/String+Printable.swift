extension String {
    /// Text from outside, with a blank for each control, line-breaking, direction-changing or invisible character.
    init(printable bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Nearly every reply is plain ASCII, and one is made for every mail.
        if bytes.allSatisfy({ (0x20...0x7E).contains($0) }) {
            self = text
            return
        }
        self = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: append(" ")
            default: unicodeScalars.append(scalar)
            }
        }
    }
}
