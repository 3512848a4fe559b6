internal import HTTP
internal import Synchronization

/// Stands in for a responder that can be made only once the port is known, because links hold it.
final class DeferredResponder: HTTPResponder {
    private let responder = Mutex<(any HTTPResponder)?>(nil)

    /// Hands over; before the server runs.
    func set(_ responder: any HTTPResponder) {
        self.responder.withLock { $0 = responder }
    }

    func immediateResponse(to request: HTTPRequest) -> HTTPResponse? {
        responder.withLock { $0 }?.immediateResponse(to: request)
    }

    func response(to refusal: HTTPRefusal) -> HTTPResponse {
        responder.withLock { $0 }?.response(to: refusal) ?? HTTPResponse(status: refusal.rawValue)
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let responder = responder.withLock({ $0 }) else { return HTTPResponse(status: 503) }
        return await responder.respond(to: request)
    }
}
