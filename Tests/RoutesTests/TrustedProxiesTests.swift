import HTTP
import Platform
import Testing

@testable import Routes

@Suite struct TrustedProxiesTests {
    private static let proxies = TrustedProxies(
        [("10.0.0.0", 8), ("fd00::", 8)].compactMap { text, length in
            IPAddress(text).map { AddressRange(around: $0, prefixLength: length) }
        })

    /// Each row: the peer, the fields that it sends, the client.
    @Test(arguments: [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
        ("10.1.1.1", [], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.1.1.1", ["203.0.113.5, 198.51.100.1"], "198.51.100.1"),
        ("10.1.1.1", ["203.0.113.5,198.51.100.1 ,\t10.2.2.2"], "198.51.100.1"),
        ("10.1.1.1", ["203.0.113.5", "198.51.100.1", "10.2.2.2"], "198.51.100.1"),
        ("10.1.1.1", ["10.3.3.3, 10.2.2.2"], "10.3.3.3"),
        ("::ffff:10.1.1.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("fd00::1", ["nonsense, 2001:db8::7"], "2001:db8::7"),
        ("fd00::1", ["2001:db8::7, nonsense"], "fd00::1"),
        ("10.1.1.1", ["198.51.100.1, "], "10.1.1.1"),
        ("10.1.1.1", [""], "10.1.1.1"),
        ("10.1.1.1", [","], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.1:80"], "10.1.1.1"),
        ("10.1.1.1", ["[2001:db8::7]"], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.01"], "10.1.1.1"),
        ("10.1.1.1", ["unknown"], "10.1.1.1"),
        ("10.1.1.1", ["198.51.100.1, 10.2.2.2, _hidden"], "10.1.1.1"),
    ])
    func client(_ peer: String, _ fields: [String], _ expected: String) {
        let request = HTTPRequest(
            target: "/", headers: HTTPHeaders(fields.map { ("X-Forwarded-For", $0) }), remoteAddress: peer)
        #expect(Self.proxies.client(of: request) == IPAddress(expected))
        // Whoever trusts nobody believes the connection.
        #expect(TrustedProxies().client(of: request) == IPAddress(peer))
    }

    @Test func aPeerWithoutAnAddressIsNobody() {
        let headers = HTTPHeaders([("X-Forwarded-For", "198.51.100.1")])
        #expect(Self.proxies.client(of: HTTPRequest(target: "/", headers: headers, remoteAddress: "")) == nil)
    }
}
