import ActionCodes
import Crypto
import Mail
import Platform
import TestSupport
import Testing

/// Settings of links, made from a seed so that a failure can be repeated; odd on purpose.
struct GeneratedSettings {
    private var random: SeededGenerator
    let now = UnixTime(seconds: 1_764_541_676)

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func continueURL() -> String {
        let host = pick(["example.com", "app.example.co.uk", "localhost", "EXAMPLE.com"])
        var url = (host == "localhost" ? pick(["http", "https"]) : "https") + "://" + host + pick(["", ":8443", ":3000", ":"])
        url += pick(["", "/", "/finish", "/a/b;c=1", "/%E2%9C%93", "/a%2Fb", "/~x!$'()*,@:"])
        let names = ["mode", "oobCode", "apiKey", "lang", "link", "deep_link_id", "continueUrl", "next", "x", "a[b]", "sig", "tenantId"]
        let values = [
            "resetPassword", "signIn", "AAAA", "https%3A%2F%2Fevil.test%2F%3Fmode%3DresetPassword%26oobCode%3DB", "1", "", "a+b", "a%20b",
            "https://other.test/?mode=verifyEmail", "%26mode%3DrecoverEmail", "%2526oobCode%253Dx", "==", "ü".addingPercent,
        ]
        let count = Int.random(in: 0...4, using: &random)
        if count > 0 {
            let items = (0..<count).map { _ in pick(names).addingPercent + pick(["=", "=", "="]) + pick(values) }
            url += "?" + items.joined(separator: "&")
        } else if Bool.random(using: &random) {
            url += "?"
        }
        return url + pick(["", "", "#", "#top", "#mode=signIn&oobCode=fragment", "#/route?mode=verifyEmail&oobCode=f"])
    }

    mutating func code() throws -> ActionCode {
        var settings = ActionCodeSettings()
        if Int.random(in: 0..<10, using: &random) > 0 { settings.continueURL = ContinueURL(continueURL()) }
        settings.canHandleCodeInApp = Bool.random(using: &random)
        if Bool.random(using: &random) { settings.iOSBundleID = "com.example.App-1" }
        if Bool.random(using: &random) { settings.androidPackageName = "com.example.app" }
        if Bool.random(using: &random) { settings.linkDomain = pick(["links.example.com", "open.example.com"]) }
        var bytes: [UInt8] = []
        for _ in 0..<16 { bytes.append(UInt8.random(in: .min ... .max, using: &random)) }
        let email = try EmailAddress("someone@example.com")
        return ActionCode(
            id: try #require(ActionCodeID(bytes)), projectID: "example", operation: pick(Operation.allCases), email: email,
            settings: settings,
            language: pick(["en", "de", "pt-BR", "zh-Hans"]), apiKey: pick(["example-web-key", "AIza_x-Y.z~", "key with space&=#%+"]),
            createdAt: now, expiresAt: now + .seconds(Int.random(in: 60...86_400, using: &random)))
    }
}

extension String {
    fileprivate var addingPercent: String {
        utf8.map { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
