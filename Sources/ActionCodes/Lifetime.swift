internal import Platform

/// How long a code lives, in words for people.
enum Lifetime {
    /// The largest unit that divides the duration, such as `6 hours`, `90 minutes` or `1 day`. English only: other languages bring their own words
    /// with their templates.
    static func words(_ duration: Duration) -> String {
        let minutes = max(1, Int(duration.wholeMilliseconds / 60_000))
        if minutes % 1440 == 0 { return count(minutes / 1440, "day") }
        if minutes % 60 == 0 { return count(minutes / 60, "hour") }
        return count(minutes, "minute")
    }

    private static func count(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
}
