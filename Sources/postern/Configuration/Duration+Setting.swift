extension Duration {
    /// Reads a duration as settings write it: digits and one of `s`, `m`, `h`, `d`; nil for anything else.
    init?(settingText text: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = text.dropLast()
        // Nine digits are 2,700 years of days, and no product of them overflows.
        guard let last = text.last, let unit = units[last], (1...9).contains(digits.utf8.count),
            digits.isDecimal, let number = Int64(digits)
        else { return nil }
        self = .seconds(number * unit)
    }

    /// The duration as settings write it, in the largest unit that holds it whole; parts of a second are dropped.
    var settingText: String {
        let seconds = components.seconds
        for (unit, size) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where seconds != 0 && seconds.isMultiple(of: size) {
            return "\(seconds / size)\(unit)"
        }
        return "\(seconds)s"
    }
}
