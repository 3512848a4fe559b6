/// How much a log line matters, the least first.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// For whoever debugs; may hold addresses.
    case debug
    /// Rare events of normal operation: start, stop, keys made.
    case info
    /// Something an operator should look at some day.
    case warning
    /// Something an operator must look at now.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// The less important level sorts first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
