import Mail
import Platform
import Synchronization
import Testing

@testable import Routes

@Suite struct InboxTransportTests {
    /// Hands out messages, then an idle moment, then the end.
    private final class Source: MailSource {
        let isClosed = false
        private let waiting: Mutex<[NextMessage]>
        let settled = Mutex<[(Int64, DeliveryOutcome)]>([])

        init(_ messages: [OutgoingMessage]) {
            waiting = Mutex(messages.flatMap { [.message($0), NextMessage.none] } + [.closed])
        }

        func next(within patience: Duration?) async -> NextMessage { waiting.withLock { $0.removeFirst() } }

        func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async {
            settled.withLock { $0.append((message.entryID, outcome)) }
        }
    }

    @Test func catchesEveryMessageAndComesToAnEnd() async throws {
        let inbox = Inbox()
        let transport = InboxTransport(inbox: inbox, clock: WallClock { Samples.time })
        let messages = [Samples.alternative, Samples.base64].enumerated().map { index, bytes in (Int64(index + 40), bytes) }
        let envelope = try Samples.envelope(to: "bob@example.net")
        let source = Source(messages.map { OutgoingMessage(entryID: $0, projectID: "example", envelope: envelope, bytes: $1) })
        #expect(transport.lanes == 1)
        await transport.runLane(0, source: source)
        #expect(inbox.all.map(\.bytes) == [Samples.alternative, Samples.base64])
        #expect(inbox.all.allSatisfy { $0.project == "example" && $0.envelope == envelope && $0.receivedAt == Samples.time })
        let settled = source.settled.withLock { $0 }
        #expect(settled.map(\.0) == [40, 41])
        #expect(settled.allSatisfy { $0.1 == .accepted(reply: "250 2.0.0 caught") })
    }
}
