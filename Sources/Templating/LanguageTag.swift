/// Language tags as requests and folders name them: reading a list of wishes, and finding the best of what there is.
public enum LanguageTag {
    /// At most this many bytes of a header are considered.
    private static let longestHeader = 256
    /// At most this many languages are taken from a header.
    private static let mostWishes = 16

    /// The languages of an `Accept-Language` field, most wanted first; equally wanted ones in their order.
    ///
    /// Takes at most 16 languages from the first 256 bytes; what is not well formed is ignored, as are `*` and a weight of 0, since a
    /// lookup has a default of its own. Source: RFC 9110 section 12.5.4.
    public static func parse(acceptLanguage: String) -> [String] {
        let bytes = Array(acceptLanguage.utf8.prefix(longestHeader + 1))
        var items = bytes.prefix(longestHeader).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        // An item cut in the middle could be another language.
        if bytes.count > longestHeader, bytes[longestHeader] != UInt8(ascii: ",") { items.removeLast() }

        var wishes: [(tag: String, weight: Int)] = []
        for item in items where wishes.count < mostWishes {
            let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
            let tag = String(decoding: parts[0], as: UTF8.self)
            guard parts.count <= 2, isWellFormed(tag) else { continue }
            guard let weight = parts.count == 1 ? 1000 : weight(parts[1]), weight > 0 else { continue }
            if !wishes.contains(where: { $0.tag.lowercased() == tag.lowercased() }) { wishes.append((tag, weight)) }
        }
        // The standard library's sort keeps the order of equals, but does not promise it.
        return wishes.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.tag)
    }

    /// Whether a text has the form of a language tag: subtags of 1 to 8 letters and digits joined by hyphens, the first of letters only,
    /// at most 35 characters. Source: RFC 4647 section 2.1; the length, RFC 5646 section 4.4.1.
    public static func isWellFormed(_ tag: String) -> Bool {
        guard tag.utf8.count <= 35 else { return false }
        let subtags = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
            && subtags.first?.allSatisfy(\.isASCIILetter) == true
    }

    /// A tag as some systems write it, such as `in_ID`, in the form of a language tag; nil when it is none even so.
    public static func normalised(_ tag: String) -> String? {
        let tag = tag.utf8.contains(UInt8(ascii: "_")) ? tag.replacing("_", with: "-") : tag
        return isWellFormed(tag) ? tag : nil
    }

    /// The available language that serves the wishes best, in the spelling of `available`, or nil when none does.
    ///
    /// Each wish in turn is shortened from its end until something fits: "zh-Hant-TW", "zh-Hant", "zh"; and a short table adds the names and
    /// relations that shortening cannot know, such as "he" for "iw", and "zh-Hant" but not "zh-Hans" for "zh-TW". Case does not matter; wishes
    /// that are not well formed are passed over. Source: RFC 4647 section 3.4; `LanguageFallback` has the table.
    public static func lookup(_ preferred: [String], available: [String]) -> String? {
        for wish in preferred where isWellFormed(wish) {
            for tag in LanguageFallback.candidates(for: wish) {
                if let found = available.first(where: { $0 == tag || $0.lowercased() == tag }) { return found }
            }
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = bytes.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return [] }
        return start[...last]
    }

    /// A weight in thousandths, from `q=` and 0 to 1 with at most three decimals; nil when it is not one. Source: RFC 9110 section 12.4.2.
    private static func weight(_ parameter: ArraySlice<UInt8>) -> Int? {
        guard parameter.first?.asciiLowercased == UInt8(ascii: "q") else { return nil }
        let value = parameter.dropFirst()
        guard value.first == UInt8(ascii: "=") else { return nil }
        let digits = value.dropFirst()
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else { return nil }
        var weight = Int(whole - UInt8(ascii: "0")) * 1000
        let fraction = digits.dropFirst()
        guard let point = fraction.first else { return weight }
        guard point == UInt8(ascii: "."), fraction.count <= 4 else { return nil }
        var unit = 100
        for digit in fraction.dropFirst() {
            guard digit.isASCIIDigit else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
