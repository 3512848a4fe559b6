internal import Associations

/// Reads `projects[].apps`: the apps that open links, and what else the association files say about them.
struct AppsReader {
    let section: ConfigurationSection

    /// What is wrong is reported and left out.
    func read() -> ProjectAssociations {
        let apps = AssociatedApps(
            apple: section.sections("ios").compactMap(apple), android: section.sections("android").compactMap(android))
        return ProjectAssociations(apps: apps, options: options())
    }

    private func options() -> AssociationOptions {
        let form = section.choice("appLinkForm", default: AppLinkForm.components)
        let components = section.sections("components").compactMap(component)
        let androidComponents = section.sections("androidComponents").compactMap { section in component(section).map { (section, $0) } }
        let clips = section.sections("appClips").compactMap(apple)
        let dynamicAppLinks = section.boolean("dynamicAppLinks", default: false)
        let loginCredentials = section.boolean("loginCredentials", default: false)
        for problem in AssociationOptions.problems(
            appLinkForm: form, extraComponents: components, dynamicAppLinks: dynamicAppLinks,
            extraAndroidComponents: androidComponents.map(\.1))
        {
            guard case .invalid(let field, let value, let reason) = problem else { continue }
            let key = field == .extraComponents ? "components" : "androidComponents"
            // A problem of one component names it; a problem of the list does not.
            let place = androidComponents.first { !value.isEmpty && $0.1.written == value }?.0
            section.report.add(
                place?.keyPath ?? section.keyPath + "." + key, at: place?.position ?? section.position, reason,
                "expected \(problem.expected)")
        }
        do throws(AssociationError) {
            return try AssociationOptions(
                appLinkForm: form, extraComponents: components, appClips: clips, dynamicAppLinks: dynamicAppLinks,
                extraAndroidComponents: androidComponents.map(\.1), loginCredentials: loginCredentials)
        } catch {
            // Reported above, all of it.
            return .none
        }
    }

    private func component(_ section: ConfigurationSection) -> AppLinkComponent? {
        let path = section.text("path")
        let query = section.textOrItems("query")
        let fragment = section.text("fragment")
        let isApple = section.pattern.hasSuffix(".components[]")
        let exclude = section.boolean("exclude", default: false)
        let comment = isApple ? section.text("comment")?.value : nil
        let caseSensitive = isApple ? section.boolean("caseSensitive", default: true) : true
        let percentEncoded = isApple ? section.boolean("percentEncoded", default: true) : true
        let pattern: AppLinkComponent.Query? = query.map { field in
            switch field.value {
            case .text(let text): .whole(text)
            case .items(let items): .items(items)
            }
        }
        let problems = AppLinkComponent.problems(
            path: path?.value, query: pattern, fragment: fragment?.value, percentEncoded: percentEncoded)
        for problem in problems {
            guard case .invalid(let field, let value, let reason) = problem else { continue }
            switch field {
            case .path: path?.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
            case .query: query?.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
            case .fragment: fragment?.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
            default: section.report.add(section.keyPath, at: section.position, reason, "expected \(problem.expected)")
            }
        }
        guard problems.isEmpty else { return nil }
        return try? AppLinkComponent(
            path: path?.value, query: pattern, fragment: fragment?.value, exclude: exclude, comment: comment,
            caseSensitive: caseSensitive, percentEncoded: percentEncoded)
    }

    private func apple(_ section: ConfigurationSection) -> AppleApp? {
        let fields: [AssociationError.Field: ConfigurationField<String>?] = [
            .bundleID: section.text("bundleID"), .teamID: section.text("teamID"),
            .appStoreID: section.pattern.hasSuffix(".ios[]") ? section.text("appStoreID") : nil,
        ]
        // Stand-ins for what is missing and reported already, so that the rest is checked all the same.
        let bundleID = fields[.bundleID]??.value ?? "com.example"
        let teamID = fields[.teamID]??.value ?? "ABCDE12345"
        let appStoreID = fields[.appStoreID]??.value
        for problem in AppleApp.problems(bundleID: bundleID, teamID: teamID, appStoreID: appStoreID) {
            guard case .invalid(let name, let value, let reason) = problem else { continue }
            fields[name]??.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
        }
        return try? AppleApp(bundleID: bundleID, teamID: teamID, appStoreID: appStoreID)
    }

    private func android(_ section: ConfigurationSection) -> AndroidApp? {
        let packageName = section.text("packageName")
        let fingerprints = section.texts("sha256CertFingerprints")
        for problem in AndroidApp.problems(packageName: packageName?.value ?? "com.example", sha256CertFingerprints: []) {
            guard case .invalid(.packageName, let value, let reason) = problem else { continue }
            packageName?.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
        }
        for fingerprint in fingerprints {
            for problem in AndroidApp.problems(packageName: "com.example", sha256CertFingerprints: [fingerprint.value]) {
                guard case .invalid(_, let value, let reason) = problem else { continue }
                fingerprint.refuse("\(value.shown) is refused: \(reason)", "expected \(problem.expected)")
            }
        }
        return try? AndroidApp(packageName: packageName?.value ?? "", sha256CertFingerprints: fingerprints.map(\.value))
    }
}
