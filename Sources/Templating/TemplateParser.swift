internal import Platform

/// Turns a template's source into segments, in one pass; goes on after a mistake where it can, to report several at once.
struct TemplateParser {
    let kind: TemplateKind
    let source: [UInt8]
    private let file: String
    private let variables: Set<String>
    private let role: TemplateRole
    let pieces: [String: Template]

    var segments: [TemplateSegment] = []
    private(set) var names: [String] = []
    private(set) var errors: [TemplateError] = []

    /// A section or a piece that waits for its closing tag.
    struct Open {
        let name: String
        /// For a piece, how it is made; nil for sections and for pieces that there are not.
        var piece: Template?
        let segment: Int
        let offset: Int
        let html: HTMLContext
        let isPiece: Bool
    }

    /// Past this many, a file is not a template with mistakes but something else.
    private static let mostErrors = 50
    /// The name that stands for the mail's body in a layout.
    private static let content = "content"

    private var slots: [String: Int] = [:]
    var open: [Open] = []
    private(set) var html = HTMLContext()
    private var literalStart = 0
    private var hasContent = false

    init(
        _ source: String, kind: TemplateKind, file: String, variables: Set<String>, role: TemplateRole = .body,
        pieces: [String: Template] = [:]
    ) {
        self.kind = kind
        self.source = Array(source.utf8)
        self.file = file
        self.variables = variables
        self.role = role
        self.pieces = pieces
    }

    mutating func parse() {
        var index = 0
        while errors.count < Self.mostErrors, let start = opening(from: index) {
            index = source[start] == UInt8(ascii: "%") ? placeholder(at: start) : tag(at: start)
        }
        literal(upTo: source.count)
        for section in open {
            fail(section.offset, "the \(section.isPiece ? "piece" : "section") '\(section.name)' is never closed")
        }
        if kind == .html, html.place != HTMLContext.Place() {
            fail(source.count, "the file ends inside a tag, a comment or a raw text element")
        }
        if role.holdsContent, !hasContent {
            fail(0, "\(role.name) needs '{{content}}'")
        }
        errors.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Where the next tag or placeholder begins.
    private func opening(from start: Int) -> Int? {
        var index = start
        while index + 1 < source.count {
            switch source[index] {
            case UInt8(ascii: "{") where source[index + 1] == UInt8(ascii: "{"): return index
            case UInt8(ascii: "%"):
                if let found = FirebasePlaceholder.find(in: source, at: index), variables.contains(found.variable) { return index }
            default: break
            }
            index += 1
        }
        return nil
    }

    private mutating func placeholder(at start: Int) -> Int {
        guard let (variable, length) = FirebasePlaceholder.find(in: source, at: start) else { return start + 1 }
        literal(upTo: start)
        literalStart = start + length
        insertion(variable, at: start)
        return start + length
    }

    /// Reads the tag that begins at `start`; returns where to go on.
    private mutating func tag(at start: Int) -> Int {
        let inside = start + 2
        guard let close = pair(of: "}", from: inside) else {
            fail(start, "this '{{' is never closed")
            literal(upTo: start)
            literalStart = source.count
            return source.count
        }
        let after = close + 2
        let sigil = source[inside]
        if sigil == UInt8(ascii: "!") {
            bare(from: start, to: after)
            return after
        }
        // Everything but a comment must not hold a further opening.
        if let next = pair(of: "{", from: inside), next > inside, next < close {
            fail(start, "this '{{' is never closed")
            literal(upTo: start)
            literalStart = next
            return next
        }
        switch sigil {
        case UInt8(ascii: "#"), UInt8(ascii: "^"):
            bare(from: start, to: after)
            if let name = name(in: inside + 1..<close, tag: start) {
                openSection(name, isInverted: sigil == UInt8(ascii: "^"), at: start)
            }
        case UInt8(ascii: ">"):
            bare(from: start, to: after)
            if let name = name(in: inside + 1..<close, tag: start) { openPiece(name, at: start) }
        case UInt8(ascii: "/"):
            bare(from: start, to: after)
            if let name = name(in: inside + 1..<close, tag: start) { closeSection(name, at: start) }
        case UInt8(ascii: "{"), UInt8(ascii: "&"):
            literal(upTo: start)
            literalStart = after
            fail(start, "a value cannot be inserted unescaped")
        default:
            literal(upTo: start)
            literalStart = after
            if let name = name(in: inside..<close, tag: start) { insertion(name, at: start) }
        }
        return after
    }

    private mutating func insertion(_ name: String, at offset: Int) {
        guard name == Self.content else {
            guard let slot = slot(name, at: offset) else { return }
            var place = ValuePlace.plain
            if kind == .html {
                switch html.valuePlace(for: name) {
                case .success(let found): place = found
                case .failure(let refusal): fail(offset, refusal.reason)
                }
            }
            segments.append(.value(slot: slot, place: place))
            return
        }
        if !role.holdsContent {
            fail(offset, "'content' can be used in a layout or a piece only")
        } else if hasContent {
            fail(offset, "\(role.name) holds '{{content}}' only once")
        } else if role == .layout, !open.isEmpty {
            fail(offset, "'{{content}}' cannot stand in a section")
        } else if kind == .html, html.place.state != .text {
            fail(offset, "'{{content}}' cannot stand inside a tag, a comment or a raw text element")
        }
        hasContent = true
        segments.append(.content)
    }

    private mutating func openSection(_ name: String, isInverted: Bool, at offset: Int) {
        // An unknown name still opens, so that its closing tag is not a second mistake.
        let slot = slot(name, at: offset) ?? 0
        open.append(Open(name: name, segment: segments.count, offset: offset, html: html, isPiece: false))
        segments.append(.section(slot: slot, isInverted: isInverted, end: 0))
    }

    private mutating func closeSection(_ name: String, at offset: Int) {
        guard let section = open.last else {
            fail(offset, "'{{/\(name)}}' closes nothing")
            return
        }
        guard section.name == name else {
            fail(offset, "'{{/\(name)}}' stands where '{{/\(section.name)}}' is due, opened on line \(line(of: section.offset))")
            // Take it for the end of what it most likely ends, so that one slip is one mistake.
            if let outer = open.lastIndex(where: { $0.name == name }) {
                open.removeSubrange(outer...)
            } else if NearestName.find(name, in: [section.name]) != nil {
                open.removeLast()
            }
            return
        }
        open.removeLast()
        if section.isPiece {
            close(section)
        } else if case .section(let slot, let isInverted, _) = segments[section.segment] {
            segments[section.segment] = .section(slot: slot, isInverted: isInverted, end: segments.count)
        }
        guard kind == .html else { return }
        if section.html.place != html.place {
            fail(offset, "the \(section.isPiece ? "piece" : "section") '\(name)' must begin and end in the same place of the markup")
        }
        // The inside may be skipped, so what it decided does not count.
        html.isSchemeDecided = section.html.isSchemeDecided
    }

    // MARK: Names

    private mutating func name(in range: Range<Int>, tag: Int) -> String? {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let trimmed = source[range].drop(while: blank)
        let bytes = trimmed.prefix((trimmed.lastIndex { !blank($0) } ?? trimmed.startIndex - 1) - trimmed.startIndex + 1)
        guard let first = bytes.first else {
            fail(tag, "a name is missing")
            return nil
        }
        guard first.isASCIILetter, bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }) else {
            fail(tag, "a name is a letter, then letters, digits and '_'")
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func slot(_ name: String, at offset: Int) -> Int? {
        if let slot = slots[name] { return slot }
        if name == Self.content {
            fail(offset, "'content' cannot be a section")
            return nil
        }
        guard variables.contains(name) else {
            let hint =
                NearestName.find(name, in: (role.holdsContent ? variables.union([Self.content]) : variables).sorted()).map {
                    "; did you mean '\($0)'?"
                } ?? ""
            fail(offset, "unknown variable '\(name)'" + hint)
            return nil
        }
        slots[name] = names.count
        names.append(name)
        return names.count - 1
    }

    // MARK: Literal text

    private mutating func literal(upTo end: Int) {
        guard literalStart < end else { return }
        let bytes = source[literalStart..<end]
        literalStart = end
        if kind == .html { html.advance(over: bytes) }
        segments.append(.literal(kind == .subject ? bytes.onOneLine : Array(bytes)))
    }

    /// Ends the literal before a tag that shows nothing by itself; takes the whole line when the tag is alone on it.
    private mutating func bare(from start: Int, to end: Int) {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var lineStart = start
        while lineStart > 0, isBlank(source[lineStart - 1]) { lineStart -= 1 }
        var lineEnd = end
        while lineEnd < source.count, isBlank(source[lineEnd]) { lineEnd += 1 }
        if lineEnd + 1 < source.count, source[lineEnd] == UInt8(ascii: "\r"), source[lineEnd + 1] == UInt8(ascii: "\n") { lineEnd += 1 }

        let isAlone =
            (lineStart == 0 || source[lineStart - 1] == UInt8(ascii: "\n"))
            && (lineEnd == source.count || source[lineEnd] == UInt8(ascii: "\n"))
        literal(upTo: isAlone ? lineStart : start)
        literalStart = isAlone ? min(lineEnd + 1, source.count) : end
    }

    private func pair(of brace: Unicode.Scalar, from start: Int) -> Int? {
        let byte = UInt8(ascii: brace)
        var index = start
        while index + 1 < source.count {
            if source[index] == byte, source[index + 1] == byte { return index }
            index += 1
        }
        return nil
    }

    // MARK: Errors

    private func line(of offset: Int) -> Int {
        source[..<offset].reduce(into: 1) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
    }

    mutating func fail(_ offset: Int, _ reason: String) {
        guard errors.count < Self.mostErrors else { return }
        let start = source[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        var end = source[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
        if end > start, source[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        errors.append(
            TemplateError(
                file: file, line: line(of: offset), column: String(decoding: source[start..<offset], as: UTF8.self).count + 1,
                lineText: String(decoding: source[start..<end], as: UTF8.self), reason: reason))
    }
}

extension ArraySlice<UInt8> {
    /// Each run of CR, LF and TAB as one space.
    fileprivate var onOneLine: [UInt8] {
        var result: [UInt8] = []
        var afterBreak = false
        for byte in self {
            let isBreak = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
            if !isBreak { result.append(byte) } else if !afterBreak { result.append(UInt8(ascii: " ")) }
            afterBreak = isBreak
        }
        return result
    }
}
