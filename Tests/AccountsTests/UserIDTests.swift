import Crypto
import Testing

@testable import Accounts

@Suite struct UserIDTests {
    @Test func lettersAndDigits() {
        let id = UserID.make(.system)
        #expect(id.utf8.count == 28)
        #expect(id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber })
    }

    @Test func everyCharacterIsAsLikely() {
        let randomness = Randomness.seeded(5)
        var counts: [Character: Int] = [:]
        for _ in 0..<2000 {
            for character in UserID.make(randomness) { counts[character, default: 0] += 1 }
        }
        #expect(counts.count == 62)
        // 56,000 draws: about 903 each, with a standard deviation of 30. Folding would double two of them.
        for (character, count) in counts { #expect((750...1060).contains(count), "\(character)") }
    }

    @Test func bytesPastTheAlphabetAreDrawnAgain() {
        // Every second byte is one that has no character.
        let source = Randomness { count in (0..<count).map { $0 % 2 == 0 ? 0xFF : 0x00 } }
        #expect(UserID.make(source) == String(repeating: "A", count: 28))
    }
}
