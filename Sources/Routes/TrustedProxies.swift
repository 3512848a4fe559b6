internal import HTTP
public import Platform

/// Knows where a request came from: the proxies that are trusted say so in `X-Forwarded-For`, and nobody else is believed.
public struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Trusts the peers in these ranges.
    public init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// The client's address: the peer's, or behind trusted proxies the last one that none of them has, since what stands before it may be
    /// made up. When all are proxies it is the first of them; with something else than an address among those that are looked at, the peer
    /// counts. Nil when the peer has no IP address.
    func client(of request: HTTPRequest) -> IPAddress? {
        guard let peer = IPAddress(request.remoteAddress) else { return nil }
        guard !ranges.isEmpty, isTrusted(peer) else { return peer }
        var client = peer
        for line in request.headers.all("X-Forwarded-For").reversed() {
            for text in line.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let address = IPAddress(String(text.trimmingSpaces())) else { return peer }
                client = address
                if !isTrusted(address) { return address }
            }
        }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }
}
