/// The character sets that caught mails are read in.
enum Charset: Equatable {
    case utf8
    case latin1
    /// Any other name, and US-ASCII: read as UTF-8 when the bytes are UTF-8, else as Latin-1, so that something is seen.
    case unknown

    /// Reads an IANA name.
    init(_ name: String?) {
        switch name?.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "iso-8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
        default: self = .unknown
        }
    }

    /// The text; bytes that are not UTF-8 where they should be are replaced by U+FFFD.
    func text(_ bytes: [UInt8]) -> String {
        switch self {
        case .utf8: String(decoding: bytes, as: UTF8.self)
        case .latin1: Self.latin1Text(bytes)
        case .unknown: String(validating: bytes, as: UTF8.self) ?? Self.latin1Text(bytes)
        }
    }

    private static func latin1Text(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
