internal import Crypto
internal import HTTP

/// The files that go with the projects' appearances, rendered once.
struct AppearanceFiles: Sendable {
    private var styleSheets: [String: CachedFile] = [:]
    private var logos: [String: CachedFile] = [:]

    /// By project id.
    init(_ appearances: [String: PageAppearance]) {
        for (id, appearance) in appearances {
            if let color = appearance.accentColor {
                styleSheets[id] = Self.file(Array(color.styleSheet.utf8), contentType: "text/css; charset=utf-8")
            }
            if let logo = appearance.logo { logos[id] = Self.file(logo.bytes, contentType: logo.format.rawValue) }
        }
    }

    private static func file(_ bytes: [UInt8], contentType: String) -> CachedFile {
        CachedFile(
            bytes: bytes, etag: "\"" + Base64URL.encode(Array(SHA256.digest(bytes).prefix(12))) + "\"", contentType: contentType,
            cacheControl: "public, max-age=300",
            // A picture that is opened by itself is a document: nothing in it runs or loads anything.
            more: [
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ])
    }

    /// The colours of a project.
    func styleSheet(of project: String, _ request: HTTPRequest) -> HTTPResponse? { styleSheets[project]?.response(to: request) }

    /// The picture of a project.
    func logo(of project: String, _ request: HTTPRequest) -> HTTPResponse? { logos[project]?.response(to: request) }
}
