internal import Crypto
public import Platform

/// The text form of an action code, `oobCode` on the wire: 60 characters of unpadded base64url.
///
/// The 45 bytes behind it, chosen so that base64 has no spare bits and every code has one spelling:
///
/// | bytes | what |
/// |---|---|
/// | 1 | version, 1 |
/// | 5 | id of the key that signed |
/// | 1 | operation |
/// | 6 | expiry, milliseconds since 1970, big-endian |
/// | 16 | random id |
/// | 16 | HMAC-SHA256 over the 29 bytes before and the project id, cut to 128 bits |
///
/// Milliseconds, because the expiry comes first in the store's key: codes issued one after the other then lie one after the other.
/// Whether a code is ours, for this project, and in time is arithmetic; the database is asked only about genuine ones.
public struct OOBCode: Sendable, Equatable {
    /// What was read out of a genuine code.
    public let operation: Operation
    /// When it expires.
    public let expiresAt: UnixTime
    /// Its identifier.
    public let id: ActionCodeID
    /// The id of its key, for the signature of the link around it.
    let keyID: [UInt8]

    /// Why a text is not a code to look up.
    public enum Rejection: Error, Sendable, Equatable {
        /// Not the right length or alphabet, an unknown version, or the tag is wrong: altered, truncated, invented, of another project, or
        /// made with a secret that is configured no more.
        case forged
        /// Genuine, but its time is over.
        case expired(Operation)
    }

    static let keyID = 1..<6
    static let operation = 6
    static let expiry = 7..<13
    static let id = 13..<29
    static let tagged = 29
    static let length = 45
    static let characters = 60

    /// Writes the code for a stored action code.
    public static func text(for code: ActionCode, keys: KeyRing) -> String {
        let key = keys.signing
        return Base64URL.encode(bytes(for: code, key: key))
    }

    private static func bytes(for code: ActionCode, key: KeyRing.Key) -> [UInt8] {
        var bytes: [UInt8] = [1]
        bytes.reserveCapacity(length)
        bytes += key.id
        bytes.append(code.operation.rawValue)
        let expiry = UInt64(clamping: code.expiresAt.milliseconds)
        for shift in stride(from: 40, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: expiry >> UInt64(shift)))
        }
        bytes += code.id.bytes
        bytes += tag(over: bytes, projectID: code.projectID, key: key)
        return bytes
    }

    private static func tag(over bytes: [UInt8], projectID: String, key: KeyRing.Key) -> ArraySlice<UInt8> {
        // The tagged part has a fixed length, so the project id behind it cannot be confused with it.
        HMACSHA256.tag(bytes, Array(projectID.utf8), key: key.codes).prefix(16)
    }

    /// Reads a code that somebody sent.
    public init(_ text: String, projectID: String, keys: KeyRing, now: UnixTime) throws(Rejection) {
        guard text.utf8.count == Self.characters, let bytes = Base64URL.decode(text), bytes.count == Self.length, bytes[0] == 1,
            let key = keys.key(bytes[Self.keyID]), let operation = Operation(rawValue: bytes[Self.operation]),
            let id = ActionCodeID(bytes[Self.id])
        else { throw .forged }
        let expected = Self.tag(over: Array(bytes[..<Self.tagged]), projectID: projectID, key: key)
        guard constantTimeEquals(Array(expected), Array(bytes[Self.tagged...])) else { throw .forged }
        let expiry = UnixTime(milliseconds: bytes[Self.expiry].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard now < expiry else { throw .expired(operation) }
        self.operation = operation
        self.expiresAt = expiry
        self.id = id
        self.keyID = key.id
    }
}
