/// A project's picture on its pages, served by this service from memory.
public struct PageLogo: Sendable, Equatable {
    /// What kind of picture it is; others are not taken.
    public enum Format: String, Sendable {
        /// Any browser shows it.
        case png = "image/png"
        /// Shown through `<img>` only, where no script in it runs.
        case svg = "image/svg+xml"
    }

    /// The file.
    public let bytes: [UInt8]
    /// Told from the file itself, never from its name.
    public let format: Format

    /// In bytes; a page should be there at once, on a slow connection too.
    public static let maximumSize = 256 * 1024

    /// Takes a file; throws a sentence's end that says why it is no logo.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.maximumSize else { throw Refusal(reason: "is larger than \(Self.maximumSize / 1024) KiB") }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = .png
        } else if let text = String(validating: bytes, as: UTF8.self), Self.isSVG(text) {
            // It may be opened by itself, too; there the headers keep scripts from running.
            format = .svg
        } else {
            throw Refusal(reason: "is neither a PNG nor an SVG picture")
        }
        self.bytes = bytes
    }

    /// Why a file is not taken.
    public struct Refusal: Error, Sendable, Equatable {
        /// The end of a sentence about the file.
        public let reason: String
    }

    /// Whether the first element is `svg`, after a declaration, comments and a document type.
    private static func isSVG(_ text: String) -> Bool {
        var rest = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            let end: String
            if rest.starts(with: "<?".unicodeScalars) {
                end = "?>"
            } else if rest.starts(with: "<!--".unicodeScalars) {
                end = "-->"
            } else if rest.starts(with: "<!".unicodeScalars) {
                end = ">"
            } else {
                guard rest.starts(with: "<svg".unicodeScalars), let next = rest.dropFirst(4).first else { return false }
                return next.properties.isWhitespace || next == ">" || next == "/"
            }
            guard let found = Substring(rest).firstRange(of: end) else { return false }
            rest = Substring(rest)[found.upperBound...].unicodeScalars
        }
    }
}
