internal import FoundationEssentials
public import Platform

/// Where the OAuth 2.0 access token comes from that logs in at a mail server in place of a password (SASL OAUTHBEARER, RFC 7628, or XOAUTH2).
///
/// Such tokens live for about an hour; whatever renews them writes the file anew.
public enum SMTPAccessToken: Sendable, Equatable {
    /// The token itself.
    case value(Secret<String>)
    /// A file that holds nothing else, read again for each connection. A line end behind the token is left out.
    case file(path: String)

    /// The token now. Throws when the file gives none, or one with a character that no token has (RFC 6750 §2.1).
    func read() throws(SMTPError) -> Secret<String> {
        let token: String
        switch self {
        case .value(let secret): token = secret.exposed
        case .file(let path):
            let data: Data
            do { data = try Data(contentsOf: URL(filePath: path)) } catch { throw .tokenUnreadable(cause: "\(path) cannot be read") }
            var text = String(decoding: data, as: UTF8.self)
            while text.last?.isNewline == true { text.removeLast() }
            token = text
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .tokenUnreadable(cause: "it is empty or holds a blank, a line end or a character beyond ASCII")
        }
        return Secret(token)
    }
}
