internal import ActionCodes
internal import Platform

/// `postern inspect`: why a link would or would not work, without using it up.
struct InspectCommand {
    private let options: InspectOptions

    init(_ options: InspectOptions) {
        self.options = options
    }

    func run() throws(CommandFailure) {
        let configuration: Configuration? =
            if let file = options.config { try ConfigurationFile(file).read() } else { nil }
        let projects = configuration?.makeProjects() ?? []
        let inspection = LinkInspection(
            options.link, keys: configuration.map { KeyRing(secrets: $0.secrets) }, now: WallClock.system.now(),
            project: { key in projects.first { $0.apiKeys.contains(key) } })
        let width = inspection.findings.map(\.name.count).max() ?? 0
        for finding in inspection.findings {
            Console.print(finding.name + String(repeating: " ", count: width - finding.name.count) + "  " + Self.printable(finding.value))
        }
        switch inspection.verdict {
        case .genuine: Console.print("\nThe link is genuine and in time. Whether it was used, only the database knows.")
        case .unverified: Console.print("\nThe link has the right form. Give --config FILE to check its signature.")
        case .expired: throw CommandFailure(.data, "the link has expired")
        case .altered(let why): throw CommandFailure(.data, "the link does not work: \(why)")
        }
    }

    /// A link may come from anywhere and must not steer the terminal.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
