internal import Accounts
internal import ActionCodes
internal import HTTP

/// The keys that verify ID tokens: a JWK set, Google's map of certificates, and the discovery document that points to the former.
struct KeysRoute: Sendable {
    let directory: ProjectDirectory
    let keys: TokenKeys
    let publicURL: String

    private static let cacheControl = "public, max-age=\(TokenKeyPublication.cacheTime.components.seconds), must-revalidate"

    func respond(_ document: Route.KeysDocument, to request: HTTPRequest) throws(APIError) -> HTTPResponse {
        let keys = keys.current
        return switch document {
        case .jwks: json(keys.jwks)
        case .x509: json(keys.certificates)
        case .openIDConfiguration: json(try discovery(request, keys))
        }
    }

    /// Issuers differ by project, and there is one document a host: `?project=` chooses, else it is the only project's.
    private func discovery(_ request: HTTPRequest, _ keys: TokenKeySet) throws(APIError) -> [UInt8] {
        let named = request.queryItems().first { $0.name == "project" }?.value
        guard let project = named.map(directory.project(id:)) ?? directory.impliedProject else { throw .notFound }
        return keys.openIDConfiguration(issuer: project.accounts.issuer, jwksURI: publicURL + "/.well-known/jwks.json")
    }

    private func json(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "application/json"), ("Cache-Control", Self.cacheControl), ("X-Content-Type-Options", "nosniff"),
            ]), body: .bytes(bytes))
    }
}
