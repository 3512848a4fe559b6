public import Platform

/// A mail with a text and an HTML part, ready to become the bytes that are sent (RFC 5322, RFC 2045 to 2049).
///
/// Nothing in it can add a header field, a recipient or a part: names and subjects lose their control characters, bodies are always encoded,
/// and the boundary cannot occur in an encoded body.
public struct MIMEMessage: Sendable {
    /// The author.
    public var from: Mailbox
    /// Where answers go, when not to the author.
    public var replyTo: Mailbox?
    /// The one recipient.
    public var to: EmailAddress
    /// What it is about; at most 512 octets of UTF-8 of it are used, cut at a character.
    public var subject: String
    /// The plain text, with any line ends.
    public var text: String
    /// The same as HTML.
    public var html: String
    /// When it was asked for.
    public var date: UnixTime
    /// Its identifier.
    public var messageID: MessageID
    /// The language tag of the text, such as `de` (RFC 3282); left out when it is none.
    public var contentLanguage: String
    /// What Gmail's postmaster tools group by: `kind:project:locale:sender`, or nil.
    public var feedbackID: String?
    /// Further fields, in this order.
    public var extraFields: [HeaderField]

    /// Makes a message.
    public init(
        from: Mailbox, replyTo: Mailbox? = nil, to: EmailAddress, subject: String, text: String, html: String, date: UnixTime,
        messageID: MessageID, contentLanguage: String, feedbackID: String? = nil, extraFields: [HeaderField] = []
    ) {
        self.from = from
        self.replyTo = replyTo
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.date = date
        self.messageID = messageID
        self.contentLanguage = contentLanguage
        self.feedbackID = feedbackID
        self.extraFields = extraFields
    }

    /// The most octets of a subject or an extra field.
    static let longestText = 512

    /// The whole message with CRLF line ends, ending in CRLF, ASCII but for an address that is not; dots are not stuffed.
    ///
    /// - Parameter boundaryToken: random bytes, 12 or more, that nobody outside knows before the message is sent.
    public func bytes(boundaryToken: [UInt8]) -> [UInt8] {
        let textBytes = Array(text.utf8)
        let htmlBytes = Array(html.utf8)
        var out: [UInt8] = []
        out.reserveCapacity((textBytes.count + htmlBytes.count) * 3 / 2 + 2048)
        appendHeader(to: &out)
        // "=_" can be in no boundary line's way: quoted-printable has a hexadecimal digit or a line break behind each "=", and base64 no "_".
        var boundary = Array("--=_".utf8)
        for byte in boundaryToken {
            boundary.append(Self.hexDigits[Int(byte >> 4)])
            boundary.append(Self.hexDigits[Int(byte & 15)])
        }
        out.append(contentsOf: "MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary=\"".utf8)
        out.append(contentsOf: boundary[2...])
        out.append(contentsOf: "\"\r\n".utf8)
        for (kind, body) in [("plain", textBytes), ("html", htmlBytes)] {
            let encoding = BodyEncoding.best(for: body)
            out.append(contentsOf: "\r\n".utf8)
            out.append(contentsOf: boundary)
            out.append(contentsOf: "\r\nContent-Type: text/".utf8)
            out.append(contentsOf: kind.utf8)
            out.append(contentsOf: "; charset=utf-8\r\nContent-Transfer-Encoding: ".utf8)
            out.append(contentsOf: encoding.rawValue.utf8)
            out.append(contentsOf: "\r\n\r\n".utf8)
            encoding.append(body, to: &out)
        }
        out.append(contentsOf: "\r\n".utf8)
        out.append(contentsOf: boundary)
        out.append(contentsOf: "--\r\n".utf8)
        return out
    }

    private func appendHeader(to out: inout [UInt8]) {
        func append(_ name: StaticString, _ value: (inout [UInt8], Int) -> Void) {
            let name = name.description.utf8
            out.append(contentsOf: name)
            out.append(contentsOf: ": ".utf8)
            value(&out, name.count + 2)
            out.append(contentsOf: "\r\n".utf8)
        }
        append("Date") { out, _ in Self.appendDate(date, to: &out) }
        append("From") { out, column in from.appendHeaderValue(to: &out, column: column) }
        if let replyTo {
            append("Reply-To") { out, column in replyTo.appendHeaderValue(to: &out, column: column) }
        }
        append("To") { out, _ in out.append(contentsOf: to.text.utf8) }
        append("Subject") { out, column in
            HeaderText.appendUnstructured(HeaderText.cleaned(subject, limit: Self.longestText), to: &out, column: column)
        }
        append("Message-ID") { out, _ in out.append(contentsOf: messageID.text.utf8) }
        // Keep vacation notices and other machines from answering (RFC 3834 §5; Exchange).
        append("Auto-Submitted") { out, _ in out.append(contentsOf: "auto-generated".utf8) }
        append("X-Auto-Response-Suppress") { out, _ in out.append(contentsOf: "All".utf8) }
        if Self.isLanguageTag(contentLanguage) {
            append("Content-Language") { out, _ in out.append(contentsOf: contentLanguage.utf8) }
        }
        if let feedbackID {
            append("Feedback-ID") { out, _ in out.append(contentsOf: feedbackID.utf8.filter { 0x21..<0x7F ~= $0 }.prefix(200)) }
        }
        for field in extraFields {
            append(field.name) { out, column in
                HeaderText.appendUnstructured(HeaderText.cleaned(field.value, limit: Self.longestText), to: &out, column: column)
            }
        }
    }

    /// `Mon, 30 Nov 2026 22:27:56 +0000` (RFC 5322 §3.3).
    private static func appendDate(_ time: UnixTime, to out: inout [UInt8]) {
        // The form has four digits for the year.
        let seconds = min(max(time.seconds, 0), 253_402_300_799)
        let days = seconds / 86_400
        let ofDay = seconds - days * 86_400
        let date = CalendarDate(daysSince1970: days)
        func two(_ value: Int64) {
            out.append(UInt8(ascii: "0") + UInt8(value / 10))
            out.append(UInt8(ascii: "0") + UInt8(value % 10))
        }
        func name(_ names: StaticString, _ index: Int64) {
            out.append(contentsOf: names.description.utf8.dropFirst(Int(index) * 3).prefix(3))
        }
        name("SunMonTueWedThuFriSat", date.weekday)
        out.append(contentsOf: ", ".utf8)
        two(date.day)
        out.append(0x20)
        name("JanFebMarAprMayJunJulAugSepOctNovDec", date.month - 1)
        out.append(0x20)
        two(date.year / 100)
        two(date.year % 100)
        out.append(0x20)
        two(ofDay / 3600)
        out.append(UInt8(ascii: ":"))
        two(ofDay / 60 % 60)
        out.append(UInt8(ascii: ":"))
        two(ofDay % 60)
        out.append(contentsOf: " +0000".utf8)
    }

    private static func isLanguageTag(_ tag: String) -> Bool {
        (1...35).contains(tag.utf8.count)
            && tag.utf8.allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
