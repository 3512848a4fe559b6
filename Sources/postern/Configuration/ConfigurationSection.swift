internal import Platform

/// One object of the configuration, read key by key. What is read is checked against `ConfigurationKey.all`; what is wrong is reported and
/// reads as nil.
struct ConfigurationSection {
    /// Where the object is: `projects[0].mail`; empty at the top.
    let keyPath: String
    /// The same as `ConfigurationKey` writes it: `projects[].mail`.
    let pattern: String
    /// Where the object begins.
    let position: TextPosition
    /// Where problems go.
    let report: ConfigurationReport
    private let members: [ConfigurationValue.Member]
    private let reader: ConfigurationReader

    /// Takes a value that must be an object; nil when it is not. Unknown and repeated keys and missing ones are reported here.
    init?(_ value: ConfigurationValue, keyPath: String, pattern: String, report: ConfigurationReport, reader: ConfigurationReader) {
        guard case .object(let members) = value.content else {
            report.add(keyPath, at: value.position, "found \(value.kind)", "expected an object")
            return nil
        }
        self.keyPath = keyPath
        self.pattern = pattern
        self.position = value.position
        self.report = report
        self.members = members
        self.reader = reader
        checkNames()
    }

    private func path(_ name: String) -> String { keyPath.isEmpty ? name : keyPath + "." + name }

    private func checkNames() {
        let known = ConfigurationKey.names(in: pattern)
        var first: [String: TextPosition] = [:]
        for member in members {
            if let earlier = first[member.name] {
                report.add(path(member.name), at: member.position, "is set twice, first in line \(earlier.line)", "keep one of the two")
            } else {
                first[member.name] = member.position
                guard !known.contains(member.name) else { continue }
                let remedy = remedy(forUnknown: member.name, known: known)
                report.add(path(member.name.isPlainKey ? member.name : member.name.shown), at: member.position, "is not a setting", remedy)
            }
        }
        for key in ConfigurationKey.all where key.parent == pattern && key.need.applies(to: reader.purpose) && first[key.name] == nil {
            report.add(path(key.name), at: position, "is missing", "expected \(key.takes)")
        }
    }

    private func remedy(forUnknown name: String, known: [String]) -> String {
        if let near = NearestName.find(name, in: known) { return "did you mean \(near)?" }
        if let elsewhere = ConfigurationKey.all.first(where: { $0.name == name }) { return "it belongs to \(elsewhere.pattern)" }
        return "known here: " + known.joined(separator: ", ")
    }

    // MARK: Finding

    /// Whether the object has a key, whatever stands behind it.
    func has(_ name: String) -> Bool {
        members.contains { $0.name == name }
    }

    private func field(_ name: String) -> ConfigurationField<ConfigurationValue>? {
        guard let member = members.first(where: { $0.name == name }) else { return nil }
        return .init(value: member.value, keyPath: path(name), position: member.value.position, report: report)
    }

    /// The table's entry. Asking for a setting that is not in it is a mistake in this program, which every test that reads a file finds.
    private func key(_ name: String) -> ConfigurationKey {
        let wanted = pattern.isEmpty ? name : pattern + "." + name
        guard let key = ConfigurationKey.named(wanted) else { preconditionFailure("\(wanted) is not in ConfigurationKey.all") }
        return key
    }

    private func mismatch(_ field: ConfigurationField<ConfigurationValue>, _ expected: String) {
        field.refuse("found \(field.value.kind)", "expected \(expected)")
    }

    // MARK: Plain values

    /// A string that is not empty and stands on one line.
    func text(_ name: String) -> ConfigurationField<String>? {
        guard let field = field(name) else { return nil }
        return line(in: field, expected: key(name).takes)
    }

    private func line(in field: ConfigurationField<ConfigurationValue>, expected: String) -> ConfigurationField<String>? {
        guard let text = text(in: field, expected: expected) else { return nil }
        guard text.value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            text.refuse("\(text.value.shown) has a control character", "expected \(expected)")
            return nil
        }
        return text
    }

    private func text(in field: ConfigurationField<ConfigurationValue>, expected: String) -> ConfigurationField<String>? {
        guard case .string(let text) = field.value.content else {
            mismatch(field, "\(expected), in quotes")
            return nil
        }
        guard !text.isEmpty else {
            field.refuse("is empty", "expected \(expected)")
            return nil
        }
        return field.with(text)
    }

    /// What a string stands for.
    func parsed<Parsed: ConfigurationText>(_ name: String, as type: Parsed.Type = Parsed.self) -> ConfigurationField<Parsed>? {
        text(name)?.parsed()
    }

    /// A list of strings; one string alone is not a list. What is wrong with one does not hide the others.
    func texts(_ name: String) -> [ConfigurationField<String>] {
        elements(name).compactMap { line(in: $0, expected: key(name).entryTakes) }
    }

    /// What a list of strings stands for.
    func parsedList<Parsed: ConfigurationText>(_ name: String, as type: Parsed.Type = Parsed.self) -> [ConfigurationField<Parsed>] {
        texts(name).compactMap { $0.parsed() }
    }

    private func elements(_ name: String) -> [ConfigurationField<ConfigurationValue>] {
        guard let field = field(name) else { return [] }
        guard case .array(let elements) = field.value.content else {
            mismatch(field, key(name).takes)
            return []
        }
        if elements.isEmpty, key(name).need.applies(to: reader.purpose) { field.refuse("is an empty list", "expected at least one entry") }
        return elements.enumerated().map { index, value in
            .init(value: value, keyPath: "\(field.keyPath)[\(index)]", position: value.position, report: report)
        }
    }

    /// `true` or `false`; the default when it is left out.
    func boolean(_ name: String, default fallback: Bool) -> Bool {
        guard let field = field(name) else { return fallback }
        guard case .boolean(let value) = field.value.content else {
            mismatch(field, "true or false, without quotes")
            return fallback
        }
        return value
    }

    /// A whole number in the table's range.
    func integer(_ name: String) -> Int? {
        guard let field = field(name), case .integer(let range) = key(name).kind else { return nil }
        guard case .number(let number) = field.value.content else {
            mismatch(field, key(name).takes)
            return nil
        }
        guard let value = Int(exactly: number), range.contains(value) else {
            field.refuse("is out of range", "expected \(key(name).takes)")
            return nil
        }
        return value
    }

    /// A duration in the table's range.
    func duration(_ name: String) -> Duration? {
        guard let field = field(name), case .duration(let range) = key(name).kind else { return nil }
        let expected = "\(key(name).takes), such as \"90s\", \"15m\", \"6h\" or \"3d\""
        guard let text = text(in: field, expected: expected) else { return nil }
        guard let value = Duration(settingText: text.value) else {
            text.refuse("\(text.value.shown) is not a duration", "expected \(expected)")
            return nil
        }
        guard range.contains(value) else {
            text.refuse("\(text.value.shown) is out of range", "expected \(key(name).takes)")
            return nil
        }
        return value
    }

    /// One of the table's words.
    func choice<Choice: RawRepresentable<String>>(_ name: String, default fallback: Choice) -> Choice {
        guard let text = text(name), case .choice(let words) = key(name).kind else { return fallback }
        guard words.contains(text.value), let choice = Choice(rawValue: text.value) else {
            let near = NearestName.find(text.value, in: words).map { "; did you mean \($0)?" } ?? ""
            text.refuse("\(text.value.shown) is not one of its words", "expected \(words.joined(separator: ", "))\(near)")
            return fallback
        }
        return choice
    }

    /// One string, or several by name.
    enum TextOrItems: Equatable {
        /// The string alone.
        case text(String)
        /// The members of an object.
        case items([String: String])
    }

    /// A string, or an object whose members are strings.
    func textOrItems(_ name: String) -> ConfigurationField<TextOrItems>? {
        guard let field = field(name) else { return nil }
        guard case .object(let members) = field.value.content else {
            return line(in: field, expected: key(name).takes).map { $0.with(.text($0.value)) }
        }
        var items: [String: String] = [:]
        for member in members {
            let item = ConfigurationField(
                value: member.value, keyPath: "\(field.keyPath).\(member.name.isPlainKey ? member.name : member.name.shown)",
                position: member.value.position, report: report)
            if items[member.name] != nil { item.refuse("is set twice", "keep one of the two") }
            items[member.name] = line(in: item, expected: key(name).entryTakes)?.value
        }
        return field.with(.items(items))
    }

    // MARK: References

    /// A string or what `env:` or `file:` leads to, as bytes; never shown in a problem.
    func reference(_ name: String) -> ConfigurationField<[UInt8]>? {
        guard let field = field(name), let text = text(in: field, expected: key(name).takes) else { return nil }
        return reader.resolve(text)
    }

    /// The same as text.
    func referencedText(_ name: String) -> ConfigurationField<String>? {
        reference(name).flatMap(Self.utf8)
    }

    /// The file that such a string leads to; nil when it leads elsewhere.
    func referencedFile(_ name: String) -> String? {
        guard case .string(let text) = field(name)?.value.content else { return nil }
        return reader.referencedFile(text)
    }

    /// A list of them.
    func references(_ name: String) -> [ConfigurationField<[UInt8]>] {
        elements(name).compactMap { text(in: $0, expected: key(name).entryTakes) }.compactMap(reader.resolve)
    }

    /// The same as texts.
    func referencedTexts(_ name: String) -> [ConfigurationField<String>] {
        references(name).compactMap(Self.utf8)
    }

    private static func utf8(_ field: ConfigurationField<[UInt8]>) -> ConfigurationField<String>? {
        guard let text = String(validating: field.value, as: UTF8.self), !text.utf8.contains(0) else {
            field.refuse("leads to something that is not text", "expected UTF-8")
            return nil
        }
        return field.with(text)
    }

    // MARK: Objects

    /// An object.
    func section(_ name: String) -> ConfigurationSection? {
        guard let field = field(name) else { return nil }
        return .init(field.value, keyPath: field.keyPath, pattern: key(name).pattern, report: report, reader: reader)
    }

    /// A list of objects.
    func sections(_ name: String) -> [ConfigurationSection] {
        elements(name).compactMap {
            .init($0.value, keyPath: $0.keyPath, pattern: key(name).pattern + "[]", report: report, reader: reader)
        }
    }

    /// One object or a list of them.
    func sectionOrSections(_ name: String) -> [ConfigurationSection] {
        guard let field = field(name) else { return [] }
        switch field.value.content {
        case .array: break
        case .object: return section(name).map { [$0] } ?? []
        default:
            mismatch(field, key(name).takes)
            return []
        }
        return elements(name).compactMap {
            .init($0.value, keyPath: $0.keyPath, pattern: key(name).pattern, report: report, reader: reader)
        }
    }
}

extension ConfigurationKey.Need {
    fileprivate func applies(to purpose: ConfigurationReader.Purpose) -> Bool {
        switch (self, purpose) {
        case (.optional, _), (.serve, .dev): false
        case (.always, _), (.serve, .serve): true
        }
    }
}

extension String {
    /// Whether it can stand in a key path as it is.
    fileprivate var isPlainKey: Bool {
        (1...40).contains(utf8.count)
            && unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || (0x30...0x39).contains($0.value) || "_$-".unicodeScalars.contains($0))
            }
    }
}
