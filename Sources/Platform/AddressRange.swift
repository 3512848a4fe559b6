/// A range of IP addresses that share their leading bits (CIDR, RFC 4632 §3.1), such as `10.0.0.0/8`.
public struct AddressRange: Sendable, Hashable {
    /// The first address.
    public let first: IPAddress
    /// How many leading bits all addresses share: 0 to 32, or 0 to 128.
    public let prefixLength: Int

    /// The range that an address lies in. `prefixLength` is 0 to the address's width.
    public init(around address: IPAddress, prefixLength: Int) {
        precondition((0...address.width).contains(prefixLength), "a prefix is no longer than its addresses")
        first = IPAddress(isIPv4: address.isIPv4, bits: address.bits & Self.mask(prefixLength, of: address.width))
        self.prefixLength = prefixLength
    }

    /// Whether the address is in the range; families never mix.
    public func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.bits & Self.mask(prefixLength, of: first.width) == first.bits
    }

    /// Whether the text is an address in the range.
    public func contains(_ address: String) -> Bool {
        IPAddress(address).map(contains) ?? false
    }

    private static func mask(_ length: Int, of width: Int) -> UInt128 {
        // Shifting by the full width gives zero, which is right for a length of zero.
        let all = UInt128.max >> UInt128(128 - width)
        return all & (all << UInt128(width - length))
    }
}
