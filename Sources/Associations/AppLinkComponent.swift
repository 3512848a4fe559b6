/// A rule for further URLs of a host, for apps that use it for more than mailed links.
///
/// Patterns: `*` is any number of characters, `?` exactly one. They are compared with the URL as it is written, percent-encoded.
/// All patterns of a component must match; the first component that matches decides.
/// Apple: documentation "applinks.Details.Component". Android: Dynamic App Links.
public struct AppLinkComponent: Sendable, Hashable {
    /// What the query of a URL must look like.
    public enum Query: Sendable, Hashable {
        /// A pattern for the whole query without its `?`.
        case whole(String)

        /// A pattern for each named item. An absent item is the empty string; of a repeated item every value must match.
        case items([String: String])
    }

    /// The pattern for the path; `nil` matches every path.
    public let path: String?

    /// The pattern for the query; `nil` matches every query.
    public let query: Query?

    /// The pattern for the fragment without its `#`; `nil` matches every fragment.
    public let fragment: String?

    /// Whether a matching URL stays in the browser. Default false.
    public let exclude: Bool

    /// A note for readers of the file; systems ignore it. Apple only.
    public let comment: String?

    /// Whether case matters. Default true. Apple only.
    public let caseSensitive: Bool

    /// Whether the URL is compared as written (true, the default) or percent-decoded. Apple only.
    public let percentEncoded: Bool

    /// The variables that Apple's systems know without a definition (documentation "applinks.SubstitutionVariables").
    static let builtInVariables: Set<String> = ["alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang"]

    /// Takes a component as configured; throws the first of `problems`.
    public init(
        path: String? = nil, query: Query? = nil, fragment: String? = nil, exclude: Bool = false, comment: String? = nil,
        caseSensitive: Bool = true, percentEncoded: Bool = true
    ) throws(AssociationError) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.exclude = exclude
        self.comment = comment
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        if let problem = problems.first { throw problem }
    }

    /// Everything that is wrong with a configured component; empty when `init` with the same values would succeed.
    ///
    /// Apple's systems ignore what they do not understand, which makes a rule match more than was meant, so anything doubtful is refused.
    public static func problems(
        path: String?, query: Query?, fragment: String?, percentEncoded: Bool
    ) -> [AssociationError] {
        var problems: [AssociationError] = []
        if path == nil && query == nil && fragment == nil {
            problems.append(.invalid(.extraComponents, value: "", reason: "a component has no pattern, so it would match every URL"))
        }
        func check(_ pattern: String, _ field: AssociationError.Field) {
            if let reason = patternProblem(pattern, percentEncoded: percentEncoded) {
                problems.append(.invalid(field, value: pattern, reason: reason))
            }
        }
        if let path {
            if let first = path.first, "/*?".contains(first) {
                check(path, .path)
            } else {
                problems.append(.invalid(.path, value: path, reason: path.isEmpty ? "it is empty" : "it does not begin with /, * or ?"))
            }
        }
        switch query {
        case nil: break
        case .whole(let pattern): check(pattern, .query)
        case .items(let items):
            if items.isEmpty { problems.append(.invalid(.query, value: "", reason: "it has no items")) }
            for (name, pattern) in items.sorted(by: { $0.key < $1.key }) {
                if name.isEmpty { problems.append(.invalid(.query, value: name, reason: "the name of an item is empty")) }
                check(name, .query)
                check(pattern, .query)
            }
        }
        if let fragment { check(fragment, .fragment) }
        return problems
    }

    private var problems: [AssociationError] {
        Self.problems(path: path, query: query, fragment: fragment, percentEncoded: percentEncoded)
    }

    private static func patternProblem(_ pattern: String, percentEncoded: Bool) -> String? {
        for scalar in pattern.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F { return "it contains the control character \(Character(scalar).quoted)" }
            // A URL on the wire holds neither, so the rule could never match.
            if percentEncoded && !(0x21...0x7E).contains(scalar.value) {
                return "it contains \(Character(scalar).quoted), which must be percent-encoded"
            }
            if percentEncoded && scalar == "#" { return "it contains \"#\", which begins the fragment of a URL" }
        }
        return variableProblem(pattern)
    }

    private static func variableProblem(_ pattern: String) -> String? {
        var rest = Substring(pattern)
        while let opening = rest.firstRange(of: "$(") {
            rest = rest[opening.upperBound...]
            guard let end = rest.firstIndex(of: ")") else { return "it has a \"$(\" that is not closed" }
            let name = rest[..<end]
            if !builtInVariables.contains(String(name)) { return "it names the variable \"\(name)\", which Apple's systems do not define" }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }

    /// Why Android cannot take the component; `nil` when it can.
    var androidProblem: String? {
        if case .whole = query { return "Android takes query items only, not a pattern for the whole query" }
        if !caseSensitive || !percentEncoded || comment != nil {
            return "Android knows neither \"caseSensitive\" nor \"percentEncoded\" nor \"comment\""
        }
        let patterns = [path, fragment].compactMap { $0 } + queryItems.flatMap { [$0.key, $0.value] }
        return patterns.contains { $0.contains("$(") } ? "Android knows no variables" : nil
    }

    /// The component as the files hold it, in JSON.
    public var written: String { String(decoding: json.bytes, as: UTF8.self) }

    /// The component as both kinds of file hold it; settings that have their default value are left out.
    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        if let path { members.append(("/", .string(path))) }
        switch query {
        case nil: break
        case .whole(let pattern): members.append(("?", .string(pattern)))
        case .items: members.append(("?", .object(queryItems.map { ($0.key, .string($0.value)) })))
        }
        if let fragment { members.append(("#", .string(fragment))) }
        if exclude { members.append(("exclude", .bool(true))) }
        if let comment { members.append(("comment", .string(comment))) }
        if !caseSensitive { members.append(("caseSensitive", .bool(false))) }
        if !percentEncoded { members.append(("percentEncoded", .bool(false))) }
        return .object(members)
    }

    /// By name, since a dictionary has no order of its own.
    private var queryItems: [(key: String, value: String)] {
        guard case .items(let items) = query else { return [] }
        return items.sorted { $0.key < $1.key }
    }
}
