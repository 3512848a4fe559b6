internal import Platform

/// All mail templates of a folder, read and checked at once; an immutable snapshot.
///
/// The folder holds `layout/{body.txt,body.html}` and for each mail `<mode>/<language>/{subject.txt,body.txt,body.html}`. It and
/// everything in it may be a symbolic link. Hidden files and folders, and files with other names, are ignored.
public struct TemplateLibrary: Sendable {
    /// By mode, then by language in lower case.
    private let mails: [String: [String: MailTemplate]]

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - folder: any path.
    ///   - modes: the modes that must be there, in at least one language; others may be there too.
    ///   - variables: the names that templates may use.
    /// - Throws: everything that is wrong, at once: missing files and folders; files over 256 KiB, not UTF-8 or with a NUL byte; mistakes
    ///   in templates.
    public init(
        folder: String, modes: [String] = [], variables: Set<String> = MailVariables.names
    ) throws(TemplateLibraryError) {
        var reader = Reader(variables: variables)
        let mails = reader.read(TemplateFolder(folder), modes: modes)
        guard let mails, reader.problems.isEmpty, reader.mistakes.isEmpty else {
            throw TemplateLibraryError(problems: reader.problems, mistakes: reader.mistakes)
        }
        self.mails = mails
    }

    /// The modes that there are, in order.
    public var modes: [String] {
        mails.keys.sorted()
    }

    /// The mail of a mode in exactly this language, in any case of letters; nil when there is none.
    public func mail(_ mode: String, language: String) -> MailTemplate? {
        mails[mode]?[language.lowercased()]
    }

    /// The languages that a mode is written in, as their folders spell them, in order; empty for an unknown mode.
    public func languages(for mode: String) -> [String] {
        (mails[mode] ?? [:]).values.map(\.language).sorted()
    }

    /// The language to write to somebody in, as its folder spells it.
    ///
    /// The first of the `preferred` languages, most wanted first, that a lookup by RFC 4647 section 3.4 finds ("pt-BR" is served by "pt"); else the
    /// `default`, looked up alike; else "en"; else the first by alphabet. For an unknown mode, `default` as given.
    public func bestLanguage(for mode: String, preferred: [String], default: String) -> String {
        let available = languages(for: mode)
        return LanguageTag.lookup(preferred + [`default`, "en"], available: available) ?? available.first ?? `default`
    }
}

/// Collects what is wrong while it reads, so that an operator sees all of it after one start.
private struct Reader {
    let variables: Set<String>
    var problems: [TemplateLibraryError.Problem] = []
    var mistakes: [TemplateError] = []

    init(variables: Set<String>) {
        self.variables = variables
    }

    /// Nil only when something was wrong.
    mutating func read(_ root: TemplateFolder, modes required: [String]) -> [String: [String: MailTemplate]]? {
        guard let present = folders(in: root) else { return nil }
        let layout = root.folder("layout")
        var textLayout: Template?
        var htmlLayout: Template?
        if present.contains("layout") {
            textLayout = template("body.txt", in: layout, .text, isLayout: true)
            htmlLayout = template("body.html", in: layout, .html, isLayout: true)
        } else {
            report(layout.path, "there is no such folder")
        }

        var mails: [String: [String: MailTemplate]] = [:]
        for mode in Set(present).union(required).subtracting(["layout"]).sorted() {
            let folder = root.folder(mode)
            guard present.contains(mode) else {
                let hint = NearestName.find(mode, in: present).map { "; is '\($0)' meant to be it?" } ?? ""
                report(folder.path, "there is no such folder" + hint)
                continue
            }
            guard let languages = folders(in: folder) else { continue }
            if languages.isEmpty { report(folder.path, "holds no folder of a language") }
            for language in languages {
                let mail = self.mail(mode, language, in: folder.folder(language), textLayout, htmlLayout)
                if mails[mode]?[language.lowercased()] != nil {
                    report(folder.path(of: language), "the same language as another folder in other letters")
                }
                mails[mode, default: [:]][language.lowercased()] = mail
            }
        }
        return mails
    }

    private mutating func mail(
        _ mode: String, _ language: String, in folder: TemplateFolder, _ textLayout: Template?, _ htmlLayout: Template?
    ) -> MailTemplate? {
        guard LanguageTag.isWellFormed(language) else {
            report(folder.path, "not a language tag")
            return nil
        }
        let subject = template("subject.txt", in: folder, .subject)
        let text = template("body.txt", in: folder, .text)
        let html = template("body.html", in: folder, .html)
        guard let subject, let text, let html, let textLayout, let htmlLayout else { return nil }
        return MailTemplate(
            mode: mode, language: language, subject: subject, text: text, html: html, textLayout: textLayout, htmlLayout: htmlLayout)
    }

    private mutating func template(
        _ name: String, in folder: TemplateFolder, _ kind: TemplateKind, isLayout: Bool = false
    ) -> Template? {
        do {
            let source = try folder.text(name)
            var parser = TemplateParser(source, kind: kind, file: folder.path(of: name), variables: variables, isLayout: isLayout)
            parser.parse()
            mistakes += parser.errors
            return parser.errors.isEmpty ? Template(parser) : nil
        } catch {
            problems.append(error)
            return nil
        }
    }

    private mutating func folders(in folder: TemplateFolder) -> [String]? {
        do {
            return try folder.folders()
        } catch {
            problems.append(error)
            return nil
        }
    }

    private mutating func report(_ path: String, _ reason: String) {
        problems.append(.init(path: path, reason: reason))
    }
}
