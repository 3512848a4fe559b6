public import Mail
public import Platform

/// Whom a bucket counts for, within a project.
public enum RateLimitSubject: Sendable, Equatable {
    /// All of the project.
    case project
    /// An address, whether it has an account or not.
    case address(EmailAddress)
    /// An account without a known address, by its id.
    case account(String)
    /// A client; those whose address is not known count as one.
    case client(IPAddress?)
    /// A client and an address together.
    case clientAndAddress(IPAddress?, EmailAddress)

    /// The subject as bytes; no two subjects make the same.
    var bytes: [UInt8] {
        switch self {
        case .project: [0]
        case .address(let address): [1] + Array(address.text.utf8)
        case .account(let id): [2] + Array(id.utf8)
        case .client(let client): [3] + Self.network(client)
        case .clientAndAddress(let client, let address): [4] + Self.network(client) + Array(address.text.utf8)
        }
    }

    /// The length and the bytes of what counts as one client: an IPv4 address, or the /64 that an IPv6 host has for itself.
    private static func network(_ client: IPAddress?) -> [UInt8] {
        guard let client else { return [0] }
        let length = client.isIPv4 ? 4 : 8
        let value = client.isIPv4 ? UInt64(client.bits) : UInt64(client.bits >> 64)
        return [UInt8(length)] + (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}
