import FoundationEssentials
import Platform
import Synchronization
import Testing

@Suite struct LoggerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()

    private func logger(_ format: Logger.Format, _ level: LogLevel = .debug) -> Logger {
        Logger(level: level, format: format, clock: WallClock { UnixTime(seconds: 0) }) { [lines] line in
            lines.all.withLock { $0.append(line) }
        }
    }

    private var written: [String] { lines.all.withLock { $0 } }

    @Test func writesText() {
        let log = logger(.text)
        log.info("started")
        log.with("request", "r1").warning("odd", [("path", "/a b"), ("empty", ""), ("n", "1")])
        #expect(
            written == [
                "1970-01-01T00:00:00.000Z INFO started", #"1970-01-01T00:00:00.000Z WARNING odd request=r1 path="/a b" empty="" n=1"#,
            ])
    }

    @Test func writesJSON() {
        logger(.json).with("request", "r1").error("broke", [("cause", "x=\"1\"")])
        #expect(
            written == [
                #"{"time":"1970-01-01T00:00:00.000Z","level":"error","message":"broke","request":"r1","cause":"x=\"1\""}"#
            ])
    }

    private static let hostile = [
        "a\nb", "a\r\nb", "\"", "\\", "\\\"", "a=b", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{9B}0m", "\u{2028}", "\u{2029}",
        "\u{202E}gnp.exe", "e\u{301}", "{\"time\":\"x\"}", "\t", "1970-01-01T00:00:00.000Z ERROR forged",
    ]

    @Test(arguments: hostile) func aValueCannotForgeALine(_ value: String) throws {
        logger(.text).info("got", [("value", value)])
        logger(.json).info("got", [("value", value), (value, "key")])
        #expect(written.count == 2)
        for line in written {
            for scalar in line.unicodeScalars {
                #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x2028 && scalar.value != 0x2029)
            }
        }
        #expect(written[0].hasPrefix("1970-01-01T00:00:00.000Z INFO got value="))
        let object = try JSONDecoder().decode([String: String].self, from: Data(written[1].utf8))
        #expect(object["value"] == value)
        #expect(object["message"] == "got")
    }

    @Test(arguments: LogLevel.allCases) func writesItsLevelAndAbove(_ level: LogLevel) {
        let log = logger(.text, level)
        log.debug("a")
        log.info("b")
        log.warning("c")
        log.error("d")
        let expected: [LogLevel: Int] = [.debug: 4, .info: 3, .warning: 2, .error: 1]
        #expect(written.count == expected[level])
    }

    @Test func factsOfALineThatIsNotWrittenAreNotMade() {
        func fact() -> [(String, String)] {
            Issue.record("made for nothing")
            return []
        }
        logger(.text, .error).warning("x", fact())
        Logger.silent.warning("x", fact())
    }

    @Test func levelsAreOrdered() {
        #expect(LogLevel.allCases.sorted() == [.debug, .info, .warning, .error])
    }
}
