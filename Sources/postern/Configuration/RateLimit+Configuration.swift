internal import ActionCodes

extension RateLimit: ConfigurationText {
    /// Takes COUNT/DURATION, such as `5/15m`.
    init(configured text: String) throws(ConfigurationFault) {
        let remedy = "expected COUNT/DURATION such as \"5/15m\", a count from 1 and 1s to 30d"
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count <= 10, parts[0].isDecimal, let count = Int(parts[0]),
            let period = Duration(settingText: String(parts[1]))
        else { throw ConfigurationFault("\(text.shown) is not a limit", remedy) }
        guard Self.counts.contains(count), Self.periods.contains(period) else {
            throw ConfigurationFault("\(text.shown) is out of range", remedy)
        }
        self.init(count: count, period: period)
    }
}
