internal import Associations
internal import HTTP

/// A file that is answered from memory, its answers made once.
struct CachedFile: Sendable {
    let bytes: [UInt8]
    private let etag: String
    private let whole: HTTPResponse
    private let notModified: HTTPResponse

    init(_ file: AssociationFile) {
        self.init(
            bytes: file.bytes, etag: file.etag, contentType: AssociationFile.contentType, cacheControl: AssociationFile.cacheControl)
    }

    init(bytes: [UInt8], etag: String, contentType: String, cacheControl: String, more: [(String, String)] = []) {
        let headers = HTTPHeaders(
            [
                ("Content-Type", contentType), ("Cache-Control", cacheControl), ("ETag", etag), ("X-Content-Type-Options", "nosniff"),
            ] + more)
        self.bytes = bytes
        self.etag = etag
        self.whole = HTTPResponse(status: 200, headers: headers, body: .static(SharedBody(bytes)))
        self.notModified = HTTPResponse(status: 304, headers: HTTPHeaders([("Cache-Control", cacheControl), ("ETag", etag)]), body: .none)
    }

    /// The file, or 304 when the client has it (RFC 9110 §13.1.2).
    func response(to request: HTTPRequest) -> HTTPResponse {
        guard let known = request.headers["If-None-Match"] else { return whole }
        let matches = known.split(separator: ",").contains { item in
            let tag = item.trimmingSpaces()
            return tag == "*" || tag == etag || tag == "W/" + etag
        }
        return matches ? notModified : whole
    }
}
