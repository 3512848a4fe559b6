public import Platform
internal import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Sendable {
    private let time: Mutex<UnixTime>

    /// Makes a clock that shows `start`; by default a moment in November 2026.
    public init(_ start: UnixTime = UnixTime(seconds: 1_796_000_000)) {
        time = Mutex(start)
    }

    /// What the clock shows.
    public var now: UnixTime { time.withLock { $0 } }

    /// The clock as code under test takes it; follows this one.
    public var wallClock: WallClock { WallClock { self.now } }

    /// Moves the clock on, or back when negative.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }

    /// Sets the clock.
    public func set(_ moment: UnixTime) {
        time.withLock { $0 = moment }
    }
}
