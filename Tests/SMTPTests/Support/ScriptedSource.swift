import Mail
import Synchronization

/// A source whose answers a test has written; settlements go into the log as `settled <id>` and are kept.
final class ScriptedSource: MailSource {
    enum Item: Sendable {
        case message(OutgoingMessage)
        /// Nothing yet for one who asks without waiting.
        case gap
        /// Nothing comes while one waits for an idle connection.
        case idle
        /// Waits until the log has this entry.
        case after(String)
    }

    private let log: EventLog
    private let items: Mutex<[Item]>
    private let settled = Mutex<[Int64: DeliveryOutcome]>([:])
    private let settling: Duration

    /// `settling` is how long each settlement takes.
    init(_ items: [Item], log: EventLog, settling: Duration = .zero) {
        self.items = Mutex(items.reversed())
        self.log = log
        self.settling = settling
    }

    /// Set by tests of the stop.
    let stops = Mutex(false)

    var isClosed: Bool { stops.withLock { $0 } }

    var outcomes: [Int64: DeliveryOutcome] { settled.withLock { $0 } }

    func next(within patience: Duration?) async -> NextMessage {
        while true {
            switch items.withLock({ $0.last }) {
            case nil: return .closed
            case .message(let message):
                pop()
                log.add("taken \(message.entryID)")
                return .message(message)
            case .gap:
                pop()
                if patience == .zero { return .none }
            case .idle:
                if patience == .zero { return .none }
                pop()
                if patience != nil { return .none }
            case .after(let entry):
                if patience == .zero { return .none }
                for _ in 0..<5000 where !log.contains(entry) { try? await Task.sleep(for: .milliseconds(1)) }
                pop()
            }
        }
    }

    func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async {
        if settling > .zero { try? await Task.sleep(for: settling) }
        let earlier = settled.withLock { $0.updateValue(outcome, forKey: message.entryID) }
        log.add(earlier == nil ? "settled \(message.entryID)" : "settled \(message.entryID) again")
    }

    private func pop() { _ = items.withLock { $0.popLast() } }
}
