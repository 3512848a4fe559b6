import Platform
import Testing

@Suite struct CalendarDateTests {
    @Test(
        arguments: [
            (0, "1970-1-1", 4), (-1, "1969-12-31", 3), (-5, "1969-12-27", 6), (59, "1970-3-1", 0), (11_016, "2000-2-29", 2),
            (11_017, "2000-3-1", 3), (19_782, "2024-2-29", 4), (47_540, "2100-2-28", 0), (47_541, "2100-3-1", 1), (-25_509, "1900-2-28", 3),
            (-25_508, "1900-3-1", 4), (-719_468, "0-3-1", 3), (-719_469, "0-2-29", 2),
        ] as [(Int64, String, Int64)]) func date(_ days: Int64, _ text: String, _ weekday: Int64)
    {
        let date = CalendarDate(daysSince1970: days)
        #expect("\(date.year)-\(date.month)-\(date.day)" == text)
        #expect(date.weekday == weekday)
    }

    /// Day after day for 800 years, against the rules that everybody learnt at school.
    @Test func everyDayFollowsTheOneBefore() {
        var (year, month, day) = (Int64(1600), Int64(1), Int64(1))
        let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for days in Int64(-135_140)..<Int64(157_060) {
            let date = CalendarDate(daysSince1970: days)
            guard date.year == year, date.month == month, date.day == day else {
                Issue.record("day \(days) is \(date), not \(year)-\(month)-\(day)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            day += 1
            if day > lengths[Int(month) - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
