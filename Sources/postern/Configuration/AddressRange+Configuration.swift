internal import Platform

extension AddressRange: ConfigurationText {
    /// Takes CIDR notation; an address alone is a range of one.
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
        let range = AddressRange(around: address, prefixLength: length)
        guard range.first == address else {
            throw ConfigurationFault("\(text.shown) begins inside its range", "write \(range.first)/\(length), or the address alone")
        }
        self = range
    }
}
