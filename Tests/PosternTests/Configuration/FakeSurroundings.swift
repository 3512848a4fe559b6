@testable import postern

extension ConfigurationSurroundings {
    /// Every secret of the fixtures holds this word, which no problem and no description may show.
    static let canary = "hush"

    /// The variables and files that the fixtures refer to. Relative files begin at the folder of `/etc/postern/postern.json5`.
    static let fixtures = ConfigurationSurroundings(
        variable: { name in
            switch name {
            case "POSTERN_SECRET": "hush-this-is-a-secret-of-40-characters!!"
            case "POSTERN_OLD_SECRET": "hush-this-is-an-older-one-of-40-letters!"
            case "POSTERN_ADMIN_TOKEN": "hush-admin-token"
            case "SMTP_USER": "mailer"
            case "SMTP_PASSWORD": "hush-password"
            case "SHORT_SECRET": "hush-31-characters-are-too-few!"
            case "SHORT_TOKEN": "hush-15-letters"
            case "TWO_LINES": "hush\nhush-and-hush"
            case "EMPTY": ""
            default: nil
            }
        },
        contents: { path throws(Unreadable) in
            switch path {
            case "/etc/postern/dkim.pem": Array("-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n".utf8)
            case "/etc/postern/secret": Array("hush-this-secret-comes-from-a-file-....\n".utf8)
            case "/etc/postern/secret-31": Array("hush-31-characters-are-too-few!\n".utf8)
            case "/etc/postern/binary": [0xFF, 0x00] + Array("hush-binary-secret-of-more-than-32-bytes".utf8)
            case "/srv/logo.svg": Array("<!-- a logo -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
            case "/etc/postern/newline": [0x0A]
            case "/etc/postern/closed": throw Unreadable(reason: "this user may not read it")
            default: throw Unreadable(reason: "there is no such file")
            }
        })
}

extension ConfigurationReader {
    /// Reads a text as the file `postern.json5` in `/etc/postern`.
    static func read(_ text: String, purpose: Purpose = .serve) throws(ConfigurationError) -> Configuration {
        try ConfigurationReader(file: "/etc/postern/postern.json5", purpose: purpose, surroundings: .fixtures).read(Array(text.utf8))
    }

    /// The problems of a text as `KEY PATH: REASON; REMEDY`.
    static func problems(_ text: String, purpose: Purpose = .serve) -> [String] {
        do throws(ConfigurationError) {
            _ = try read(text, purpose: purpose)
            return []
        } catch {
            return error.problems.map { "\($0.keyPath): \($0.reason); \($0.remedy)" }
        }
    }
}
