/// An IPv4 or IPv6 address; an IPv4 address written as IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2) is the IPv4 one.
public struct IPAddress: Sendable, Hashable {
    /// Whether it is an IPv4 address.
    public let isIPv4: Bool
    /// The address as a number, 32 bits or 128.
    public let bits: UInt128

    /// How many bits an address of this family has.
    public var width: Int { isIPv4 ? 32 : 128 }

    /// Whether it never leaves this machine: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv4 ? bits >> 24 == 127 : bits == 1 }

    /// Takes an address as a number, 32 bits or 128; an IPv4 address within IPv6 becomes the IPv4 one.
    public init(isIPv4: Bool, bits: UInt128) {
        let isMapped = !isIPv4 && bits >> 32 == 0xFFFF
        self.isIPv4 = isIPv4 || isMapped
        self.bits = isMapped ? bits & 0xFFFF_FFFF : bits
    }

    /// Reads the usual text forms, without brackets, zone or port (RFC 4291 §2.2; four decimal parts without leading zeros); nil for
    /// anything else.
    public init?(_ text: String) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let bits = Self.version6(text) else { return nil }
            self.init(isIPv4: false, bits: bits)
        } else {
            guard let bits = Self.version4(text) else { return nil }
            self.init(isIPv4: true, bits: UInt128(bits))
        }
    }

    private static func version4(_ text: some StringProtocol) -> UInt32? {
        var bits: UInt32 = 0
        var parts = 1
        var part: UInt32?
        for byte in text.utf8 {
            switch (byte, part) {
            case (UInt8(ascii: "."), let number?) where parts < 4:
                bits = bits << 8 | number
                parts += 1
                part = nil
            // Leading zeros are octal to some readers.
            case (0x30...0x39, 0?): return nil
            case (0x30...0x39, let number):
                let value = (number ?? 0) * 10 + UInt32(byte - 0x30)
                guard value <= 255 else { return nil }
                part = value
            default: return nil
            }
        }
        guard parts == 4, let part else { return nil }
        return bits << 8 | part
    }

    private static func version6(_ text: String) -> UInt128? {
        let scalars = Array(text.utf8)
        let gaps = scalars.indices.dropLast().filter { scalars[$0] == UInt8(ascii: ":") && scalars[$0 + 1] == UInt8(ascii: ":") }
        guard gaps.count <= 1 else { return nil }
        func groups(_ part: ArraySlice<UInt8>) -> [UInt16]? {
            if part.isEmpty { return [] }
            var groups: [UInt16] = []
            let texts = String(decoding: part, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            for (index, text) in texts.enumerated() {
                if index == texts.count - 1, text.contains("."), part.endIndex == scalars.endIndex {
                    guard let bits = version4(text) else { return nil }
                    groups += [UInt16(bits >> 16), UInt16(bits & 0xFFFF)]
                } else {
                    guard (1...4).contains(text.utf8.count), !text.hasPrefix("+"), !text.hasPrefix("-"), let group = UInt16(text, radix: 16)
                    else { return nil }
                    groups.append(group)
                }
            }
            return groups
        }
        let all: [UInt16]
        if let gap = gaps.first {
            guard let before = groups(scalars[..<gap]), let after = groups(scalars[(gap + 2)...]), before.count + after.count <= 7 else {
                return nil
            }
            all = before + Array(repeating: 0, count: 8 - before.count - after.count) + after
        } else {
            guard let groups = groups(scalars[...]), groups.count == 8 else { return nil }
            all = groups
        }
        return all.reduce(0) { $0 << 16 | UInt128($1) }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as text: four decimal parts, or eight groups of hexadecimal digits without a gap.
    public var description: String {
        let groups = stride(from: width - (isIPv4 ? 8 : 16), through: 0, by: isIPv4 ? -8 : -16).map { shift in
            bits >> UInt128(shift) & (isIPv4 ? 0xFF : 0xFFFF)
        }
        return groups.map { String($0, radix: isIPv4 ? 10 : 16) }.joined(separator: isIPv4 ? "." : ":")
    }
}
