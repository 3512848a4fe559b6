import Foundation

/// What Apple's systems do with a URL and an `applinks` object, as observed (the cases are in Fixtures/aasa-match-cases.json).
enum AASAMatcher {
    enum Result: String, Decodable, Sendable { case match, exclude, none }

    /// The answer of the first component, or path, of the app's entries that matches.
    static func result(applinks: JSON, appID: String, url: String) -> Result {
        let url = SplitURL(url)
        let defaults = applinks["defaults"]?.object ?? [:]
        for detail in applinks["details"]?.array ?? [] {
            // A system that knows components reads no paths of an entry that has both.
            if detail["appIDs"]?.strings?.contains(appID) == true {
                let inherited = defaults.overridden(by: detail["defaults"]?.object ?? [:])
                for component in detail["components"]?.array ?? [] {
                    let effective = inherited.overridden(by: component.object ?? [:])
                    if matches(effective, url) { return effective["exclude"]?.bool == true ? .exclude : .match }
                }
            } else if detail["appID"]?.string == appID {
                for path in detail["paths"]?.strings ?? [] {
                    let excludes = path.hasPrefix("NOT ")
                    let pattern = excludes ? String(path.dropFirst(4)) : path
                    if matches(["/": .string(pattern)], url) { return excludes ? .exclude : .match }
                }
            }
        }
        return .none
    }

    /// The same for a whole file as served.
    static func result(file: [UInt8], appID: String, url: String) throws -> Result {
        result(applinks: try JSON.parse(file)["applinks"] ?? .null, appID: appID, url: url)
    }

    static func matches(_ component: [String: JSON], _ url: SplitURL) -> Bool {
        let decodes = component["percentEncoded"]?.bool == false
        let foldsCase = component["caseSensitive"]?.bool == false
        func fits(_ pattern: String, _ text: String) -> Bool {
            let text = decodes ? text.removingPercentEncoding ?? text : text
            return foldsCase ? glob(pattern.lowercased(), text.lowercased()) : glob(pattern, text)
        }
        func pathFits(_ pattern: String) -> Bool {
            let pattern = pattern.withoutOuterSlashes
            let path = url.path.withoutOuterSlashes
            return fits(pattern, path) || pattern.hasSuffix("/*") && fits(String(pattern.dropLast(2)), path)
        }
        return pathFits(component["/"]?.string ?? "*")
            && queryFits(component["?"] ?? .string("*"), url.query, fits)
            && fits(component["#"]?.string ?? "*", url.fragment)
    }

    private static func queryFits(_ pattern: JSON, _ query: String, _ fits: (String, String) -> Bool) -> Bool {
        switch pattern {
        case .string(let pattern): return fits(pattern, query)
        case .object(let items):
            // One value that is not a string drops them all.
            guard items.values.allSatisfy({ $0.string != nil }) else { return true }
            let pairs = query.split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
            }
            return items.allSatisfy { name, pattern in
                let values = pairs.filter { $0.name == name }.map(\.value)
                return (values.isEmpty ? [""] : values).allSatisfy { fits(pattern.string ?? "", $0) }
            }
        default: return true
        }
    }

    /// `*` is any number of bytes, `?` one.
    static func glob(_ pattern: String, _ text: String) -> Bool {
        var reached: Set<Int> = [0]
        let text = Array(text.utf8)
        for symbol in pattern.utf8 {
            switch symbol {
            case UInt8(ascii: "*"): reached = Set((reached.min() ?? text.count + 1)..<(text.count + 1))
            case UInt8(ascii: "?"): reached = Set(reached.filter { $0 < text.count }.map { $0 + 1 })
            default: reached = Set(reached.filter { $0 < text.count && text[$0] == symbol }.map { $0 + 1 })
            }
            if reached.isEmpty { return false }
        }
        return reached.contains(text.count)
    }
}

/// A URL cut at its delimiters, nothing decoded.
struct SplitURL {
    let path: String
    let query: String
    let fragment: String

    init(_ url: String) {
        let (beforeFragment, fragment) = url.cut(at: "#")
        let (beforeQuery, query) = beforeFragment.cut(at: "?")
        let afterScheme = beforeQuery.firstRange(of: "://").map { String(beforeQuery[$0.upperBound...]) } ?? beforeQuery
        path = "/" + afterScheme.cut(at: "/").after
        self.query = query
        self.fragment = fragment
    }
}

extension String {
    fileprivate func cut(at delimiter: Character) -> (before: String, after: String) {
        guard let index = firstIndex(of: delimiter) else { return (self, "") }
        return (String(self[..<index]), String(self[self.index(after: index)...]))
    }

    fileprivate var withoutOuterSlashes: String {
        var slice = Substring(self)
        while slice.hasPrefix("/") { slice.removeFirst() }
        while slice.hasSuffix("/") { slice.removeLast() }
        return String(slice)
    }
}

extension [String: JSON] {
    fileprivate func overridden(by other: [String: JSON]) -> [String: JSON] { merging(other) { _, other in other } }
}
