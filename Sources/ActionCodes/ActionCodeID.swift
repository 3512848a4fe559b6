public import Crypto

/// 128 random bits that name a code. Knowing them is not enough to make the code; that takes the key.
public struct ActionCodeID: Sendable, Hashable {
    /// Exactly 16 bytes.
    public let bytes: [UInt8]

    /// Takes 16 bytes; nil for any other number.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Draws a new one.
    public init(randomness: Randomness) {
        self.bytes = randomness.bytes(16)
    }
}
