public import Mail
public import Platform

/// Delivers every message into the inbox: what `dev` has in a mail server's place.
public struct InboxTransport: MailTransport {
    private let inbox: Inbox
    private let clock: WallClock

    /// One: there is no connection to wait for.
    public let lanes = 1

    /// Makes a transport into `inbox`.
    public init(inbox: Inbox, clock: WallClock) {
        self.inbox = inbox
        self.clock = clock
    }

    /// Takes messages until the source is closed; accepts each at once.
    public func runLane(_ index: Int, source: any MailSource) async {
        while true {
            switch await source.next(within: nil) {
            case .message(let message):
                inbox.add(
                    project: message.projectID, envelope: message.envelope, receivedAt: clock.now(), bytes: message.bytes)
                await source.settle(message, .accepted(reply: "250 2.0.0 caught"))
            case .none: continue
            case .closed: return
            }
        }
    }
}
