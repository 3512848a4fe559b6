extension Duration {
    /// The duration in whole milliseconds, rounded towards zero.
    public var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// The duration in seconds with their fraction, for metrics and messages.
    public var fractionalSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
