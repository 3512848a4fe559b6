internal import FoundationEssentials

/// The pages of a folder and their words, read and checked at once; an immutable snapshot.
///
/// The folder holds `layout.html` with its `{{content}}`, `pages/<name>.html`, `style.css`, and `strings/<language>.json`: one flat object of
/// texts by name. A page shows a text as `{{name}}`; a text may itself hold variables, such as `{{appName}}`. English is always there, and every
/// other language has exactly the texts that English has.
public struct PageLibrary: Sendable {
    private let layout: Template
    private let pages: [String: Template]
    /// By language as its file spells it, then by name.
    private let strings: [String: [String: Template]]
    private let languages: [String]

    /// The style sheet, as it is sent.
    public let styleSheet: [UInt8]

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - folder: any path.
    ///   - pages: the pages that must be there.
    ///   - variables: the names that pages and texts may use besides the texts' own.
    ///   - strings: the texts that the program itself asks for by name.
    /// - Throws: everything that is wrong, at once.
    public init(
        folder: String, pages names: Set<String>, variables: Set<String>, strings needed: Set<String>
    ) throws(TemplateLibraryError) {
        var reader = PageReader(root: TemplateFolder(folder), variables: variables.union(["language", "direction"]))
        let strings = reader.strings(needed: needed)
        let all = reader.variables.union(strings["en"].map { Set($0.keys) } ?? [])
        let layout = reader.template("layout.html", in: reader.root, kind: .html, variables: all, isLayout: true)
        var pages: [String: Template] = [:]
        for name in names.sorted() {
            pages[name] = reader.template("\(name).html", in: reader.root.folder("pages"), kind: .html, variables: all, isLayout: false)
        }
        let style = reader.text("style.css", in: reader.root)
        guard let layout, let style, reader.problems.isEmpty, reader.mistakes.isEmpty else {
            throw TemplateLibraryError(problems: reader.problems, mistakes: reader.mistakes)
        }
        self.layout = layout
        self.pages = pages
        self.strings = strings
        self.languages = strings.keys.sorted()
        self.styleSheet = Array(style.utf8)
    }

    /// Renders a page that was named at `init`, in the first preferred language that there is, else in English.
    public func render(_ page: String, preferred: [String], values: [String: TemplateValue]) -> String {
        guard let template = pages[page] else { preconditionFailure("page \(page) was not named when the library was read") }
        let language = language(preferred)
        var values = values
        values["language"] = .text(language)
        values["direction"] = .text(TextDirection(language: language).rawValue)
        let words = strings[language] ?? [:]
        let wanted = template.variableNames.union(layout.variableNames)
        for (name, text) in words where values[name] == nil && wanted.contains(name) {
            values[name] = .text(text.render(values))
        }
        return layout.render(values, content: template)
    }

    /// One text in the language of the page, to be handed to a page under another name.
    public func string(_ name: String, preferred: [String], values: [String: TemplateValue]) -> String {
        strings[language(preferred)]?[name]?.render(values) ?? ""
    }

    private func language(_ preferred: [String]) -> String {
        LanguageTag.lookup(preferred + ["en"], available: languages) ?? "en"
    }
}

/// Collects what is wrong while it reads, so that an operator sees all of it after one start.
private struct PageReader {
    let root: TemplateFolder
    let variables: Set<String>
    var problems: [TemplateLibraryError.Problem] = []
    var mistakes: [TemplateError] = []

    mutating func text(_ name: String, in folder: TemplateFolder) -> String? {
        do {
            return try folder.text(name)
        } catch {
            problems.append(error)
            return nil
        }
    }

    mutating func template(
        _ name: String, in folder: TemplateFolder, kind: TemplateKind, variables: Set<String>, isLayout: Bool
    ) -> Template? {
        guard let source = text(name, in: folder) else { return nil }
        var parser = TemplateParser(source, kind: kind, file: folder.path(of: name), variables: variables, role: isLayout ? .layout : .body)
        parser.parse()
        mistakes += parser.errors
        return parser.errors.isEmpty ? Template(parser) : nil
    }

    mutating func strings(needed: Set<String>) -> [String: [String: Template]] {
        let folder = root.folder("strings")
        guard folder.exists, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            problems.append(.init(path: folder.path, reason: "there is no such folder"))
            return [:]
        }
        var result: [String: [String: Template]] = [:]
        for file in files.sorted() where file.hasSuffix(".json") && !file.hasPrefix(".") {
            let language = String(file.dropLast(5))
            guard LanguageTag.isWellFormed(language) else {
                problems.append(.init(path: folder.path(of: file), reason: "not named after a language tag"))
                continue
            }
            result[language] = words(file, in: folder)
        }
        guard let english = result["en"] else {
            problems.append(.init(path: folder.path(of: "en.json"), reason: "there is no such file"))
            return result
        }
        let names = Set(english.keys).union(needed)
        for (language, words) in result.sorted(by: { $0.key < $1.key }) {
            for missing in names.subtracting(words.keys).sorted() {
                problems.append(.init(path: folder.path(of: "\(language).json"), reason: "the text \"\(missing)\" is missing"))
            }
            for extra in Set(words.keys).subtracting(names).sorted() {
                problems.append(.init(path: folder.path(of: "\(language).json"), reason: "the text \"\(extra)\" is not in en.json"))
            }
        }
        return result
    }

    private mutating func words(_ file: String, in folder: TemplateFolder) -> [String: Template] {
        guard let source = text(file, in: folder) else { return [:] }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        guard let texts = try? decoder.decode([String: String].self, from: Data(source.utf8)) else {
            problems.append(.init(path: folder.path(of: file), reason: "not a JSON object whose values are all strings"))
            return [:]
        }
        var words: [String: Template] = [:]
        for (name, text) in texts {
            do {
                words[name] = try Template(text, kind: .text, file: "\(folder.path(of: file)) (\(name))", variables: variables)
            } catch {
                mistakes.append(error)
            }
        }
        return words
    }
}
