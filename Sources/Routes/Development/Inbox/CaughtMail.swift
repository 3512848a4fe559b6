public import Mail
public import Platform

/// A mail that `dev` has caught instead of sending it.
public struct CaughtMail: Sendable {
    /// A header field of a caught mail.
    public struct Header: Sendable, Equatable {
        /// The name as it was written.
        public let name: String
        /// The text, unfolded, encoded words decoded (RFC 2047).
        public let value: String

        init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Names it in the inbox; unique and the same for as long as the process runs, and no secret.
    public let id: String
    /// The id of the project that sent it.
    public let project: String
    /// Sender and recipient, as a mail server would have got them.
    public let envelope: Envelope
    /// When it was caught.
    public let receivedAt: UnixTime
    /// The header fields, in order.
    public let headers: [Header]
    /// The text part, with LF line ends; nil when there is none. Of a message that cannot be understood, its whole body.
    public let text: String?
    /// The HTML part, with LF line ends; nil when there is none. As hostile as whoever wrote it.
    public let html: String?
    /// The first http or https link in the text part that leads to an action; nil when there is none.
    public let link: String?
    /// The message, exactly as it would have been sent.
    public let bytes: [UInt8]

    /// Reads a message; one that is broken shows as text.
    public init(id: String, project: String, envelope: Envelope, receivedAt: UnixTime, bytes: [UInt8]) {
        self.init(id: id, project: project, envelope: envelope, receivedAt: receivedAt, bytes: bytes, content: MIMEReader(bytes))
    }

    init(id: String, project: String, envelope: Envelope, receivedAt: UnixTime, bytes: [UInt8], content: MIMEReader) {
        self.id = id
        self.project = project
        self.envelope = envelope
        self.receivedAt = receivedAt
        self.headers = content.headers
        self.text = content.text
        self.html = content.html
        self.link = content.text.flatMap(Self.actionLink)
        self.bytes = bytes
    }

    /// The decoded Subject; empty when there is none.
    public var subject: String { header("Subject") ?? "" }

    /// The first value of a field, without regard to the case of its name; nil when there is none.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The first web address in `text` that holds a code or leads to the pages about codes.
    static func actionLink(in text: String) -> String? {
        var rest = text.utf8[...]
        while let start = rest.firstRange(of: "http".utf8)?.lowerBound {
            rest = rest[start...]
            guard rest.starts(with: "https://".utf8) || rest.starts(with: "http://".utf8) else {
                rest = rest.dropFirst()
                continue
            }
            let candidate = rest.prefix { $0 > 0x20 && $0 != 0x7F && !"<>\"".utf8.contains($0) }
            rest = rest[candidate.endIndex...]
            guard candidate.firstRange(of: "oobCode=".utf8) != nil || candidate.firstRange(of: "/__/auth/".utf8) != nil else { continue }
            var link = candidate
            // Marks of the sentence around it.
            while let last = link.last, ".,;:!?)]}'".utf8.contains(last) { link.removeLast() }
            return String(decoding: link, as: UTF8.self)
        }
        return nil
    }
}
