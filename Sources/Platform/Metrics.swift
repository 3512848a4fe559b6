internal import Synchronization

/// The numbers that `/metrics` shows, in Prometheus' text format (version 0.0.4).
///
/// Counters live here; what is a state and not an event (queue lengths, connections) is read by a gauge's function when somebody asks.
public final class Metrics: Sendable {
    private struct State {
        var counters: [(name: String, help: String, labels: String, counter: Counter)] = []
        var gauges: [(name: String, help: String, labels: String, read: @Sendable () -> Double)] = []
    }

    private let state = Mutex(State())

    /// Makes an empty registry.
    public init() {}

    /// A number that only grows. Adding costs one atomic instruction.
    public final class Counter: Sendable {
        private let value = Atomic<Int>(0)

        /// Adds `amount`.
        public func add(_ amount: Int = 1) {
            value.add(amount, ordering: .relaxed)
        }

        /// What was counted so far.
        public var total: Int { value.load(ordering: .relaxed) }
    }

    /// Registers a counter. `labels` are fixed at registration; never put anything there that a client chose.
    public func counter(_ name: String, help: String, labels: [(String, String)] = []) -> Counter {
        let counter = Counter()
        let text = Self.text(labels)
        state.withLock { $0.counters.append((name, help, text, counter)) }
        return counter
    }

    /// Registers a number that is read when `/metrics` is asked for; `labels` as for a counter.
    public func gauge(_ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double) {
        let text = Self.text(labels)
        state.withLock { $0.gauges.append((name, help, text, read)) }
    }

    private static func text(_ labels: [(String, String)]) -> String {
        labels.isEmpty ? "" : "{" + labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",") + "}"
    }

    /// All numbers as Prometheus reads them.
    public func render() -> String {
        let (counters, gauges) = state.withLock { ($0.counters, $0.gauges) }
        var text = ""
        var described: Set<String> = []
        for entry in counters.sorted(by: { $0.name < $1.name }) {
            if described.insert(entry.name).inserted {
                text += "# HELP \(entry.name) \(entry.help)\n# TYPE \(entry.name) counter\n"
            }
            text += "\(entry.name)\(entry.labels) \(entry.counter.total)\n"
        }
        for entry in gauges.sorted(by: { $0.name < $1.name }) {
            let value = entry.read()
            let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
            if described.insert(entry.name).inserted { text += "# HELP \(entry.name) \(entry.help)\n# TYPE \(entry.name) gauge\n" }
            text += "\(entry.name)\(entry.labels) \(number)\n"
        }
        return text
    }
}
