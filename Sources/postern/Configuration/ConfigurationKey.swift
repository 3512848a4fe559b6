/// One setting of the configuration file: what it is called, what it takes and what it means.
///
/// `all` is the only list of settings. Unknown keys, types and ranges are checked against it, and `postern check --help` and the
/// README's table are made from it.
struct ConfigurationKey: Sendable, Equatable {
    /// What a setting takes.
    enum Kind: Sendable, Equatable {
        /// An object; its keys are further entries.
        case object
        /// A list of objects.
        case objects
        /// One object or a list of them.
        case objectOrObjects
        /// A string of the named form.
        case text(String)
        /// A list of strings of the named form.
        case texts(String)
        /// A string of the named form, or an object whose members are such strings.
        case textOrItems(String)
        /// A string, or `env:NAME` or `file:PATH` that leads to it.
        case reference(String, isSecret: Bool)
        /// A list of such strings.
        case references(String, isSecret: Bool)
        /// One of a few words.
        case choice([String])
        /// `true` or `false`.
        case boolean
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A duration such as `"90s"`, `"15m"`, `"6h"`, `"3d"`.
        case duration(ClosedRange<Duration>)
        /// A limit such as `"5/15m"`.
        case rate
    }

    /// The key path, with `[]` for every list of objects: `projects[].mail.from`. `smtp`, an object or a list, has none.
    var pattern: String
    /// What it takes.
    var kind: Kind
    /// What holds when it is left out, as the file would write it; nil when nothing does.
    var fallback: String?
    /// Who insists on it, wherever the object that holds it is present.
    var need: Need
    /// What it does, one sentence.
    var meaning: String

    /// Who insists on a setting.
    enum Need: Sendable, Equatable {
        /// Nobody.
        case optional
        /// `postern serve`; `postern dev` has something of its own.
        case serve
        /// Every command.
        case always
    }

    init(_ pattern: String, _ kind: Kind, default fallback: String? = nil, need: Need = .optional, _ meaning: String) {
        self.pattern = pattern
        self.kind = kind
        self.fallback = fallback
        self.need = need
        self.meaning = meaning
    }

    /// The last part of the key path, as it stands in the file.
    var name: String { String(pattern[(pattern.lastIndex(of: ".").map(pattern.index(after:)) ?? pattern.startIndex)...]) }

    /// The pattern of the object that holds it; empty at the top.
    var parent: String { pattern.lastIndex(of: ".").map { String(pattern[..<$0]) } ?? "" }

    /// Whether its value must never be shown.
    var isSecret: Bool {
        switch kind {
        case .reference(_, let isSecret), .references(_, let isSecret): isSecret
        default: false
        }
    }

    /// The entry with this pattern.
    static func named(_ pattern: String) -> ConfigurationKey? {
        all.first { $0.pattern == pattern }
    }

    /// The keys that an object may have, in the order of `all`.
    static func names(in parent: String) -> [String] {
        all.filter { $0.parent == parent }.map(\.name)
    }
}

extension ConfigurationKey {
    /// What it takes, in words: type, unit and range.
    var takes: String {
        switch kind {
        case .object: "an object"
        case .objects: "a list of objects"
        case .objectOrObjects: "an object or a list of objects"
        case .text(let form): form
        case .texts(let form): "a list: \(form)"
        case .textOrItems(let form): "\(form), or an object of names and such strings"
        case .reference(let form, _): "\(form), or env:NAME or file:PATH"
        case .references(let form, _): "a list: \(form), or env:NAME or file:PATH"
        case .choice(let words): words.joined(separator: ", ")
        case .boolean: "true or false"
        case .integer(let range): "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .duration(let range): "a duration, \(range.lowerBound.settingText) to \(range.upperBound.settingText)"
        case .rate: "COUNT/DURATION"
        }
    }

    /// What one string of it takes: for a list, what its entries take.
    var entryTakes: String {
        switch kind {
        case .texts(let form), .textOrItems(let form): form
        case .references(let form, _): "\(form), or env:NAME or file:PATH"
        default: takes
        }
    }

    /// The whole table as plain text: a paragraph a setting, for `postern check --help`.
    static var reference: String {
        all.map { key in
            var lines = "  \(key.pattern)\n      \(key.meaning)\n      \(key.takes)"
            if key.need != .optional { lines += "; required" }
            if let fallback = key.fallback { lines += "; default \(fallback)" }
            if key.isSecret { lines += "; secret" }
            return lines
        }.joined(separator: "\n")
    }

    /// The whole table as Markdown, for the README.
    static var markdown: String {
        func cell(_ text: String) -> String { text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
        let rows = all.map { key in
            let fallback = key.need != .optional ? "required" : key.fallback.map { "`\($0)`" } ?? ""
            return "| `\(key.pattern)` | \(cell(key.takes))\(key.isSecret ? " (secret)" : "") | \(cell(fallback)) | \(cell(key.meaning)) |"
        }
        return (["| key | takes | default | meaning |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
