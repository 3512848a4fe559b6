import ActionCodes
import Foundation
import Platform
import TestSupport
import Testing

/// Links of thousands of settings, read as the SDKs in the field read them.
@Suite struct ActionLinkPropertyTests {
    private static let count = 2000

    @Test func everySDKReadsTheRightModeCodeAndContinueURL() async throws {
        var settings = GeneratedSettings(seed: 1)
        var project = try Project.example
        var appForms = 0
        for index in 0..<Self.count {
            await Self.breathe(index)
            project.actionURL = index % 7 == 0 ? "https://pages.example.com/account/action" : nil
            let code = try settings.code()
            let link = ActionLink.text(for: code, project: project, keys: .example)
            let oobCode = OOBCode.text(for: code, keys: .example)
            let wanted = SDKReading(
                mode: code.operation.mode, oobCode: oobCode, continueURL: code.settings.continueURL?.text, apiKey: code.apiKey)
            #expect(AndroidLinkParser.read(link) == wanted, "\(link)")
            #expect(JSLinkParser.read(link) == wanted, "\(link)")

            let iOS = IOSLinkParser.read(link)
            #expect(iOS.mode == wanted.mode && iOS.oobCode == wanted.oobCode, "\(link)")
            #expect(IOSLinkParser.isSignIn(link) == (code.operation == .signIn), "\(link)")
            if code.settings.namesAnApp {
                appForms += 1
                #expect(iOS.continueURL == wanted.continueURL, "\(link)")
            } else if let whole = wanted.continueURL, !whole.contains("continueUrl=") {
                // On web links the iOS SDK itself cuts a continueUrl at its query, and takes a `continueUrl` inside it for the outer one
                // (client-contract.md §5): no order of parameters helps. What it keeps must be the beginning.
                let kept = try #require(iOS.continueURL)
                #expect(kept.removingPercentEncoding == whole.prefix { $0 != "=" && $0 != "&" }.removingPercentEncoding, "\(link)")
            }
        }
        #expect(appForms > Self.count / 4)
    }

    @Test func everyLinkOfOursIsAccepted() async throws {
        var settings = GeneratedSettings(seed: 2)
        let project = try Project.example
        for index in 0..<Self.count {
            await Self.breathe(index)
            let code = try settings.code()
            let link = ActionLink.text(for: code, project: project, keys: .example)
            let read = try #require(Self.accept(link, project: project, keys: .example, now: settings.now), "\(link)")
            #expect(read.code.id == code.id && read.code.operation == code.operation && read.code.expiresAt == code.expiresAt)
            #expect(read.continueURL == code.settings.continueURL?.text && read.language == code.language && read.apiKey == code.apiKey)
            #expect(Self.accept(link, project: project, keys: .rotated, now: settings.now) == read)
            #expect(Self.accept(link, project: project, keys: .foreign, now: settings.now) == nil)
            #expect(Self.accept(link, project: project, keys: .example, now: code.expiresAt) == nil)
        }
    }

    @Test func anyOneChangedCharacterIsRefused() async throws {
        var settings = GeneratedSettings(seed: 3)
        var random = SeededGenerator(seed: 4)
        let project = try Project.example
        let alphabet = Array("ABCXYZabcxyz0189-_.~%&=?#/+: \\@\"<>ü\u{0}".unicodeScalars.map(Character.init))
        for index in 0..<300 {
            await Self.breathe(index * 20)
            let code = try settings.code()
            let link = Array(ActionLink.text(for: code, project: project, keys: .example))
            // Every place of some links, some places of every link.
            for place in 0..<link.count where index < 40 || Int.random(in: 0..<20, using: &random) == 0 {
                for replacement in [alphabet.randomElement(using: &random), link[place].swappedCase, nil] where replacement != link[place] {
                    var changed = link
                    if let replacement { changed[place] = replacement } else { changed.remove(at: place) }
                    let text = String(changed)
                    #expect(Self.accept(text, project: project, keys: .example, now: settings.now) == nil, "\(text)")
                }
            }
        }
    }

    @Test func anyOneChangedCharacterOfACodeIsRefused() async throws {
        var settings = GeneratedSettings(seed: 5)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ")
        for _ in 0..<20 {
            let code = try settings.code()
            let text = Array(OOBCode.text(for: code, keys: .example))
            #expect(text.count == 60)
            for place in text.indices {
                await Task.yield()
                for character in alphabet where character != text[place] {
                    var changed = text
                    changed[place] = character
                    #expect(throws: OOBCode.Rejection.forged) {
                        try OOBCode(String(changed), projectID: "example", keys: .example, now: settings.now)
                    }
                }
            }
        }
    }

    /// Lets the other suites have the thread now and then: there are no more of them than cores.
    private static func breathe(_ index: Int) async {
        if index.isMultiple(of: 20) { await Task.yield() }
    }

    /// What the landing pages do with a URL, the host names included.
    private static func accept(_ link: String, project: Project, keys: KeyRing, now: UnixTime) -> ActionLink? {
        for domain in ["links.example.com", "open.example.com"] {
            let prefix = "https://\(domain)/__/auth/links?"
            guard link.hasPrefix(prefix) else { continue }
            guard let web = ActionLink.unwrap(query: String(link.dropFirst(prefix.count)), project: project) else { return nil }
            let read = try? ActionLink(web, project: project, keys: keys, now: now)
            // The link domain is the one outer part that is not signed: the page asks whether it is the project's, the person's DNS the rest.
            return read
        }
        return try? ActionLink(link, project: project, keys: keys, now: now)
    }
}

extension Character {
    fileprivate var swappedCase: Character {
        isUppercase ? Character(lowercased()) : Character(uppercased())
    }
}
