internal import ActionCodes
internal import Associations
internal import HTTP
internal import Platform
internal import QRCodes
internal import Templating

/// The ways from a page into the app, for links that named one.
///
/// Every page holds all of them and the style sheet shows those of the device, so that nothing depends on who asks: a scanner sees what people
/// see. Packages, store pages and hosts come from the configuration only; a request merely chooses among them.
struct AppWays: Sendable {
    let hosts: HostDirectory
    let keys: KeyRing

    /// Where the browser goes when Android finds no app for the button: the same page, at the part about getting it. A fragment, because the
    /// query is signed.
    static let fallback = "get-app"

    /// What the layout shows; empty when the link named no app, or the project has none.
    func values(for live: LinkReader.Live, host: String?) -> [String: TemplateValue] {
        let (code, project) = (live.code, live.project)
        guard code.settings.namesAnApp else { return [:] }
        let apps = hosts.apps(of: project)
        let apple = Self.choose(code.settings.iOSBundleID, from: apps.apple, name: \.bundleID)
        let android = Self.choose(code.settings.androidPackageName, from: apps.android, name: \.packageName)
        guard apple != nil || android != nil else { return [:] }
        let web = ActionLink.web(for: code, project: project, keys: keys)
        let link = ActionLink.appForm(of: web, code: code, project: project)
        var values: [String: TemplateValue] = ["hasApp": true, "mailedURL": .text(link)]
        if let apple {
            if let domain = hosts.otherLinkDomain(than: host, project: project) {
                values["appURL"] = .text(ActionLink.appForm(of: web, code: code, project: project, domain: domain))
            }
            if let appStoreID = apple.appStoreID {
                values["appStoreURL"] = .text("https://apps.apple.com/app/id" + appStoreID)
                // Percent-encoded throughout, so that no comma of the link ends it.
                values["smartBanner"] = .text("app-id=\(appStoreID), app-argument=\(link)")
            }
        }
        if let android {
            values["intentURL"] = .text(Self.intent(for: link, package: android.packageName))
            // Whether the app is in the store is not configured; the request says whether to offer it.
            if code.settings.androidInstallApp {
                values["playStoreURL"] = .text("https://play.google.com/store/apps/details?id=" + android.packageName)
            }
        }
        if let code = QRCode(link) {
            values["qrPath"] = .text(code.path)
            values["qrSide"] = .text(String(code.side))
        }
        return values
    }

    /// The app that the request named, if it is configured; the first when it named none of this system.
    private static func choose<App>(_ wanted: String?, from apps: [App], name: (App) -> String) -> App? {
        guard let wanted else { return apps.first }
        return apps.first { name($0) == wanted }
    }

    /// An `intent:` URL, which Chrome on Android hands to the app after a press (developer.chrome.com, Android Intents with Chrome).
    static func intent(for link: String, package: String) -> String {
        guard let end = link.firstRange(of: "://") else { return link }
        let scheme = link[..<end.lowerBound]
        let fallback = PercentEncoding.encode(link + "#" + fallback)
        return "intent://\(link[end.upperBound...])#Intent;scheme=\(scheme);package=\(package);S.browser_fallback_url=\(fallback);end"
    }
}
