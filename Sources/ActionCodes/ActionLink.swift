internal import Crypto
public import Platform

/// The link in a mail (interface.md §4).
///
/// The order of its parameters is chosen for the parsers in the field: `apiKey` first, because the iOS SDK loses the first parameter of a
/// wrapped link; `continueUrl` before `mode` and `oobCode`, because there a later name wins and a continueUrl may hold the same names.
public struct ActionLink: Sendable, Equatable {
    /// The genuine code in the link.
    public let code: OOBCode
    /// The code as it stands in the link.
    public let oobCode: String
    /// Where the link leads on the web.
    public let continueURL: String?
    /// The language of the pages.
    public let language: String
    /// The API key in the link.
    public let apiKey: String

    /// Why a link is not followed.
    public enum Rejection: Error, Sendable, Equatable {
        /// Not a link that this service made: a parameter, its order, its encoding or the host was changed, or the key is gone.
        case altered
        /// Genuine, but its time is over.
        case expired(Operation)
    }

    /// The web form of the link of a stored code.
    public static func web(for code: ActionCode, project: Project, keys: KeyRing) -> String {
        let oobCode = OOBCode.text(for: code, keys: keys)
        var head = project.actionBase + "?apiKey=" + PercentEncoding.encode(code.apiKey)
        if let continueURL = code.settings.continueURL {
            head += "&continueUrl=" + PercentEncoding.encode(continueURL.text)
        }
        head += "&lang=" + PercentEncoding.encode(code.language)
        let tail = "&mode=" + code.operation.mode + "&oobCode=" + oobCode
        return head + "&sig=" + signature(over: head + tail, key: keys.signing) + tail
    }

    /// The link as it goes into the mail: the app form when the request named an app, else the web form.
    public static func text(for code: ActionCode, project: Project, keys: KeyRing) -> String {
        let web = web(for: code, project: project, keys: keys)
        guard code.settings.namesAnApp else { return web }
        return appForm(of: web, code: code, project: project)
    }

    /// The app form: the whole web form, percent-encoded once more, on a link domain.
    ///
    /// - Parameter domain: one of the project's link domains, for another way into the app; default the code's own, else the project's first.
    public static func appForm(of web: String, code: ActionCode, project: Project, domain: String? = nil) -> String {
        let base = (domain ?? code.settings.linkDomain ?? project.linkDomains.first).map { "https://" + $0 } ?? project.publicURL
        return base + appPath + "?link=" + PercentEncoding.encode(web)
    }

    static let appPath = "/__/auth/links"

    /// Reads a web form that somebody opened. `link` is the whole URL: the configured base and the query exactly as it came.
    public init(_ link: String, project: Project, keys: KeyRing, now: UnixTime) throws(Rejection) {
        let base = project.actionBase + "?"
        guard link.utf8.starts(with: base.utf8) else { throw .altered }
        var fields: [(name: Substring, value: Substring)] = []
        for item in link.dropFirst(base.count).split(separator: "&", omittingEmptySubsequences: false) {
            guard let equals = item.firstIndex(of: "=") else { throw .altered }
            fields.append((item[..<equals], item[item.index(after: equals)...]))
        }
        var names = ["apiKey", "continueUrl", "lang", "sig", "mode", "oobCode"]
        if fields.count == names.count - 1 { names.remove(at: 1) }
        guard fields.map({ String($0.name) }) == names else { throw .altered }
        func value(_ name: String) -> String {
            fields.first { $0.name == name }.map { String($0.value) } ?? ""
        }
        let oobCode = value("oobCode")
        let code: OOBCode
        // The signature is looked at before the expiry, so that an altered link never passes for an expired one; the code says whose key it was.
        guard let keyID = Base64URL.decode(oobCode)?.dropFirst(OOBCode.keyID.lowerBound).prefix(OOBCode.keyID.count),
            let key = keys.key(keyID)
        else { throw .altered }
        let unsigned = fields.filter { $0.name != "sig" }.map { $0.name + "=" + $0.value }.joined(separator: "&")
        let expected = Self.signature(over: base + unsigned, key: key)
        guard constantTimeEquals(Array(expected.utf8), Array(value("sig").utf8)) else { throw .altered }
        do {
            code = try OOBCode(oobCode, projectID: project.id, keys: keys, now: now)
        } catch {
            switch error {
            case .forged: throw .altered
            case .expired(let operation): throw .expired(operation)
            }
        }
        guard value("mode") == code.operation.mode, let apiKey = PercentEncoding.decode(value("apiKey")),
            let language = PercentEncoding.decode(value("lang"))
        else { throw .altered }
        self.code = code
        self.oobCode = oobCode
        self.continueURL = fields.first { $0.name == "continueUrl" }.flatMap { PercentEncoding.decode($0.value) }
        self.language = language
        self.apiKey = apiKey
    }

    /// Takes the web form out of an app form, given the query of `/__/auth/links` as it came; nil unless it is one of ours in the one
    /// spelling that we write, so that nothing but our own action page can ever be behind it.
    public static func unwrap(query: String, project: Project) -> String? {
        let prefix = "link="
        guard query.hasPrefix(prefix), let inner = PercentEncoding.decode(query.dropFirst(prefix.count)),
            inner.utf8.starts(with: (project.actionBase + "?").utf8),
            PercentEncoding.encode(inner).utf8.elementsEqual(query.utf8.dropFirst(prefix.utf8.count))
        else { return nil }
        return inner
    }

    /// The API key in a web form's query, where it comes first: it says whose link this claims to be, before anything is checked.
    public static func claimedAPIKey(webQuery query: some StringProtocol) -> String? {
        let name = "apiKey="
        guard query.utf8.starts(with: name.utf8) else { return nil }
        return PercentEncoding.decode(query.dropFirst(name.count).prefix { $0 != "&" })
    }

    /// The same for the query of an app form.
    public static func claimedAPIKey(appQuery query: some StringProtocol) -> String? {
        let name = "link="
        guard query.utf8.starts(with: name.utf8), let inner = PercentEncoding.decode(query.dropFirst(name.count)),
            let mark = inner.firstIndex(of: "?")
        else { return nil }
        return claimedAPIKey(webQuery: inner[inner.index(after: mark)...])
    }

    /// 144 bits, so that base64url has no spare bits and the signature one spelling.
    private static func signature(over text: String, key: KeyRing.Key) -> String {
        Base64URL.encode(Array(HMACSHA256.tag(Array(text.utf8), key: key.links).prefix(18)))
    }
}
