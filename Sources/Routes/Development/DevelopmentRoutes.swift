internal import HTTP

/// What only `postern dev` answers: the emulator's extras and the inbox.
public struct DevelopmentRoutes: Sendable {
    /// What these routes are made of.
    public struct Parts: Sendable {
        /// The caught mails.
        public var inbox: Inbox
        /// The files of the inbox's pages.
        public var files: DevelopmentFiles
        /// News for open pages.
        public var events: DevelopmentEvents

        /// Collects the parts.
        public init(inbox: Inbox, files: DevelopmentFiles, events: DevelopmentEvents) {
            self.inbox = inbox
            self.files = files
            self.events = events
        }
    }

    private let emulator: EmulatorRoutes
    private let inbox: InboxRoutes
    private let events: EventsRoute

    init(_ parts: Parts, emulator: EmulatorRoutes) {
        self.emulator = emulator
        self.inbox = InboxRoutes(inbox: parts.inbox, files: parts.files)
        self.events = EventsRoute(events: parts.events)
    }

    func respond(_ route: DevelopmentRoute, to request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        switch route {
        case .greeting: emulator.greeting()
        case .oobCodes(let project): try await emulator.oobCodes(project)
        case .accounts(let project): try await emulator.deleteAccounts(project)
        case .configuration(let project): try await emulator.configuration(project, request)
        case .events: await events.respond(to: request)
        default: try inbox.respond(route, to: request)
        }
    }
}
