/// The colour of buttons and links on a project's pages, for light mode; the one for dark mode is made from it.
public struct AccentColor: Sendable, Hashable {
    /// Red, green and blue, 0 to 255 each.
    public let red, green, blue: UInt8

    /// Takes `#rrggbb`, in any case; nil for anything else.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy({ $0.hexDigit != nil }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }

    /// Takes the three parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// The colour as `#rrggbb`.
    public var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The least contrast of text of ordinary size (WCAG 2.2, success criterion 1.4.3).
    public static let leastContrast = 4.5

    /// The contrast with another colour, 1 to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: AccentColor) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// The colours of the style sheet that comes with Postern, which text in the accent colour stands on or in.
    static let white = AccentColor(red: 0xFF, green: 0xFF, blue: 0xFF)
    static let lightGround = AccentColor(red: 0xF4, green: 0xF5, blue: 0xF7)
    static let darkSheet = AccentColor(red: 0x1B, green: 0x1E, blue: 0x22)
    static let darkText = AccentColor(red: 0x0D, green: 0x15, blue: 0x26)

    /// What is wrong with it in light mode, for people; nil when white text on it, and it on both backgrounds, has enough contrast. In dark
    /// mode there is always enough.
    public var problem: String? {
        for (name, color) in [("white text on it and with the sheet", Self.white), ("the page around the sheet", Self.lightGround)] {
            let contrast = contrast(with: color)
            if contrast < Self.leastContrast {
                let tenths = Int(contrast * 10)
                return "its contrast with \(name) is \(tenths / 10).\(tenths % 10) to 1, and 4.5 to 1 is the least that everybody can read"
            }
        }
        return nil
    }

    /// The same hue, lightened until it has enough contrast with the dark sheet; dark text on it has more.
    public var inDarkMode: AccentColor {
        var share = 0
        var color = self
        while color.contrast(with: Self.darkSheet) < Self.leastContrast || color.contrast(with: Self.darkText) < Self.leastContrast {
            share += 1
            color = mixed(withWhite: share)
        }
        return color
    }

    /// `share` hundredths of white; all of it is white, which has contrast enough, so that the loop above ends.
    private func mixed(withWhite share: Int) -> AccentColor {
        func mix(_ part: UInt8) -> UInt8 { UInt8(Int(part) + (255 - Int(part)) * min(share, 100) / 100) }
        return AccentColor(red: mix(red), green: mix(green), blue: mix(blue))
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// `base` to the power of 2.4, for 0 to 1: the square and the square root of the fifth root of the fourth power, by Newton's method, since
    /// the C library's function would need Foundation.
    private static func power(_ base: Double) -> Double {
        guard base > 0 else { return 0 }
        let square = base * base
        // x⁵ = base², so x = base^0.4
        var x = 1.0
        for _ in 0..<40 { x -= (x * x * x * x * x - square) / (5 * x * x * x * x) }
        return square * x
    }

    /// The style sheet that puts it in place.
    var styleSheet: String {
        let dark = inDarkMode
        return """
            :root { --accent: \(text); --on-accent: #ffffff; }
            @media (prefers-color-scheme: dark) { :root { --accent: \(dark.text); --on-accent: \(Self.darkText.text); } }

            """
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: self
        default: nil
        }
    }
}
