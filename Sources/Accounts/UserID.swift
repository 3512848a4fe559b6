public import Crypto

/// Ids for new accounts.
public enum UserID {
    /// The longest id that an account may be given, in characters as UTF-16 counts them; verifiers refuse a longer `sub`.
    public static let lengthLimit = 128

    private static let length = 28
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Draws 28 letters and digits, each as likely as the others: 166 random bits, so that nobody need look whether the id is taken.
    public static func make(_ randomness: Randomness) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(length)
        while characters.count < length {
            for byte in randomness.bytes(length + 4) where characters.count < length {
                // Six bits make 0 to 63; the two values past the alphabet are drawn again, since folding them would favour two letters.
                let value = Int(byte & 63)
                if value < alphabet.count { characters.append(alphabet[value]) }
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
