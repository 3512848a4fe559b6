import FoundationEssentials
import HTTP

/// One case as a file: what a client sends, a line of dashes, what it must get; several such pairs with a line of equals signs between.
///
/// ```
/// # What the case is about.
/// setup: serve
///
/// > wait 1h
/// POST /v1/accounts:lookup?key=example-web-key
/// Content-Type: application/json
///
/// {"idToken":"{{token}}"}
/// -----
/// 200
/// Content-Type: application/json
/// !Location
///
/// {"kind":"identitytoolkit#GetAccountInfoResponse","users":[<any>]}
/// ```
///
/// A line `> …` does something before the request (see `FixtureWorld.perform`). `{{name}}` is replaced by what was kept under that name.
/// A response line `400 !CODE` stands for the whole ordinary error envelope of wire-contract.md §2. `!Name` says that a field is absent.
/// Without a body the body is not looked at; `<empty>` means that there must be none; lines `~ text` and `!~ text` say what is in it and
/// what is not. Holes like `<string:name>` are those of `TextPattern`.
struct FixtureFile: CustomStringConvertible, Sendable {
    struct Step: Sendable {
        var actions: [String] = []
        var method = "GET"
        var target = "/"
        var headers: [(String, String)] = []
        var body: String?
        var status = 200
        var errorCode: String?
        var expectedHeaders: [(String, String)] = []
        var absentHeaders: [String] = []
        var expectedBody: String?
        var line = 0
    }

    struct Malformed: Error, CustomStringConvertible {
        var description: String
    }

    let name: String
    var setup = ""
    var steps: [Step] = []

    var description: String { name }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// Every case of the folder, by name.
    static func all() throws -> [FixtureFile] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".http") }.sorted().map { name in
            let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            return try FixtureFile(name: String(name.dropLast(5)), text: text)
        }
    }

    init(name: String, text: String) throws {
        self.name = name
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        var number = 0
        while number < lines.count, lines[number].hasPrefix("#") || lines[number].isEmpty || lines[number].hasPrefix("setup:") {
            if lines[number].hasPrefix("setup:") {
                setup = String(lines[number].dropFirst(6)).trimmingPrefix(while: { $0 == " " }).description
            }
            number += 1
        }
        guard !setup.isEmpty else { throw Malformed(description: "\(name): there is no setup line") }
        var first = number
        for (index, line) in lines.enumerated().dropFirst(number) where line == "=====" {
            steps.append(try Self.step(Array(lines[first..<index]), name: name, line: first + 1))
            first = index + 1
        }
        steps.append(try Self.step(Array(lines[first...]), name: name, line: first + 1))
    }

    private static func step(_ lines: [String], name: String, line: Int) throws -> Step {
        guard let dashes = lines.firstIndex(of: "-----") else {
            throw Malformed(description: "\(name):\(line): no line of dashes")
        }
        var step = Step()
        step.line = line
        var request = lines[..<dashes].drop { $0.isEmpty || $0.hasPrefix("#") }
        while let action = request.first, action.hasPrefix(">") || action.hasPrefix("#") || action.isEmpty {
            if action.hasPrefix(">") { step.actions.append(String(action.dropFirst(2))) }
            request.removeFirst()
        }
        let words = (request.popFirst() ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { throw Malformed(description: "\(name):\(line): no request line") }
        step.method = String(words[0])
        step.target = String(words[1])
        for field in request.prefix(while: { !$0.isEmpty }) { step.headers.append(try pair(field, name)) }
        step.body = body(request.drop { !$0.isEmpty })

        var response = lines[(dashes + 1)...]
        let status = (response.popFirst() ?? "").split(separator: " ", maxSplits: 1)
        guard let code = status.first.flatMap({ Int($0) }) else { throw Malformed(description: "\(name):\(line): no status") }
        step.status = code
        if status.count == 2 { step.errorCode = String(status[1].dropFirst()) }
        for field in response.prefix(while: { !$0.isEmpty }) {
            if field.hasPrefix("!") {
                step.absentHeaders.append(String(field.dropFirst()))
            } else {
                step.expectedHeaders.append(try pair(field, name))
            }
        }
        step.expectedBody = body(response.drop { !$0.isEmpty })
        return step
    }

    private static func pair(_ field: String, _ name: String) throws -> (String, String) {
        guard let colon = field.firstIndex(of: ":") else { throw Malformed(description: "\(name): \"\(field)\" is no header field") }
        return (String(field[..<colon]), String(field[field.index(after: colon)...].drop { $0 == " " }))
    }

    private static func body(_ lines: ArraySlice<String>) -> String? {
        var lines = lines.dropFirst()
        while lines.last == "" { lines.removeLast() }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func trimmingPrefix(while predicate: (Character) -> Bool) -> Substring { drop(while: predicate) }
}
