internal import HTTP

/// CORS for the API (wire-contract.md §0.4): any origin, because an API key is public and no cookie is ever read.
enum CrossOrigin {
    /// The answer to a preflight.
    static func preflight(_ request: HTTPRequest) -> HTTPResponse {
        var headers = HTTPHeaders([
            ("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE"), ("Vary", "Origin, Access-Control-Request-Headers"),
            ("Access-Control-Max-Age", "600"),
        ])
        if let wanted = request.headers["Access-Control-Request-Headers"] { headers.set("Access-Control-Allow-Headers", wanted) }
        if request.headers["Access-Control-Request-Private-Network"] != nil {
            headers.set("Access-Control-Allow-Private-Network", "true")
        }
        var response = HTTPResponse(status: 204, headers: headers)
        allow(request, in: &response)
        return response
    }

    /// Lets the page that sent a request read its answer.
    static func allow(_ request: HTTPRequest, in response: inout HTTPResponse) {
        guard let origin = request.headers["Origin"] else { return }
        response.headers.set("Access-Control-Allow-Origin", origin)
        if response.headers["Vary"] == nil { response.headers.set("Vary", "Origin") }
        // Pages see the usual fields only, and those that are named here.
        if response.headers["Retry-After"] != nil { response.headers.set("Access-Control-Expose-Headers", "Retry-After") }
    }
}
