/// A day of the proleptic Gregorian calendar in UTC.
public struct CalendarDate: Sendable, Hashable {
    /// The year, such as 2026.
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// 1 to 31.
    public let day: Int64
    /// 0 is Sunday, 6 is Saturday.
    public let weekday: Int64

    /// The day that lies `days` after 1970-01-01. Counted in eras of 400 years that begin in March, so that the leap day comes last.
    public init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
        let fromSunday = (days + 4) % 7
        self.weekday = fromSunday >= 0 ? fromSunday : fromSunday + 7
    }
}
