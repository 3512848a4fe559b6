internal import Glibc

/// Writes log lines: a constant message and facts beside it, as JSON or as text, one line each.
///
/// Nothing that a client sent is ever part of the message, and no address, code, token or key is given above `debug`.
public struct Logger: Sendable {
    /// How a line looks.
    public enum Format: String, Sendable, CaseIterable {
        /// One JSON object a line.
        case json
        /// `time LEVEL message key=value`.
        case text
    }

    private let level: LogLevel
    private let format: Format
    private let clock: WallClock
    private let sink: @Sendable (String) -> Void
    private let metadata: [(String, String)]

    /// Makes a logger. `sink` gets whole lines without the line break; the default writes to standard error.
    public init(
        level: LogLevel, format: Format, clock: WallClock = .system, sink: @escaping @Sendable (String) -> Void = Logger.standardError
    ) {
        self.init(level: level, format: format, clock: clock, sink: sink, metadata: [])
    }

    private init(
        level: LogLevel, format: Format, clock: WallClock, sink: @escaping @Sendable (String) -> Void, metadata: [(String, String)]
    ) {
        self.level = level
        self.format = format
        self.clock = clock
        self.sink = sink
        self.metadata = metadata
    }

    /// A logger that writes nothing.
    public static let silent = Logger(level: .error, format: .text, sink: { _ in })

    /// The same logger with a fact that every line carries, such as the request id.
    public func with(_ key: String, _ value: String) -> Logger {
        Logger(level: level, format: format, clock: clock, sink: sink, metadata: metadata + [(key, value)])
    }

    /// Writes a line when `lineLevel` is at least the logger's level. `facts` is evaluated only then.
    public func log(_ lineLevel: LogLevel, _ message: StaticString, _ facts: @autoclosure () -> [(String, String)] = []) {
        guard lineLevel >= level else { return }
        let all = metadata + facts()
        switch format {
        case .json:
            var line = "{\"time\":\"\(clock.now())\",\"level\":\"\(lineLevel.rawValue)\",\"message\":\(Self.quoted("\(message)"))"
            for (key, value) in all { line += ",\(Self.quoted(key)):\(Self.quoted(value))" }
            sink(line + "}")
        case .text:
            let facts = all.map { " \($0.0)=\(Self.needsQuotes($0.1) ? Self.quoted($0.1) : $0.1)" }.joined()
            sink("\(clock.now()) \(lineLevel.rawValue.uppercased()) \(message)\(facts)")
        }
    }

    /// Writes at `debug`.
    public func debug(_ message: StaticString, _ facts: @autoclosure () -> [(String, String)] = []) { log(.debug, message, facts()) }
    /// Writes at `info`.
    public func info(_ message: StaticString, _ facts: @autoclosure () -> [(String, String)] = []) { log(.info, message, facts()) }
    /// Writes at `warning`.
    public func warning(_ message: StaticString, _ facts: @autoclosure () -> [(String, String)] = []) { log(.warning, message, facts()) }
    /// Writes at `error`.
    public func error(_ message: StaticString, _ facts: @autoclosure () -> [(String, String)] = []) { log(.error, message, facts()) }

    /// Writes a line to standard error in one system call, so that lines of several threads do not mix.
    public static let standardError: @Sendable (String) -> Void = { line in
        var bytes = Array(line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }

    private static func needsQuotes(_ value: String) -> Bool {
        value.isEmpty || value.unicodeScalars.contains { $0.value <= 0x20 || $0 == "\"" || $0 == "=" || $0.value > 0x7E }
    }

    /// A JSON string, which also keeps line breaks and control characters out of text lines.
    private static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029 {
                    let hex = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
