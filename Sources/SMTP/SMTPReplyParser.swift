/// Cuts what a mail server sends into replies (RFC 5321 §4.2.1), with a bound on everything that the server chooses.
struct SMTPReplyParser: Sendable {
    /// The longest line, without its end, in bytes. RFC 5321 §4.5.3.1.5 promises 512 with it; real servers send more.
    static let lineLimit = 2048
    /// The most lines that one reply may have.
    static let lineCountLimit = 100

    /// What was received and not yet cut: `buffer[start...]`.
    private var buffer: [UInt8] = []
    private var start = 0
    /// The lines so far of a reply whose last line has not come.
    private var code: Int?
    private var text: [UInt8] = []
    private var lineCount = 0

    /// Whether nothing waits in here, neither a whole reply nor part of one.
    var isEmpty: Bool { start == buffer.count && code == nil }

    /// How many bytes are kept, read ones included; at most a few lines.
    var storedByteCount: Int { buffer.count }

    /// Takes what was received.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > Self.lineLimit {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole reply, or nil when its end has not come yet.
    mutating func next() throws(Malformed) -> SMTPReply? {
        while true {
            guard let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) else {
                guard buffer.count - start <= Self.lineLimit + 1 else { throw .lineTooLong }
                return nil
            }
            var line = buffer[start..<end]
            start = end + 1
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard line.count <= Self.lineLimit else { throw .lineTooLong }
            if let reply = try take(line) { return reply }
        }
    }

    /// Adds a line to the reply; gives the reply when the line is its last.
    private mutating func take(_ line: ArraySlice<UInt8>) throws(Malformed) -> SMTPReply? {
        let first = line.startIndex
        guard line.count >= 3, (0x32...0x35).contains(line[first]), (0x30...0x35).contains(line[first + 1]),
            (0x30...0x39).contains(line[first + 2])
        else { throw .noCode }
        let lineCode = Int(line[first] - 0x30) * 100 + Int(line[first + 1] - 0x30) * 10 + Int(line[first + 2] - 0x30)
        // The code alone is a whole last line (RFC 5321 §4.2: clients should take it).
        let separator = line.count == 3 ? UInt8(ascii: " ") : line[first + 3]
        guard separator == UInt8(ascii: " ") || separator == UInt8(ascii: "-") else { throw .noCode }
        if let code, code != lineCode { throw .codesDiffer }
        lineCount += 1
        guard lineCount <= Self.lineCountLimit else { throw .tooManyLines }
        if code != nil { text.append(UInt8(ascii: "\n")) }
        text.append(contentsOf: line.dropFirst(4))
        guard separator == UInt8(ascii: " ") else {
            code = lineCode
            return nil
        }
        defer {
            code = nil
            text = []
            lineCount = 0
        }
        return SMTPReply(code: lineCode, text: text)
    }

    /// What is wrong with a reply; the connection cannot be used any more, since nobody knows where the next one begins.
    enum Malformed: Error, Equatable {
        /// A line that does not begin with a reply code and a blank or hyphen.
        case noCode
        /// The lines of one reply have different codes.
        case codesDiffer
        /// A line over `lineLimit`.
        case lineTooLong
        /// A reply over `lineCountLimit`.
        case tooManyLines

        /// For people and logs.
        var sentence: String {
            switch self {
            case .noCode: "a reply without a reply code"
            case .codesDiffer: "a reply whose lines have different codes"
            case .lineTooLong: "a reply line of more than \(SMTPReplyParser.lineLimit) bytes"
            case .tooManyLines: "a reply of more than \(SMTPReplyParser.lineCountLimit) lines"
            }
        }
    }
}
