/// The direction in which a language is written, as HTML's `dir` attribute names it.
public enum TextDirection: String, Sendable {
    /// From left to right.
    case leftToRight = "ltr"
    /// From right to left.
    case rightToLeft = "rtl"

    /// The direction of a language tag's script, or, when the tag names none, of the script that the language is usually written in.
    ///
    /// An unknown language is taken as left to right. Source: the scripts of ISO 15924 and the "likely subtags" of Unicode CLDR.
    public init(language: String) {
        let subtags = language.lowercased().split(separator: "-").map(String.init)
        // RFC 5646 section 2.1: a script is the only subtag of four letters ahead of the extensions, which begin with a single character.
        let script = subtags.prefix { $0.utf8.count > 1 }.dropFirst().first { $0.utf8.count == 4 && $0.utf8.allSatisfy(\.isASCIILetter) }
        let isRightToLeft =
            if let script { Self.scripts.contains(script) } else { subtags.first.map { Self.languages.contains($0) } ?? false }
        self = isRightToLeft ? .rightToLeft : .leftToRight
    }

    private static let scripts: Set = [
        "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "syre", "syrj", "syrn", "thaa", "yezi",
    ]

    private static let languages: Set = [
        "ar", "arc", "arz", "azb", "bal", "bgn", "bqi", "ckb", "dv", "fa", "glk", "haz", "he", "iw", "ji", "khw", "ks", "lrc", "luz", "mzn",
        "nqo", "pnb", "prs", "ps", "sd", "sdh", "skr", "syr", "ug", "ur", "yi",
    ]
}
