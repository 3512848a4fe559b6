internal import Mail

/// One reply of a mail server, of one line or several (RFC 5321 §4.2).
struct SMTPReply: Sendable, Equatable {
    /// The three digits, 200 to 559.
    let code: Int
    /// What stands behind the code on each line; lines are joined by a line feed.
    let text: [UInt8]

    /// The hundreds: 2 done, 3 go on, 4 not now, 5 not at all.
    var kind: Int { code / 100 }

    /// The text, line by line.
    var lines: [ArraySlice<UInt8>] { text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) }

    /// The enhanced status code such as `5.1.1` at the head of the text, if there is one (RFC 2034 §4).
    var status: EnhancedStatus? { EnhancedStatus.leading(text[...])?.status }

    /// Code and text in one printable line of at most 500 characters, for people and for the outbox.
    ///
    /// A status code that the server repeats on every line is kept once. Control characters and those that change the direction of writing
    /// are removed, since the text comes from outside and ends up on terminals and pages.
    var summary: String {
        var result = String(code)
        var first: EnhancedStatus?
        for line in lines {
            var rest = line
            if let (status, length) = EnhancedStatus.leading(line) {
                if first == status { rest = line.dropFirst(length) }
                if first == nil { first = status }
            }
            for word in String(printable: rest).split(separator: " ") { result += " " + word }
        }
        return String(result.prefix(500))
    }
}
