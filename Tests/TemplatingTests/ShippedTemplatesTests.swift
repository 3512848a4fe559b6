import FoundationEssentials
import Platform
import Templating
import Testing

/// What every mail in the repository's own `Templates` folder must hold.
@Suite struct ShippedTemplatesTests {
    static let modes = [
        "passwordChanged", "recoverEmail", "resetPassword", "revertSecondFactorAddition", "signIn", "verifyAndChangeEmail", "verifyEmail",
    ]
    static let languages = ["ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt-BR", "zh-Hans"]
    static let link =
        "https://links.example/__/auth/action?apiKey=k&mode=signIn&oobCode=c0De_-&continueUrl=https%3A%2F%2Fa.example%2F&lang=en"
    static let notMeLink = "https://auth.example/__/auth/not-me?t=t0Ken_-&lang=en"

    static let library = Result { () throws in
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try TemplateLibrary(folder: root.appending(path: "Templates").path, modes: modes)
    }

    static func mail(_ mode: String, _ language: String) throws -> MailTemplate {
        try #require(try library.get().mail(mode, language: language), "\(mode)/\(language)")
    }

    static func values(for mail: MailTemplate) -> [String: TemplateValue] {
        [
            "appName": "Tom & Jo's <App>", "email": "reader@example.org", "newEmail": "new@example.org", "displayName": "Ann \"O\" <b>",
            "link": mail.mode == "passwordChanged" ? "" : .text(link), "code": mail.mode == "signIn" ? "048392" : "",
            "notMeLink": .text(notMeLink),
            "expiresIn": mail.mode == "passwordChanged" ? "" : .text(mail.lifetime(.seconds(21600))),
            "requestedAt": .text(mail.moment(UnixTime(seconds: 1_796_077_676))), "replyTo": "help@example.org",
        ]
    }

    /// Every mail in every language.
    static let all = modes.flatMap { mode in languages.map { (mode, $0) } }

    @Test func everyMailIsWrittenInEveryLanguage() throws {
        let library = try Self.library.get()
        #expect(library.modes == Self.modes)
        for mode in library.modes { #expect(library.languages(for: mode) == Self.languages, "\(mode)") }
    }

    @Test(arguments: all) func variablesAreThoseOfEnglish(_ mode: String, _ language: String) throws {
        #expect(try Self.mail(mode, language).variableNames == Self.mail(mode, "en").variableNames)
    }

    /// The parts hold the values that English has in that part, not only somewhere in the mail.
    @Test(arguments: all) func partsHoldTheValuesOfEnglish(_ mode: String, _ language: String) throws {
        func held(_ language: String) throws -> [Set<String>] {
            let marks = Dictionary(uniqueKeysWithValues: MailVariables.names.map { ($0, TemplateValue.text("https://\($0).mark/")) })
            let mail = try Self.mail(mode, language).render(marks)
            return [mail.subject, mail.text, mail.html].map { part in MailVariables.names.filter { part.contains("https://\($0).mark/") } }
        }
        #expect(try held(language) == held("en"))
    }

    @Test(arguments: modes) func englishHoldsWhatAMailMust(_ mode: String) throws {
        let names = try Self.mail(mode, "en").variableNames
        #expect(names.contains("link") == (mode != "passwordChanged"))
        #expect(names.contains("expiresIn") == (mode != "passwordChanged"))
        #expect(names.contains("code") == (mode == "signIn"))
        #expect(names.contains("newEmail") == ["verifyAndChangeEmail", "recoverEmail"].contains(mode))
        #expect(names.isSuperset(of: ["appName", "email", "notMeLink", "requestedAt", "replyTo", "displayName", "language", "direction"]))
    }

    @Test(arguments: all) func htmlIsWhatMailReadersTake(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        let html = mail.render(Self.values(for: mail)).html
        #expect(html.utf8.count < 20_000)
        let direction = ["ar", "he"].contains(language) ? "rtl" : "ltr"
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language)\" dir=\"\(direction)\">"))
        for wanted in [
            "<title>", "<meta name=\"color-scheme\" content=\"light dark\">", "prefers-color-scheme: dark", "display:none", "mso-hide:all",
        ] {
            #expect(html.contains(wanted), "\(wanted)")
        }
        for unwanted in [
            "<img", "<script", "<form", "<link", "<iframe", "url(", "@import", "javascript:", "onclick", "\t", "{{", "}}\n",
        ] {
            #expect(!html.lowercased().contains(unwanted), "\(unwanted)")
        }
        #expect(html.split(separator: "\n").allSatisfy { $0.utf8.count <= 998 })
        #expect(html.utf8.allSatisfy { $0 < 0x80 } || language != "en")
    }

    @Test(arguments: all) func theOnlyAddressesAreTheLinkAndTheWayOut(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        let html = mail.render(Self.values(for: mail)).html
        let link = Self.link.replacing("&", with: "&amp;")
        let notMeLink = Self.notMeLink.replacing("&", with: "&amp;")
        let targets = html.components(between: "href=\"", and: "\"")
        #expect(targets == (mode == "passwordChanged" ? [notMeLink] : [link, link, notMeLink]))
        // Readable too, and from the left in every language.
        if mode != "passwordChanged" { #expect(html.contains(">\(link)</a>") && html.contains("<p dir=\"ltr\" style=")) }
        #expect(
            html.components(between: "<strong class=\"strong\" dir=\"ltr\"", and: "/").contains { $0.hasSuffix(">reader@example.org<") })
    }

    @Test(arguments: all) func theCodeStandsByItself(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        var values = Self.values(for: mail)
        let with = mail.render(values)
        #expect(with.text.split(separator: "\n").contains("048392") == (mode == "signIn"))
        #expect(with.html.contains(";\">048392</p>") == (mode == "signIn"))
        #expect(!with.subject.contains("048392"))
        guard mode == "signIn" else { return }
        // Near the word, so that mail programs offer to fill it in.
        let words = [
            "ar": "رمز", "de": "Code", "en": "code", "es": "código", "fr": "code", "he": "קוד", "it": "codice", "ja": "コード", "ko": "코드",
            "nl": "code", "pl": "kod", "pt-BR": "código", "zh-Hans": "验证码",
        ]
        let paragraphs = Self.paragraphs(with.text)
        let index = try #require(paragraphs.firstIndex(of: "048392"))
        #expect(paragraphs[index - 1].contains(try #require(words[language])))
        values["code"] = nil
        let without = mail.render(values)
        #expect(!without.text.contains(paragraphs[index - 1]) && !without.html.contains("letter-spacing"))
    }

    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { String($0.drop { $0 == "\n" }) }
    }

    @Test(arguments: all) func linksAreAloneOnALineOfTheText(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        let text = mail.render(Self.values(for: mail)).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.filter { $0.contains("://") } == (mode == "passwordChanged" ? [Self.notMeLink] : [Self.link, Self.notMeLink]))
        for (index, line) in lines.enumerated() where line.contains("://") { #expect(lines[index - 1].isEmpty && lines[index + 1].isEmpty) }
        #expect(!text.contains("\n\n\n") && !text.hasPrefix("\n") && text.hasSuffix("\n"))
    }

    /// In columns: those of Chinese, Japanese and Korean are two wide.
    @Test(arguments: all) func linesOfTheTextAreShort(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        for line in mail.render(Self.values(for: mail)).text.split(separator: "\n") where !line.contains("://") {
            let columns = line.unicodeScalars.reduce(0) { count, scalar in
                switch scalar.value {
                case 0x0300...0x036F, 0x0591...0x05C7, 0x064B...0x065F: count
                case 0x1100...0x115F, 0x2E80...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60: count + 2
                default: count + 1
                }
            }
            #expect(columns <= 78, "\(line)")
        }
    }

    @Test(arguments: all) func valuesAreEscaped(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        let (subject, text, html) = mail.render(Self.values(for: mail))
        #expect(html.contains("Tom &amp; Jo&#39;s &lt;App&gt;"))
        #expect(!html.contains("<b>") && !html.contains("<App>"))
        #expect(text.contains("Tom & Jo's <App>") && text.contains("reader@example.org"))
        #expect(subject.contains("Tom & Jo's <App>") && !subject.contains("\n") && !subject.contains("&amp;"))
        // Header fields of a mail in a list are cut at about this many.
        #expect(subject.count <= 78)
    }

    @Test(arguments: all) func whatIsAbsentLeavesNoGap(_ mode: String, _ language: String) throws {
        let mail = try Self.mail(mode, language)
        let (subject, text, html) = mail.render(["appName": "App", "email": "a@x.example", "link": .text(Self.link)])
        let body = try #require(html.firstRange(of: "<body")).lowerBound
        for part in [subject, text, String(html[body...])] {
            for gap in [" ,", " .", "valid for .", "valid for<", "on .", "<p></p>", " </p>", "()", "（）", "  "] {
                #expect(!part.replacing("&nbsp;", with: "").contains(gap), "\(gap)")
            }
        }
        #expect(!text.contains("\n\n\n"))
        #expect(!html.contains("href=\"\""))
    }

    @Test(
        arguments: [
            ("en", ["1 minute", "90 minutes", "1 hour", "2 hours", "6 hours", "3 days", "30 days"], "30 November 2026, 22:27 UTC"),
            (
                "de", ["1 Minute", "90 Minuten", "1 Stunde", "2 Stunden", "6 Stunden", "3 Tage", "30 Tage"],
                "30. November 2026 um 22:27 Uhr (UTC)"
            ),
            ("fr", ["1 minute", "90 minutes", "1 heure", "2 heures", "6 heures", "3 jours", "30 jours"], "30 novembre 2026 à 22:27 (UTC)"),
            (
                "es", ["1 minuto", "90 minutos", "1 hora", "2 horas", "6 horas", "3 días", "30 días"],
                "30 de noviembre de 2026 a las 22:27 (UTC)"
            ),
            (
                "pt-BR", ["1 minuto", "90 minutos", "1 hora", "2 horas", "6 horas", "3 dias", "30 dias"],
                "30 de novembro de 2026 às 22:27 (UTC)"
            ),
            ("it", ["1 minuto", "90 minuti", "1 ora", "2 ore", "6 ore", "3 giorni", "30 giorni"], "30 novembre 2026 alle 22:27 (UTC)"),
            ("nl", ["1 minuut", "90 minuten", "1 uur", "2 uur", "6 uur", "3 dagen", "30 dagen"], "30 november 2026 om 22:27 (UTC)"),
            ("pl", ["1 minutę", "90 minut", "1 godzinę", "2 godziny", "6 godzin", "3 dni", "30 dni"], "30 listopada 2026, 22:27 UTC"),
            ("ja", ["1 分", "90 分", "1 時間", "2 時間", "6 時間", "3 日", "30 日"], "2026年11月30日 22:27（UTC）"),
            ("zh-Hans", ["1 分钟", "90 分钟", "1 小时", "2 小时", "6 小时", "3 天", "30 天"], "2026年11月30日 22:27（UTC）"),
            ("ko", ["1분", "90분", "1시간", "2시간", "6시간", "3일", "30일"], "2026년 11월 30일 22:27(UTC)"),
            (
                "ar", ["دقيقة واحدة", "90 دقيقة", "ساعة واحدة", "ساعتين", "6 ساعات", "3 أيام", "30 يومًا"],
                "30 نوفمبر 2026 الساعة 22:27 (UTC)"
            ),
            ("he", ["דקה אחת", "90 דקות", "שעה אחת", "שעתיים", "6 שעות", "3 ימים", "30 ימים"], "30 בנובמבר 2026 בשעה 22:27 (UTC)"),
        ] as [(String, [String], String)])
    func words(_ language: String, lifetimes: [String], moment: String) throws {
        let mail = try Self.mail("signIn", language)
        let seconds = [60, 5400, 3600, 7200, 21600, 259_200, 2_592_000]
        #expect(seconds.map { mail.lifetime(.seconds($0)) } == lifetimes)
        #expect(mail.moment(UnixTime(seconds: 1_796_077_676)) == moment)
    }

    @Test func signInInEnglish() throws {
        let mail = try Self.mail("signIn", "en")
        let (subject, text, html) = mail.render(Self.values(for: mail))
        #expect(subject == "Sign in to Tom & Jo's <App>")
        #expect(
            text == """
                Hello Ann "O" <b>,

                Open this link to sign in to Tom & Jo's <App> as
                reader@example.org:

                \(Self.link)

                Or type this code where you asked to sign in. It works for 15 minutes at
                most:

                048392

                The link works once and is valid for 6 hours.
                It was asked for on 30 November 2026, 22:27 UTC.

                If you did not ask for this, ignore this mail: without the link nobody
                is signed in. Do not pass this mail on.

                To make the link useless and get no such mails for a day, open:

                \(Self.notMeLink)

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
