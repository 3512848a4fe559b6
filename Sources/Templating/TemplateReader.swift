internal import FoundationEssentials
internal import Platform

/// Reads folders of mail templates; collects what is wrong, so that an operator sees all of it after one start.
struct TemplateReader {
    /// What a folder holds.
    struct Folder {
        let folder: TemplateFolder
        var parts: SharedParts
        var mails: TemplateLibrary.Mails
    }

    /// What the mails of a folder share.
    struct SharedParts {
        var textLayout: Template?
        var htmlLayout: Template?
        var textPieces: [String: Template] = [:]
        var htmlPieces: [String: Template] = [:]
        /// By language as its file spells it. A file that is wrong is nil, so that it is not also missing.
        var words: [String: MailWords?] = [:]
    }

    /// Where a mail's files are looked for, in this order.
    private struct Places {
        let own: TemplateFolder
        var fallback: TemplateFolder?

        func folder(of name: String) -> TemplateFolder {
            if let fallback, !own.holds(name) { return fallback }
            return own
        }
    }

    private static let layout = "layout"
    private static let words = "words"
    private static let files = ["subject.txt", "body.txt", "body.html"]

    let variables: Set<String>
    var problems: [TemplateLibraryError.Problem] = []
    var mistakes: [TemplateError] = []

    init(variables: Set<String>) {
        self.variables = variables
    }

    /// Nil only when the folder cannot be read at all.
    mutating func shared(_ root: TemplateFolder, modes required: [String]) -> Folder? {
        guard let present = folders(in: root) else { return nil }
        var parts = SharedParts()
        if present.contains(Self.layout) {
            readLayout(Places(own: root.folder(Self.layout)), into: &parts)
        } else {
            report(root.path(of: Self.layout), "there is no such folder")
        }
        readWords(root.folder(Self.words), into: &parts)

        var mails: TemplateLibrary.Mails = [:]
        for mode in Set(present).union(required).subtracting([Self.layout, Self.words]).sorted() {
            let folder = root.folder(mode)
            guard present.contains(mode) else {
                let hint = NearestName.find(mode, in: present).map { "; is '\($0)' meant to be it?" } ?? ""
                report(folder.path, "there is no such folder" + hint)
                continue
            }
            mails[mode] = languages(in: folder) { reader, language in
                reader.mail(mode, language, in: Places(own: folder.folder(language)), parts)
            }
        }
        return Folder(folder: root, parts: parts, mails: mails)
    }

    /// The mails of a project: those of its own folder, and the shared ones, in its layout when it has one.
    mutating func mails(in root: TemplateFolder, over shared: Folder) -> TemplateLibrary.Mails {
        guard let present = folders(in: root) else { return [:] }
        var parts = shared.parts
        let hasLayout = present.contains(Self.layout)
        if hasLayout { readLayout(Places(own: root.folder(Self.layout), fallback: shared.folder.folder(Self.layout)), into: &parts) }
        let hasWords = present.contains(Self.words)
        if hasWords { readWords(root.folder(Self.words), into: &parts) }

        var mails = shared.mails
        if hasLayout || hasWords {
            // Pieces and words are put in while parsing, so the shared mails are parsed again.
            for (mode, languages) in shared.mails {
                for (key, mail) in languages {
                    let folder = shared.folder.folder(mode).folder(mail.language)
                    if !root.folder(mode).folder(mail.language).exists {
                        mails[mode]?[key] = self.mail(mode, mail.language, in: Places(own: folder), parts)
                    }
                }
            }
        }
        for mode in present where mode != Self.layout && mode != Self.words {
            let folder = root.folder(mode)
            guard let known = shared.mails[mode] else {
                let hint = NearestName.find(mode, in: shared.mails.keys.sorted()).map { "; is it meant to be '\($0)'?" } ?? ""
                report(folder.path, "there is no such mail" + hint)
                continue
            }
            let own = languages(in: folder) { reader, language in
                let place = folder.folder(language)
                if place.exists, !Self.files.contains(where: place.holds) {
                    reader.report(place.path, "holds none of \(Self.files.joined(separator: ", "))")
                }
                let fallback = known[language.lowercased()].map { shared.folder.folder(mode).folder($0.language) }
                return reader.mail(mode, language, in: Places(own: place, fallback: fallback), parts)
            }
            mails[mode]?.merge(own) { $1 }
        }
        return mails
    }

    // MARK: What mails share

    private mutating func readLayout(_ places: Places, into parts: inout SharedParts) {
        parts.textLayout = template("body.txt", in: places.folder(of: "body.txt"), .text, .layout)
        parts.htmlLayout = template("body.html", in: places.folder(of: "body.html"), .html, .layout)
        let pieces = places.own.folder("pieces")
        for file in pieces.files() {
            guard let dot = file.lastIndex(of: ".") else { continue }
            let name = String(file[..<dot])
            switch file[dot...] {
            case ".html": parts.htmlPieces[name] = template(file, in: pieces, .html, .piece)
            case ".txt": parts.textPieces[name] = template(file, in: pieces, .text, .piece)
            default: break
            }
        }
    }

    private mutating func readWords(_ folder: TemplateFolder, into parts: inout SharedParts) {
        for file in folder.files() where file.hasSuffix(".json") {
            let language = String(file.dropLast(5))
            guard LanguageTag.isWellFormed(language) else {
                report(folder.path(of: file), "not named after a language tag")
                continue
            }
            let words = text(file, in: folder).flatMap {
                MailWords($0, file: folder.path(of: file), problems: &problems, mistakes: &mistakes)
            }
            parts.words.updateValue(words, forKey: language)
        }
    }

    // MARK: Mails

    private mutating func languages(
        in folder: TemplateFolder, _ mail: (inout TemplateReader, String) -> MailTemplate?
    ) -> [String: MailTemplate] {
        guard let languages = folders(in: folder) else { return [:] }
        if languages.isEmpty { report(folder.path, "holds no folder of a language") }
        var mails: [String: MailTemplate] = [:]
        for language in languages {
            guard LanguageTag.isWellFormed(language) else {
                report(folder.path(of: language), "not a language tag")
                continue
            }
            let mail = mail(&self, language)
            if mails[language.lowercased()] != nil {
                report(folder.path(of: language), "the same language as another folder in other letters")
            }
            mails[language.lowercased()] = mail
        }
        return mails
    }

    private mutating func mail(_ mode: String, _ language: String, in places: Places, _ parts: SharedParts) -> MailTemplate? {
        let subject = template("subject.txt", in: places.folder(of: "subject.txt"), .subject)
        let text = template("body.txt", in: places.folder(of: "body.txt"), .text, pieces: parts.textPieces)
        let html = template("body.html", in: places.folder(of: "body.html"), .html, pieces: parts.htmlPieces)
        guard let subject, let text, let html else { return nil }
        let words = LanguageTag.lookup([language], available: parts.words.keys.sorted()).flatMap { parts.words[$0] }
        let needed = [subject, text, html].flatMap(\.variableNames).filter(MailTemplate.wordVariables.contains).min()
        if let needed, words == nil {
            report(places.own.path, "shows '\(needed)', but there is no \(Self.words)/\(language).json with its words")
        }
        guard let textLayout = parts.textLayout, let htmlLayout = parts.htmlLayout else { return nil }
        return MailTemplate(
            mode: mode, language: language, subject: subject, text: text, html: html, textLayout: textLayout, htmlLayout: htmlLayout,
            words: words ?? nil)
    }

    // MARK: Files

    private mutating func template(
        _ name: String, in folder: TemplateFolder, _ kind: TemplateKind, _ role: TemplateRole = .body, pieces: [String: Template] = [:]
    ) -> Template? {
        guard var source = text(name, in: folder) else { return nil }
        if role == .piece {
            // The line break that ends the file is no part of what it is put into.
            while let last = source.unicodeScalars.last, last == "\n" || last == "\r" { source.unicodeScalars.removeLast() }
        }
        var parser = TemplateParser(source, kind: kind, file: folder.path(of: name), variables: variables, role: role, pieces: pieces)
        parser.parse()
        mistakes += parser.errors
        return parser.errors.isEmpty ? Template(parser) : nil
    }

    private mutating func text(_ name: String, in folder: TemplateFolder) -> String? {
        do {
            return try folder.text(name)
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
