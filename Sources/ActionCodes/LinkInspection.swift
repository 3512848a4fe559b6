internal import Crypto
public import Platform

/// What a link holds, part by part, and whether it would work; for people who ask why one does not.
public struct LinkInspection: Sendable, Equatable {
    /// One line of the explanation.
    public struct Finding: Sendable, Equatable {
        /// What it is about, such as `mode`.
        public var name: String
        /// What was found.
        public var value: String
    }

    /// Whether the link would work.
    public enum Verdict: Sendable, Equatable {
        /// It would, as far as can be told without the database.
        case genuine
        /// Its time is over.
        case expired
        /// A part is missing, changed, or of another service.
        case altered(String)
        /// It has the right form; whether it is genuine takes the secrets of the configuration.
        case unverified
    }

    /// The parts, in the order of the link.
    public var findings: [Finding]
    /// Whether it would work.
    public var verdict: Verdict

    /// Takes a link apart. With `keys`, `project` finds the project of an API key and the signatures are checked.
    public init(_ link: String, keys: KeyRing?, now: UnixTime, project: (_ apiKey: String) -> Project? = { _ in nil }) {
        findings = []
        verdict = .unverified
        var web = link
        if let (base, query) = Self.split(link), base.hasSuffix(ActionLink.appPath) {
            findings.append(Finding(name: "form", value: "app link on \(base.dropLast(ActionLink.appPath.count))"))
            guard query.hasPrefix("link="), let inner = PercentEncoding.decode(query.dropFirst(5)) else {
                verdict = .altered("it holds no readable `link`")
                return
            }
            web = inner
        } else {
            findings.append(Finding(name: "form", value: "web link"))
        }
        guard let (base, query) = Self.split(web) else {
            verdict = .altered("it has no parameters")
            return
        }
        findings.append(Finding(name: "action page", value: base))
        var values: [String: String] = [:]
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            let name = String(item.prefix { $0 != "=" })
            let value = PercentEncoding.decode(item.dropFirst(name.count + 1))
            values[name] = value
            // The code itself is not shown: whoever reads over a shoulder could use it.
            if name == "oobCode" || name == "sig" { continue }
            findings.append(Finding(name: name, value: value ?? "not readable: its percent-encoding is broken"))
        }
        guard let oobCode = values["oobCode"], !oobCode.isEmpty else {
            verdict = .altered("it has no oobCode")
            return
        }
        describe(oobCode, now: now)
        for name in ["apiKey", "lang", "sig", "mode"] where verdict != .expired && values[name] == nil {
            verdict = .altered("it has no \(name)")
        }
        guard let keys else { return }
        guard let project = project(values["apiKey"] ?? "") else {
            verdict = .altered("no configured project has its apiKey")
            return
        }
        findings.append(Finding(name: "project", value: project.id))
        verdict = Self.verdict(link: link, web: web, project: project, keys: keys, now: now)
    }

    private mutating func describe(_ oobCode: String, now: UnixTime) {
        guard let bytes = Base64URL.decode(oobCode), bytes.count == OOBCode.length, bytes[0] == 1,
            let operation = Operation(rawValue: bytes[OOBCode.operation])
        else {
            findings.append(Finding(name: "oobCode", value: "not a code of this service: \(oobCode.utf8.count) characters"))
            verdict = .altered("its oobCode is truncated, changed, or of another service")
            return
        }
        let expiry = UnixTime(milliseconds: bytes[OOBCode.expiry].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        let hex = bytes[OOBCode.keyID].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        findings.append(Finding(name: "oobCode", value: "for \(operation.mode), signed with key \(hex)"))
        findings.append(Finding(name: "expires", value: "\(expiry)" + (now < expiry ? "" : " (over)")))
        if now >= expiry { verdict = .expired }
    }

    private static func verdict(link: String, web: String, project: Project, keys: KeyRing, now: UnixTime) -> Verdict {
        if link != web {
            guard let (_, query) = split(link), ActionLink.unwrap(query: query, project: project) == web else {
                return .altered("its `link` is not an action link of this service in the spelling that it was sent in")
            }
        }
        do throws(ActionLink.Rejection) {
            _ = try ActionLink(web, project: project, keys: keys, now: now)
            return .genuine
        } catch {
            switch error {
            case .altered: return .altered("its signature does not fit: something in it was changed, or its secret is configured no more")
            case .expired: return .expired
            }
        }
    }

    private static func split(_ link: String) -> (base: String, query: String)? {
        guard let mark = link.firstIndex(of: "?") else { return nil }
        return (String(link[..<mark]), String(link[link.index(after: mark)...]))
    }
}
