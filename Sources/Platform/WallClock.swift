#if canImport(Glibc)
    internal import Glibc
#endif

/// Tells what time it is. A parameter everywhere, so that tests decide.
public struct WallClock: Sendable {
    private let read: @Sendable () -> UnixTime

    /// Makes a clock out of a function.
    public init(_ read: @escaping @Sendable () -> UnixTime) {
        self.read = read
    }

    /// The time now.
    public func now() -> UnixTime { read() }

    /// The machine's clock.
    public static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UnixTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
