/// A range of IP addresses in CIDR notation (RFC 4632 §3.1), such as `10.0.0.0/8`; an address alone is a range of one.
struct AddressRange: ConfigurationText, Sendable, Hashable {
    /// The first address.
    let first: IPAddress
    /// How many leading bits all addresses share: 0 to 32, or 0 to 128.
    let prefixLength: Int

    init(configured text: String) throws(ConfigurationFault) {
        let remedy = "expected an address range such as 10.0.0.0/8 or fd00::/8"
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let written = parts.first, let address = IPAddress(String(written)) else {
            throw ConfigurationFault("\(text.shown) is not an address range", remedy)
        }
        var length = address.width
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.utf8.count), digits.isDecimal, let number = Int(digits) else {
                throw ConfigurationFault("\(text.shown) has no number behind the slash", remedy)
            }
            // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
            length = address.isIPv4 && written.contains(":") ? number - 96 : number
            guard (0...address.width).contains(length) else {
                throw ConfigurationFault("\(text.shown) has a prefix length that its addresses do not have", remedy)
            }
        }
        let first = IPAddress(isIPv4: address.isIPv4, bits: address.bits & Self.mask(length, of: address.width))
        guard first == address else {
            throw ConfigurationFault("\(text.shown) begins inside its range", "write \(first)/\(length), or the address alone")
        }
        self.first = first
        self.prefixLength = length
    }

    /// Whether the address is in the range; families never mix.
    func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.bits & Self.mask(prefixLength, of: first.width) == first.bits
    }

    /// Whether the text is an address in the range.
    func contains(_ address: String) -> Bool {
        IPAddress(address).map(contains) ?? false
    }

    private static func mask(_ length: Int, of width: Int) -> UInt128 {
        // Shifting by the full width gives zero, which is right for a length of zero.
        let all = UInt128.max >> UInt128(128 - width)
        return all & (all << UInt128(width - length))
    }
}
