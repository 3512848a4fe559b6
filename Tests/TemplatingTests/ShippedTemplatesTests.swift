import FoundationEssentials
import Templating
import Testing

/// What every mail in the repository's own `Templates` folder must hold.
@Suite struct ShippedTemplatesTests {
    static let link =
        "https://links.example/__/auth/action?apiKey=k&mode=signIn&oobCode=c0De_-&continueUrl=https%3A%2F%2Fa.example%2F&lang=en"
    static let values: [String: TemplateValue] = [
        "appName": "Tom & Jo's <App>", "email": "reader@example.org", "newEmail": "new@example.org", "displayName": "Ann \"O\" <b>",
        "link": .text(link), "expiresIn": "6 hours", "requestedAt": "1 May 2026, 09:30 UTC", "replyTo": "help@example.org",
    ]

    static func library() throws -> TemplateLibrary {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try TemplateLibrary(
            folder: root.appending(path: "Templates").path,
            modes: ["signIn", "resetPassword", "verifyEmail", "verifyAndChangeEmail", "recoverEmail"])
    }

    static func mails() throws -> [MailTemplate] {
        let library = try library()
        return library.modes.flatMap { mode in library.languages(for: mode).compactMap { library.mail(mode, language: $0) } }
    }

    @Test func everyModeIsWrittenInEnglish() throws {
        let library = try Self.library()
        for mode in library.modes { #expect(library.mail(mode, language: "en") != nil, "\(mode)") }
    }

    @Test func htmlIsWhatMailReadersTake() throws {
        for mail in try Self.mails() {
            let html = mail.render(Self.values).html
            let name = Comment(rawValue: "\(mail.mode)/\(mail.language)")
            #expect(html.utf8.count < 20_000, name)
            #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(mail.language)\" dir=\""), name)
            for wanted in ["<title>", "<meta name=\"color-scheme\" content=\"light dark\">", "prefers-color-scheme: dark", "display:none"] {
                #expect(html.contains(wanted), "\(name): \(wanted)")
            }
            for unwanted in [
                "<img", "<script", "<form", "<link", "<iframe", "url(", "@import", "javascript:", "onclick", "\t", "{{", "}}\n",
            ] {
                #expect(!html.lowercased().contains(unwanted), "\(name): \(unwanted)")
            }
            #expect(html.split(separator: "\n").allSatisfy { $0.utf8.count <= 998 }, name)
            #expect(html.utf8.allSatisfy { $0 < 0x80 } || mail.language != "en", name)
        }
    }

    @Test func theOnlyAddressIsTheLink() throws {
        for mail in try Self.mails() {
            let html = mail.render(Self.values).html
            let escaped = Self.link.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
            let targets = html.components(between: "href=\"", and: "\"")
            #expect(targets.count >= 2)
            #expect(targets.allSatisfy { $0 == escaped })
            #expect(html.contains(">\(escaped)</a>"), "the address is also readable")
        }
    }

    @Test func theLinkIsAloneOnALineOfTheText() throws {
        for mail in try Self.mails() {
            let text = mail.render(Self.values).text
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.filter { $0 == Self.link }.count == 1)
            #expect(lines.filter { $0.contains("://") }.count == 1)
            #expect(lines.allSatisfy { $0.count <= 78 || $0 == Self.link }, "\(mail.mode)/\(mail.language)")
            #expect(!text.contains("\n\n\n"))
        }
    }

    @Test func valuesAreEscaped() throws {
        for mail in try Self.mails() {
            let (subject, text, html) = mail.render(Self.values)
            #expect(html.contains("Tom &amp; Jo&#39;s &lt;App&gt;"))
            #expect(!html.contains("<b>") && !html.contains("<App>"))
            #expect(text.contains("Tom & Jo's <App>"))
            #expect(!subject.contains("\n") && !subject.contains("&amp;"))
        }
    }

    @Test func whatIsAbsentLeavesNoGap() throws {
        for mail in try Self.mails() {
            let (subject, text, html) = mail.render(["appName": "App", "email": "a@x.example", "link": .text(Self.link)])
            let body = try #require(html.firstRange(of: "<body")).lowerBound
            for part in [subject, text, String(html[body...])] {
                for gap in [" ,", " .", "valid for .", "valid for<", "on .", "for  ", "<p></p>"] { #expect(!part.contains(gap), "\(gap)") }
            }
            #expect(!text.contains("\n\n\n"))
        }
    }

    @Test func signInInEnglish() throws {
        let mail = try #require(try Self.library().mail("signIn", language: "en"))
        let (subject, text, html) = mail.render(Self.values)
        #expect(subject == "Sign in to Tom & Jo's <App>")
        #expect(
            text == """
                Hello Ann "O" <b>,

                Open this link to sign in to Tom & Jo's <App> as reader@example.org:

                \(Self.link)

                It works once and is valid for 6 hours.
                It was asked for on 1 May 2026, 09:30 UTC.

                If you did not ask for this, ignore this mail: without the link nobody
                is signed in. Do not pass the link on.

                --\u{20}
                Tom & Jo's <App>
                help@example.org

                """)
        #expect(html.contains("If you did not ask for this, ignore this mail"))
        #expect(html.contains("valid for 6 hours"))
    }
}

extension String {
    fileprivate func components(between start: String, and end: Character) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: start) {
            rest = rest[range.upperBound...]
            found.append(String(rest.prefix { $0 != end }))
        }
        return found
    }
}
