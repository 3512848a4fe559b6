internal import Platform

/// Pieces are put in while parsing: a parsed template holds only literals, values and sections, whatever it was written with.
extension TemplateParser {
    mutating func openPiece(_ name: String, at offset: Int) {
        let piece = pieces[name]
        if piece == nil {
            let hint = NearestName.find(name, in: pieces.keys.sorted()).map { "; did you mean '\($0)'?" } ?? ""
            fail(offset, "there is no piece '\(name)'" + hint)
        } else if kind == .html, html.place.state != .text {
            fail(offset, "a piece cannot stand inside a tag, a comment or a raw text element")
        }
        // An unknown name still opens, so that its closing tag is not a second mistake.
        open.append(Open(name: name, piece: piece, segment: segments.count, offset: offset, html: html, isPiece: true))
        if let piece, let content = piece.segments.firstIndex(of: .content) { put(piece, 0..<content, at: offset) }
    }

    /// Puts in what stands behind the content, and mends the sections around it, which had no end until now.
    mutating func close(_ open: Open) {
        guard let piece = open.piece, let content = piece.segments.firstIndex(of: .content) else { return }
        let tail = segments.count - (content + 1)
        put(piece, content + 1..<piece.segments.count, at: open.offset)
        for (index, segment) in piece.segments[..<content].enumerated() {
            guard case .section(_, _, let end) = segment, end > content else { continue }
            guard case .section(let slot, let isInverted, _) = segments[open.segment + index] else { continue }
            segments[open.segment + index] = .section(slot: slot, isInverted: isInverted, end: tail + end)
        }
    }

    private mutating func put(_ piece: Template, _ range: Range<Int>, at offset: Int) {
        let shift = segments.count - range.lowerBound
        for segment in piece.segments[range] {
            switch segment {
            case .literal, .content:
                segments.append(segment)
            case .value(let slot, let place):
                if let slot = self.slot(piece.names[slot], at: offset) { segments.append(.value(slot: slot, place: place)) }
            case .section(let slot, let isInverted, let end):
                let slot = self.slot(piece.names[slot], at: offset) ?? 0
                segments.append(.section(slot: slot, isInverted: isInverted, end: end + shift))
            }
        }
    }
}
