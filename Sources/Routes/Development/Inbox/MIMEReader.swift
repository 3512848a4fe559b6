/// Reads what people see of a message: its header fields, its text and its HTML (RFC 2045 to 2047).
///
/// Never fails: a broken message still shows, as text. Takes time in proportion to the message, and bounded stack.
struct MIMEReader {
    /// The fields of the message itself, unfolded and decoded.
    let headers: [CaughtMail.Header]
    /// The first text/plain part, with LF line ends.
    private(set) var text: String?
    /// The first text/html part, with LF line ends.
    private(set) var html: String?

    /// How deep parts are followed into parts; what lies deeper is not shown.
    static let deepest = 8

    init(_ bytes: [UInt8]) {
        let entity = MIMEEntity(bytes[...])
        headers = entity.fields.map { CaughtMail.Header(name: $0.name, value: EncodedWords.decode($0.value)) }
        read(entity, depth: 0)
        if text == nil && html == nil { text = Charset.unknown.text(Self.withLineFeeds(Array(entity.body))) }
    }

    private mutating func read(_ entity: MIMEEntity, depth: Int) {
        let type = ContentType(entity.field("content-type"))
        if type.name.hasPrefix("multipart/"), let boundary = type["boundary"], !boundary.isEmpty {
            guard depth < Self.deepest else { return }
            for part in Self.parts(of: entity.body, boundary: Array("--".utf8) + Array(boundary.utf8)) {
                read(MIMEEntity(part), depth: depth + 1)
            }
            return
        }
        let disposition = entity.field("content-disposition") ?? []
        guard !String(decoding: disposition.prefix(10), as: UTF8.self).lowercased().hasPrefix("attachment") else { return }
        switch type.name {
        case "text/plain" where text == nil: text = Self.content(entity, type)
        case "text/html" where html == nil: html = Self.content(entity, type)
        default: break
        }
    }

    private static func content(_ entity: MIMEEntity, _ type: ContentType) -> String {
        let encoding = String(decoding: entity.field("content-transfer-encoding") ?? [], as: UTF8.self).lowercased()
        let bytes = TransferDecoding.decode(entity.body, encoding: encoding)
        return Charset(type["charset"]).text(withLineFeeds(bytes))
    }

    /// What lies between the lines that begin with `delimiter`. The line end before such a line belongs to it (RFC 2046 §5.1.1); a missing
    /// last one is no harm.
    private static func parts(of body: ArraySlice<UInt8>, boundary delimiter: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        // Where the part ends if the next line is a delimiter.
        var end = body.startIndex
        var rest = body
        while !rest.isEmpty {
            let line = MIMEEntity.line(of: rest)
            if line.content.starts(with: delimiter) {
                let tail = line.content.dropFirst(delimiter.count)
                let isLast = tail.starts(with: "--".utf8)
                if isLast || tail.trimmingBlanks().isEmpty {
                    if let start { parts.append(body[start..<max(start, end)]) }
                    start = isLast ? nil : line.end
                    if isLast { break }
                }
            }
            end = line.content.endIndex
            rest = rest[line.end...]
        }
        if let start { parts.append(body[start...]) }
        return parts
    }

    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            result.append(byte)
        }
        return result
    }
}
