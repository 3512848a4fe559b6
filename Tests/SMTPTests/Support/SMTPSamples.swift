@testable import Mail
@testable import SMTP

/// Values that the tests share.
enum SMTPSamples {
    static let envelope = Envelope(
        sender: EmailAddress(localPart: "noreply", domain: "example.com"), recipient: EmailAddress(localPart: "ann", domain: "example.org"))

    static let beyondASCII = Envelope(
        sender: EmailAddress(localPart: "noreply", domain: "example.com"),
        recipient: EmailAddress(localPart: "jörg", domain: "xn--mller-kva.example"))

    static let pipelining: SMTPCapabilities = {
        var capabilities = SMTPCapabilities()
        capabilities.pipelining = true
        capabilities.size = true
        return capabilities
    }()

    /// A message with a number that the scripted server can recognise it by.
    static func message(_ number: Int64, to recipient: String = "ann", text: String = "Hello\r\n") -> OutgoingMessage {
        OutgoingMessage(
            entryID: number, projectID: "example",
            envelope: Envelope(
                sender: EmailAddress(localPart: "noreply", domain: "example.com"),
                recipient: EmailAddress(localPart: recipient, domain: "example.org")),
            bytes: Array("Subject: \(number)\r\n\r\n\(text)".utf8))
    }

    static func reply(_ code: Int, _ text: String = "") -> SMTPReply {
        SMTPReply(code: code, text: Array(text.utf8))
    }
}
