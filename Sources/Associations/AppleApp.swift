/// An iOS, iPadOS, macOS or visionOS app that may open the links of a host.
public struct AppleApp: Sendable, Hashable {
    /// The bundle identifier: ASCII letters, digits, `-` and `.`, no empty segment, at most 155 characters.
    public let bundleID: String

    /// The application identifier prefix, normally the Team ID: ten upper-case ASCII letters or digits.
    public let teamID: String

    /// The number of the app in the App Store, digits only; `nil` when the app is not there. It is in no association file.
    public let appStoreID: String?

    /// The name of the app in an apple-app-site-association file: prefix, full stop, bundle identifier.
    public var appID: String { "\(teamID).\(bundleID)" }

    /// The longest bundle identifier, in characters (App Store Connect's limit).
    public static let maximumBundleIDLength = 155

    /// Takes an app as configured; throws the first of `problems`.
    public init(bundleID: String, teamID: String, appStoreID: String? = nil) throws(AssociationError) {
        if let problem = Self.problems(bundleID: bundleID, teamID: teamID, appStoreID: appStoreID).first { throw problem }
        self.bundleID = bundleID
        self.teamID = teamID
        self.appStoreID = appStoreID
    }

    init(_ app: AppleApp, appStoreID: String?) {
        bundleID = app.bundleID
        teamID = app.teamID
        self.appStoreID = appStoreID
    }

    /// Everything that is wrong with a configured app, at most one problem a field; empty when `init` would succeed.
    public static func problems(bundleID: String, teamID: String, appStoreID: String?) -> [AssociationError] {
        var problems: [AssociationError] = []
        if let reason = bundleIDProblem(bundleID, teamID: teamID) {
            problems.append(.invalid(.bundleID, value: bundleID, reason: reason))
        }
        if let reason = teamIDProblem(teamID) {
            problems.append(.invalid(.teamID, value: teamID, reason: reason))
        }
        if let appStoreID, let reason = appStoreIDProblem(appStoreID) {
            problems.append(.invalid(.appStoreID, value: appStoreID, reason: reason))
        }
        return problems
    }

    private static func bundleIDProblem(_ bundleID: String, teamID: String) -> String? {
        if bundleID.isEmpty { return "it is empty" }
        if let foreign = bundleID.first(where: { !($0.isASCIILetterOrDigit || $0 == "-" || $0 == ".") }) {
            // A wildcard names a provisioning profile's reach, never one app.
            return foreign == "*" ? "it is a wildcard; every app is named by itself" : "it contains \(foreign.quoted)"
        }
        let length = bundleID.utf8.count
        if length > maximumBundleIDLength { return "it is \(length) characters long" }
        if bundleID.split(separator: ".", omittingEmptySubsequences: false).contains("") { return "it has an empty segment" }
        if bundleID.hasPrefix("\(teamID).") { return "it begins with the team ID, which is put before it anyway" }
        return nil
    }

    private static func teamIDProblem(_ teamID: String) -> String? {
        if teamID.isEmpty { return "it is empty" }
        if let foreign = teamID.first(where: { !$0.isASCIILetterOrDigit }) { return "it contains \(foreign.quoted)" }
        let length = teamID.utf8.count
        if length != 10 { return "it is \(length) character\(length == 1 ? "" : "s") long" }
        if let lower = teamID.first(where: \.isASCIILowerCaseLetter) { return "it contains the lower-case letter \(lower.quoted)" }
        return nil
    }

    private static func appStoreIDProblem(_ appStoreID: String) -> String? {
        if appStoreID.isEmpty { return "it is empty; leave the setting out when the app is not in the App Store" }
        if appStoreID.hasPrefix("id") { return "it begins with \"id\", as in a store address; give the number alone" }
        if let foreign = appStoreID.first(where: { !$0.isASCIIDigit }) { return "it contains \(foreign.quoted)" }
        if appStoreID.hasPrefix("0") { return "it begins with 0" }
        let length = appStoreID.utf8.count
        return length > 19 ? "it is \(length) digits long" : nil
    }
}
