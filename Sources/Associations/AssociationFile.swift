/// An association file as it goes over the wire, made once and served from memory.
public struct AssociationFile: Sendable, Equatable {
    /// The whole body, UTF-8.
    public let bytes: [UInt8]

    /// The strong entity tag of the body, with its quotation marks (RFC 9110 section 8.8.3).
    ///
    /// Equal bodies have equal tags on every node and after every restart. It is a checksum (FNV-1a, 128 bits), no security property.
    public let etag: String

    /// The media type of both kinds of file. App Clips need exactly this one.
    public static let contentType = "application/json"

    /// How long caches may keep a file: an hour, as long as Apple's own cache does.
    public static let cacheControl = "public, max-age=3600"

    init(_ json: JSONValue) {
        bytes = json.bytes
        etag = "\"\(String(Self.checksum(bytes), radix: 16).zeroPadded(to: 32))\""
    }

    /// FNV-1a with its published 128-bit prime and offset basis.
    static func checksum(_ bytes: [UInt8]) -> UInt128 {
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
        return bytes.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D) { hash, byte in (hash ^ UInt128(byte)) &* prime }
    }
}
