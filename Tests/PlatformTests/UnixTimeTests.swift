import Platform
import Testing

@Suite struct UnixTimeTests {
    private static let moments: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (-1000, "1969-12-31T23:59:59.000Z"), (-86_400_000, "1969-12-31T00:00:00.000Z"), (-86_400_001, "1969-12-30T23:59:59.999Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
        (1_740_700_800_000, "2025-02-28T00:00:00.000Z"), (1_740_787_200_000, "2025-03-01T00:00:00.000Z"),
        (1_796_077_676_123, "2026-11-30T22:27:56.123Z"), (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: moments) func describesItself(_ milliseconds: Int64, _ expected: String) {
        #expect(UnixTime(milliseconds: milliseconds).description == expected)
    }

    @Test(arguments: [(0, 0), (999, 0), (1000, 1), (-1, -1), (-999, -1), (-1000, -1), (-1001, -2)] as [(Int64, Int64)])
    func secondsAreRoundedDown(_ milliseconds: Int64, _ seconds: Int64) {
        #expect(UnixTime(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func arithmetic() {
        let time = UnixTime(seconds: 10)
        #expect(time + .milliseconds(1500) == UnixTime(milliseconds: 11_500))
        #expect(time - .seconds(11) == UnixTime(milliseconds: -1000))
        #expect(UnixTime(seconds: 3) - time == .seconds(-7))
        #expect(time < time + .milliseconds(1))
        #expect(time + .microseconds(999) == time, "to the millisecond")
    }

    @Test func durationsInOtherUnits() {
        #expect(Duration.milliseconds(-1500).wholeMilliseconds == -1500)
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(250).fractionalSeconds == 0.25)
    }

    @Test func theSystemClockRuns() {
        let first = WallClock.system.now()
        #expect(first > UnixTime(seconds: 1_700_000_000))
        #expect(WallClock.system.now() >= first)
    }
}
