internal import HTTP
internal import Platform

/// `GET /_postern/events`: server-sent events (WHATWG HTML, "Server-sent events") for the open pages, one a response.
///
/// A browser's `EventSource` asks again by itself as soon as a response ends and says what it has seen, so that no connection is ever kept
/// open with half an answer on it.
struct EventsRoute: Sendable {
    let events: DevelopmentEvents

    /// How long a response waits for news.
    private static let patience = Duration.seconds(15)

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let seen = request.headers["Last-Event-ID"]
        let version = await events.news(since: seen, within: Self.patience)
        // A comment alone keeps a page waiting; an event makes it look.
        let text = version == seen ? "retry: 50\n: nothing new\n\n" : "retry: 50\nid: \(version)\ndata: \(version)\n\n"
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ]), body: .bytes(Array(text.utf8)))
    }
}
