import Foundation

/// How the SDKs in the field read a link, written down from their sources (client-contract.md §5), their quirks included.
struct SDKReading: Equatable {
    var mode: String?
    var oobCode: String?
    var continueURL: String?
    var apiKey: String?
}

/// firebase-ios-sdk: takes the query already decoded once, splits it flat, decodes again, and lets the last of equal names win.
enum IOSLinkParser {
    static func isSignIn(_ link: String) -> Bool {
        let table = flat(link) { item in
            guard let equals = item.firstIndex(of: "=") else { return nil }
            return (item[..<equals], item[item.index(after: equals)...])
        }
        return table["oobCode"] != nil && table["mode"] == "signIn"
    }

    /// `ActionCodeURL`, which keeps what stands between the first and the second `=`.
    static func read(_ link: String) -> SDKReading {
        let table = flat(link) { item in
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            return parts.count > 1 ? (parts[0], parts[1]) : nil
        }
        return SDKReading(
            mode: table["mode"], oobCode: table["oobCode"], continueURL: table["continueUrl"], apiKey: table["apiKey"])
    }

    private static func flat(_ link: String, pair: (Substring) -> (Substring, Substring)?) -> [String: String] {
        guard let query = URLComponents(string: link)?.query else { return [:] }
        var table: [String: String] = [:]
        for item in query.split(separator: "&") {
            guard let (name, value) = pair(item) else { continue }
            table[name.removingPercentEncoding ?? String(name)] = value.removingPercentEncoding ?? String(value)
        }
        return table
    }
}

/// firebase-android-sdk: each name at the top, else inside `link`; the first of equal names, `+` is a space.
enum AndroidLinkParser {
    static func read(_ link: String) -> SDKReading? {
        let top = items(link)
        let inner = top["link"].map(items) ?? [:]
        func value(_ name: String) -> String? { top[name] ?? inner[name] }
        guard value("apiKey") != nil, value("oobCode") != nil, value("mode") != nil else { return nil }
        return SDKReading(
            mode: value("mode"), oobCode: value("oobCode"), continueURL: value("continueUrl"), apiKey: value("apiKey"))
    }

    private static func items(_ link: String) -> [String: String] {
        guard let mark = link.firstIndex(of: "?") else { return [:] }
        let query = link[link.index(after: mark)...].prefix { $0 != "#" }
        var table: [String: String] = [:]
        for item in query.split(separator: "&") {
            let name = item.prefix { $0 != "=" }
            guard table[String(name)] == nil else { continue }
            let value = item.dropFirst(name.count + 1).replacing("+", with: " ")
            table[String(name)] = value.removingPercentEncoding
        }
        return table
    }
}

/// firebase-js-sdk: unwraps `link` and `deep_link_id`, splits before it decodes, keeps what stands between the first and the second `=`, and
/// lets the last of equal names win.
enum JSLinkParser {
    static func read(_ link: String) -> SDKReading? {
        let inner = items(link)["link"]
        let innerDeep = inner.flatMap { items($0)["deep_link_id"] }
        let deep = items(link)["deep_link_id"]
        let deepInner = deep.flatMap { items($0)["link"] }
        let table = items(deepInner ?? deep ?? innerDeep ?? inner ?? link)
        let modes = ["recoverEmail", "resetPassword", "signIn", "verifyEmail", "verifyAndChangeEmail", "revertSecondFactorAddition"]
        guard let mode = table["mode"], modes.contains(mode), table["oobCode"] != nil, table["apiKey"] != nil else { return nil }
        return SDKReading(
            mode: mode, oobCode: table["oobCode"], continueURL: table["continueUrl"], apiKey: table["apiKey"])
    }

    private static func items(_ link: String) -> [String: String] {
        guard let mark = link.firstIndex(of: "?") else { return [:] }
        let query = link[link.index(after: mark)...].prefix { $0 != "#" }
        var table: [String: String] = [:]
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", omittingEmptySubsequences: false)
            table[parts[0].removingPercentEncoding ?? ""] = parts.count > 1 ? parts[1].removingPercentEncoding : ""
        }
        return table
    }
}
