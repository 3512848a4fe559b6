import Accounts
import Mail
import Platform
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct SignInDigitsTests {
    private let cases: UseCases
    private let project: Project

    init() throws {
        cases = try UseCases()
        var project = try Project.example
        project.includeCode = true
        self.project = project
    }

    /// Sends a mail and gives its digits and the code of its link.
    private func issue(_ email: String = "anna@example.com") async throws -> (digits: String, link: String) {
        _ = try await cases.send(UseCases.request(email), project: project)
        let code = try #require(try await cases.liveCodes().last { $0.email.text == email })
        return (
            try #require(SignInDigits.text(for: code, keys: cases.keys, now: cases.clock.now)), OOBCode.text(for: code, keys: cases.keys)
        )
    }

    /// Six digits that are not `digits`.
    private func other(_ digits: String, _ step: Int = 1) -> String {
        let text = String(((Int(digits) ?? 0) + step) % 1_000_000)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    private func outcome(_ email: String, _ digits: String) async -> ActionCodeError? {
        await refusal { try await cases.complete(email, digits, project: project) }
    }

    @Test func digitsSpendTheLink() async throws {
        let mail = try await issue()
        let answer = try await cases.complete(" ANNA@example.com", mail.digits, project: project)
        #expect(answer.isNewUser && answer.signedIn.user.emailVerified)
        #expect(await outcome("anna@example.com", mail.link) == .invalidOobCode)
        #expect(await outcome("anna@example.com", mail.digits) == .invalidOobCode)
    }

    @Test func theLinkSpendsTheDigits() async throws {
        let mail = try await issue()
        _ = try await cases.complete("anna@example.com", mail.link, project: project)
        #expect(await outcome("anna@example.com", mail.digits) == .invalidOobCode)
    }

    @Test func blanksDoNotMatter() async throws {
        let digits = try await issue().digits
        #expect(await outcome("anna@example.com", " \(digits.prefix(3)) \(digits.suffix(3)) ") == nil)
    }

    @Test func digitsOfAnotherAddressAreWrong() async throws {
        let anna = try await issue("anna@example.com")
        let bob = try await issue("bob@example.com")
        #expect(anna.digits != bob.digits)
        #expect(await outcome("bob@example.com", anna.digits) == .invalidOobCode)
        #expect(await outcome("no address", anna.digits) == .invalidEmail)
        #expect(await outcome("bob@example.com", bob.digits) == nil)
    }

    /// The odds that `SignInDigits` documents: five tries, and the newest code only.
    @Test func theSixthTryIsRefusedHoweverRightAndTheLinkLives() async throws {
        let mail = try await issue()
        for step in 1...5 { #expect(await outcome("anna@example.com", other(mail.digits, step)) == .invalidOobCode) }
        #expect(await outcome("anna@example.com", mail.digits) == .tooManyAttempts(retryAfter: .seconds(900)))
        cases.clock.advance(by: .seconds(899))
        #expect(await outcome("anna@example.com", mail.digits) == .tooManyAttempts(retryAfter: .seconds(1)))
        // Wrong digits are no misses of the link.
        #expect(await outcome("anna@example.com", mail.link) == nil)
    }

    @Test func moreMailsGiveNoMoreTries() async throws {
        var mails: [(digits: String, link: String)] = []
        for _ in 0..<5 {
            mails.append(try await issue())
            cases.clock.advance(by: .seconds(1))
            #expect(await outcome("anna@example.com", other(mails[mails.count - 1].digits)) == .invalidOobCode)
        }
        #expect(await outcome("anna@example.com", mails[4].digits) == .tooManyAttempts(retryAfter: .seconds(896)))
    }

    @Test func onlyTheNewestMailHasDigitsThatWork() async throws {
        let older = try await issue()
        cases.clock.advance(by: .seconds(1))
        let newer = try await issue()
        #expect(older.digits != newer.digits)
        #expect(await outcome("anna@example.com", older.digits) == .invalidOobCode)
        #expect(await outcome("anna@example.com", newer.digits) == nil)
        #expect(await outcome("anna@example.com", older.link) == .invalidOobCode)
    }

    @Test func theyWorkForFifteenMinutesAndTheLinkLonger() async throws {
        let mail = try await issue()
        cases.clock.advance(by: .seconds(900))
        #expect(await outcome("anna@example.com", mail.digits) == .invalidOobCode)
        #expect(await outcome("anna@example.com", mail.link) == nil)
        let second = try await issue("bob@example.com")
        cases.clock.advance(by: .milliseconds(899_999))
        #expect(await outcome("bob@example.com", second.digits) == nil)
    }

    @Test func unknownAddressesAreAnsweredAlike() async throws {
        let mail = try await issue()
        for step in 1...5 {
            let known = await outcome("anna@example.com", other(mail.digits, step))
            #expect(await outcome("nobody@example.com", other(mail.digits, step)) == known)
        }
        let known = await outcome("anna@example.com", other(mail.digits))
        #expect(known == .tooManyAttempts(retryAfter: .seconds(900)))
        #expect(await outcome("nobody@example.com", other(mail.digits)) == known)
    }

    @Test func concurrentTriesAreFiveTogether() async throws {
        let mail = try await issue()
        let cases = cases
        let project = project
        let wrong = other(mail.digits)
        let outcomes = await withTaskGroup(of: ActionCodeError?.self) { group in
            for _ in 0..<40 {
                group.addTask { await refusal { try await cases.complete("anna@example.com", wrong, project: project) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .invalidOobCode } == 5)
        #expect(outcomes.count { $0 == .tooManyAttempts(retryAfter: .seconds(900)) } == 35)
    }

    @Test func aProjectWithoutThemTakesNone() async throws {
        let mail = try await issue()
        for _ in 0..<7 { #expect(await refusal { try await cases.complete("anna@example.com", mail.digits) } == .invalidOobCode) }
        #expect(await refusal { try await cases.complete("anna@example.com", mail.link) } == nil)
    }

    @Test func anOlderSecretsDigitsStillWork() async throws {
        let mail = try await issue()
        let code = try #require(try await cases.liveCodes().first)
        let typed = try #require(SignInDigits(mail.digits))
        #expect(typed.prove(code, keys: .rotated, now: cases.clock.now))
        #expect(!typed.prove(code, keys: .foreign, now: cases.clock.now))
        #expect(!typed.prove(nil, keys: cases.keys, now: cases.clock.now))
    }

    @Test(arguments: ["12345", "1234567", "12345a", "", "      ", "１２３４５６", "123\n456", "-12345", "1 2 3 4 5 6      ."])
    func whatIsNoSixDigitsIsNone(_ text: String) { #expect(SignInDigits(text) == nil) }

    @Test(arguments: ["123456", "123 456", " 000000 "])
    func sixDigitsAreSome(_ text: String) { #expect(SignInDigits(text) != nil) }

    private func tag(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) } }
    }

    /// The words above the largest multiple of a million are passed over, since they would make small numbers likelier.
    @Test func numbersAreUnbiased() {
        let limit = UInt64.max - UInt64.max % 1_000_000
        #expect(SignInDigits.number(tag([limit - 1, 5, 6, 7])) == 999_999)
        #expect(SignInDigits.number(tag([limit, 1_000_005, 6, 7])) == 5)
        #expect(SignInDigits.number(tag([.max, limit, .max, 7_000_042])) == 42)
        #expect(SignInDigits.number(tag([0, 1, 2, 3])) == 0)
    }

    @Test func everyDigitOccursAboutAsOftenInEveryPlace() throws {
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        let now = cases.clock.now
        for number in 0..<5000 {
            let code = ActionCode.example(UInt64(number), project: "example", createdAt: now)
            let digits = try #require(SignInDigits.text(for: code, keys: cases.keys, now: now))
            try #require(digits.utf8.count == 6)
            for (place, digit) in digits.utf8.enumerated() { counts[place][Int(digit - UInt8(ascii: "0"))] += 1 }
        }
        // 500 expected, with a standard deviation of 21; the ids are the same in every run.
        for place in counts { for count in place { #expect((390...610).contains(count), "\(counts)") } }
    }

    private func text(_ project: Project) async throws -> String {
        let compositions = try await cases.composer(project: { _ in project }).compose(try await cases.claim())
        guard case .message(let message) = try #require(compositions.first) else { return "" }
        return String(decoding: message.bytes, as: UTF8.self).replacing("=\r\n", with: "").replacing("=3D", with: "=")
    }

    @Test(arguments: [true, false]) func theMailHoldsThemWhereTheProjectWants(_ isWanted: Bool) async throws {
        var project = project
        let digits = try await issue().digits
        project.includeCode = isWanted
        #expect(try await text(project).contains("\r\n\(digits)\r\n") == isWanted)
    }

    @Test func aMailThatGoesOutLateHoldsNone() async throws {
        let digits = try await issue().digits
        cases.clock.advance(by: .seconds(900))
        let text = try await text(project)
        #expect(text.contains("oobCode=") && !text.contains(digits))
    }
}
