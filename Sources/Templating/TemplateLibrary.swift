/// All mail templates of a folder, read and checked at once; an immutable snapshot.
///
/// The folder holds
/// - for each mail `<mode>/<language>/{subject.txt,body.txt,body.html}`;
/// - `layout/{body.txt,body.html}`, what stands around every mail;
/// - `layout/pieces/<name>.{txt,html}`, what mails use as `{{>name}}…{{/name}}`; may be missing;
/// - `words/<language>.json`, durations and dates in words, for every language with a mail that shows `expiresIn` or `requestedAt`.
///
/// It and everything in it may be a symbolic link. Hidden files and folders, and files with other names, are ignored. A project may have a
/// folder of its own in the same form, which holds only what differs: files that it does not have are those of the shared folder.
public struct TemplateLibrary: Sendable {
    /// By mode, then by language in lower case.
    typealias Mails = [String: [String: MailTemplate]]

    private let shared: Mails
    /// By project; one that is not here has the shared mails.
    private let own: [String: Mails]

    /// Reads a folder, and those of the projects that have one.
    ///
    /// - Parameters:
    ///   - folder: any path.
    ///   - projects: the folders of projects, by project id.
    ///   - modes: the modes that must be there, in at least one language; others may be there too.
    ///   - variables: the names that templates may use.
    /// - Throws: everything that is wrong, at once: missing files and folders; files over 256 KiB, not UTF-8 or with a NUL byte; mistakes
    ///   in templates.
    public init(
        folder: String, projects: [String: String] = [:], modes: [String] = [], variables: Set<String> = MailVariables.names
    ) throws(TemplateLibraryError) {
        var reader = TemplateReader(variables: variables)
        let shared = reader.shared(TemplateFolder(folder), modes: modes)
        var own: [String: Mails] = [:]
        if let shared {
            for (project, folder) in projects.sorted(by: { $0.key < $1.key }) {
                own[project] = reader.mails(in: TemplateFolder(folder), over: shared)
            }
        }
        guard let shared, reader.problems.isEmpty, reader.mistakes.isEmpty else {
            throw TemplateLibraryError(problems: reader.problems, mistakes: reader.mistakes)
        }
        self.shared = shared.mails
        self.own = own
    }

    /// The modes that there are, in order.
    public var modes: [String] {
        shared.keys.sorted()
    }

    /// The mail of a mode in exactly this language, in any case of letters; nil when there is none.
    ///
    /// `project` is a project id; nil, or a project without a folder of its own, for the shared mails.
    public func mail(_ mode: String, language: String, project: String? = nil) -> MailTemplate? {
        mails(of: project)[mode]?[language.lowercased()]
    }

    /// The languages that a mode is written in, as their folders spell them, in order; empty for an unknown mode.
    public func languages(for mode: String, project: String? = nil) -> [String] {
        (mails(of: project)[mode] ?? [:]).values.map(\.language).sorted()
    }

    /// The language to write to somebody in, as its folder spells it.
    ///
    /// The first of the `preferred` languages, most wanted first, that ``LanguageTag/lookup(_:available:)`` finds ("de-AT" is served by
    /// "de"); else the `default`, looked up alike; else "en"; else the first by alphabet. For an unknown mode, `default` as given.
    public func bestLanguage(for mode: String, project: String? = nil, preferred: [String], default: String) -> String {
        let available = languages(for: mode, project: project)
        return LanguageTag.lookup(preferred + [`default`, "en"], available: available) ?? available.first ?? `default`
    }

    private func mails(of project: String?) -> Mails {
        project.flatMap { own[$0] } ?? shared
    }
}
