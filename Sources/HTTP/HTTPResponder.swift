/// What answers requests.
public protocol HTTPResponder: Sendable {
    /// An answer that needs no waiting, from memory; nil when `respond(to:)` is to be asked. Called for requests without a body only, on
    /// the connection's own thread, which serves nothing else meanwhile.
    func immediateResponse(to request: HTTPRequest) -> HTTPResponse?

    /// Answers a request, after any wait. Runs on the connection's own thread between waits, so blocking calls belong to an executor of
    /// their own.
    ///
    /// A client that goes away is not noticed before the answer is there, and the task is not cancelled then: what a request began is
    /// finished. It is cancelled only when it outlasts the server's `drainTimeout` at shutdown; its answer is then dropped.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// The words for a request that the server refuses by itself; its status is sent in any case.
    func response(to refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPResponder {
    /// Always nil.
    public func immediateResponse(to request: HTTPRequest) -> HTTPResponse? { nil }

    /// One line of plain text.
    public func response(to refusal: HTTPRefusal) -> HTTPResponse { refusal.plainResponse }
}
