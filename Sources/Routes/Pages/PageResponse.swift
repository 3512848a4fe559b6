internal import HTTP

/// The headers of everything that people see (hosting.md §4.3).
enum PageResponse {
    /// A page. `secure` says that browsers reach this service by https, so that they are told to stay there. `onward` is the origin that a form on
    /// the page leads to in the end: browsers hold the redirect after a form against `form-action` too.
    static func page(_ html: String, status: Int, secure: Bool, onward: String? = nil) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers(contentType: "text/html; charset=utf-8", secure: secure, onward: onward),
            body: .bytes(Array(html.utf8)))
    }

    /// On to another place, by GET (RFC 9110 §15.4.4).
    static func seeOther(_ location: String, secure: Bool) -> HTTPResponse {
        var headers = headers(contentType: "text/plain; charset=utf-8", secure: secure)
        headers.set("Location", location)
        return HTTPResponse(status: 303, headers: headers, body: .none)
    }

    /// Gives an answer that is no page the headers of pages, where one could have been.
    static func protect(_ response: inout HTTPResponse, secure: Bool) {
        for (name, value) in headers(contentType: "", secure: secure).pairs where response.headers[name] == nil {
            response.headers.set(name, value)
        }
    }

    private static func headers(contentType: String, secure: Bool, onward: String? = nil) -> HTTPHeaders {
        var headers = HTTPHeaders([
            ("Content-Type", contentType),
            ("Cache-Control", "no-store"),
            // The link holds the code: no site that the page leads to may learn it from the referrer.
            ("Referrer-Policy", "no-referrer"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'\(onward.map { " " + $0 } ?? ""); "
                    + "frame-ancestors 'none'; base-uri 'none'"
            ),
            ("X-Frame-Options", "DENY"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Robots-Tag", "noindex, nofollow"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ])
        if secure { headers.set("Strict-Transport-Security", "max-age=63072000") }
        return headers
    }
}
