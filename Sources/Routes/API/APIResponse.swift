internal import HTTP

/// A success of the API: compact JSON that nothing on the way keeps.
enum APIResponse {
    private static let headers = HTTPHeaders([
        ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ])

    static func success(_ members: [(String, JSON?)]) -> HTTPResponse {
        json(JSON.object(members).compact)
    }

    /// The same from JSON that is written already.
    static func json(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: headers, body: .bytes(bytes))
    }
}
