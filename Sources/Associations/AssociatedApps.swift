/// The apps of a project, or of all projects of a host, each app once.
public struct AssociatedApps: Sendable, Equatable {
    /// Apple apps, no two with the same App ID.
    public let apple: [AppleApp]

    /// Android apps, no two with the same package name.
    public let android: [AndroidApp]

    /// Takes apps in the order of the configuration; an app that is named again adds its fingerprints, or its App Store ID if none
    /// was known, to the first.
    public init(apple: [AppleApp] = [], android: [AndroidApp] = []) {
        self.apple = apple.merged(by: \.appID) { first, again in
            AppleApp(first, appStoreID: first.appStoreID ?? again.appStoreID)
        }
        self.android = android.merged(by: \.packageName) { first, again in
            AndroidApp(first.packageName, merging: first.sha256CertFingerprints + again.sha256CertFingerprints)
        }
    }

    /// The apps of several projects, in order; an app that two of them name appears once, with the fingerprints of both.
    public static func merging(_ projects: [AssociatedApps]) -> AssociatedApps {
        AssociatedApps(apple: projects.flatMap(\.apple), android: projects.flatMap(\.android))
    }
}

extension Array {
    /// Elements with the same key become one, at the place of the first.
    func merged<Key: Hashable>(by key: (Element) -> Key, _ merge: (_ first: Element, _ again: Element) -> Element) -> [Element] {
        var places: [Key: Int] = [:]
        var result: [Element] = []
        for element in self {
            if let place = places[key(element)] {
                result[place] = merge(result[place], element)
            } else {
                places[key(element)] = result.count
                result.append(element)
            }
        }
        return result
    }
}

extension Array where Element: Hashable {
    var withoutDuplicates: [Element] { merged(by: { $0 }) { first, _ in first } }
}
