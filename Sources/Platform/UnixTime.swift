/// A moment as milliseconds since 1970-01-01T00:00:00Z, leap seconds ignored.
public struct UnixTime: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// Makes a moment from milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Makes a moment from whole seconds since 1970.
    public init(seconds: Int64) {
        self.milliseconds = seconds * 1000
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds.flooringDivision(by: 1000) }

    /// The earlier moment sorts first.
    public static func < (left: UnixTime, right: UnixTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment `duration` later, to the millisecond.
    public static func + (time: UnixTime, duration: Duration) -> UnixTime {
        UnixTime(milliseconds: time.milliseconds + duration.wholeMilliseconds)
    }

    /// The moment `duration` earlier, to the millisecond.
    public static func - (time: UnixTime, duration: Duration) -> UnixTime {
        UnixTime(milliseconds: time.milliseconds - duration.wholeMilliseconds)
    }

    /// The time between two moments; negative when `earlier` is later.
    public static func - (time: UnixTime, earlier: UnixTime) -> Duration {
        .milliseconds(time.milliseconds - earlier.milliseconds)
    }
}

extension UnixTime: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds, such as `2026-11-30T22:27:56.000Z`.
    public var description: String {
        let parts = CalendarDate(daysSince1970: milliseconds.flooringDivision(by: 86_400_000))
        let ofDay = milliseconds - milliseconds.flooringDivision(by: 86_400_000) * 86_400_000
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))T"
            + "\(padded(ofDay / 3_600_000, 2)):\(padded(ofDay / 60_000 % 60, 2)):\(padded(ofDay / 1000 % 60, 2)).\(padded(ofDay % 1000, 3))Z"
    }
}

extension Int64 {
    fileprivate func flooringDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
