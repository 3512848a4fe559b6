/// What a language tag is also known as, and who else understands it: where shortening a tag alone would serve readers badly.
///
/// | asked for | served by, besides what its own shortening gives |
/// |---|---|
/// | `iw`, `in`, `ji`, `mo`, `tl` | the present names `he`, `id`, `yi`, `ro`, `fil`, and those by the former ones |
/// | `zh-TW`, `zh-HK`, `zh-MO`, `yue` | `zh-Hant`; never `zh-Hans` |
/// | `zh`, `zh-CN`, `zh-SG`, `zh-MY` | `zh-Hans`; never `zh-Hant` |
/// | `pt-…` other than Brazil's | `pt-PT`, then `pt-BR` |
/// | `pt`, `pt-BR` | `pt-BR`, then `pt-PT` |
/// | `no`, `nb`, `nn` | each other |
///
/// Source: the language aliases, likely subtags and parent locales of Unicode CLDR; Portuguese and Norwegian by what readers understand.
enum LanguageFallback {
    /// The tags to look for, best first, all in lower case; a tag stands once.
    ///
    /// `tag` is well formed. The wish itself comes first; then, where the table names its script, that; then its shortenings by RFC 4647
    /// section 3.4; then what the table adds.
    static func candidates(for tag: String) -> [String] {
        let tag = tag.lowercased()
        let renamed = renaming(tag)
        var candidates = [tag, renamed]
        if let script = script(of: renamed) { candidates += shortenings(of: script).filter { $0.contains("-") } }
        candidates += shortenings(of: tag) + shortenings(of: renamed)
        let language = renamed.prefix { $0 != "-" }
        switch language {
        case "pt": candidates += renamed == "pt" || renamed.hasPrefix("pt-br") ? ["pt-br", "pt-pt"] : ["pt-pt", "pt-br"]
        case "no", "nb", "nn": candidates += ["nb", "no", "nn"]
        default: break
        }
        if let former = names.first(where: { $0.value == language })?.key { candidates.append(former) }
        var seen: Set<String> = []
        return candidates.filter { seen.insert($0).inserted }
    }

    /// Former language subtags with the present ones.
    private static let names: KeyValuePairs = ["iw": "he", "in": "id", "ji": "yi", "mo": "ro", "tl": "fil"]

    private static func renaming(_ tag: String) -> String {
        let language = tag.prefix { $0 != "-" }
        guard let name = names.first(where: { $0.key == language }) else { return tag }
        return name.value + tag.dropFirst(language.count)
    }

    /// The tag with the script that it leaves out, for Chinese, whose two scripts are not read by the same people.
    private static func script(of tag: String) -> String? {
        let subtags = tag.split(separator: "-").map(String.init)
        if subtags.first == "yue" { return subtags.contains("hans") ? "zh-hans" : "zh-hant" }
        guard subtags.first == "zh", !subtags.contains(where: { $0 == "hans" || $0 == "hant" }) else { return nil }
        let isTraditional = subtags.dropFirst().contains { ["tw", "hk", "mo"].contains($0) }
        return (["zh", isTraditional ? "hant" : "hans"] + subtags.dropFirst()).joined(separator: "-")
    }

    private static func shortenings(of tag: String) -> [String] {
        var subtags = tag.split(separator: "-")
        var result: [String] = []
        while !subtags.isEmpty {
            result.append(subtags.joined(separator: "-"))
            subtags.removeLast()
            // What introduces an extension means nothing without it.
            if subtags.count > 1, subtags.last?.utf8.count == 1 { subtags.removeLast() }
        }
        return result
    }
}
