internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform

/// `GET v2/projects/{p}/suppressions` and `DELETE …/suppressions/{address}`: which addresses get no mail, and their release, for administrators.
struct SuppressionsRoute: Sendable {
    let suppressions: Suppressions

    func respond(to call: APICall, address: String?) async throws(APIError) -> HTTPResponse {
        try call.requirePrivilege()
        if let address { return try await release(address, call) }
        let parameters = call.parameters()
        let size = try parameters.int("pageSize")
        let token = try parameters.string("pageToken")
        let project = try call.project()
        let page: Suppressions.Page
        do { page = try await suppressions(project: project, size: size, pageToken: token) } catch { throw APIError(error) }
        return APIResponse.success([
            ("suppressions", .array(page.suppressions.map(\.asJSON))), ("nextPageToken", .optional(page.nextPageToken)),
        ])
    }

    private func release(_ address: String, _ call: APICall) async throws(APIError) -> HTTPResponse {
        let project = try call.project()
        let released: Bool
        do { released = try await suppressions.release(address, project: project) } catch { throw APIError(error) }
        guard released else { throw .refused("SUPPRESSION_NOT_FOUND") }
        return APIResponse.success([])
    }
}

extension Suppression {
    /// As the route shows it.
    fileprivate var asJSON: JSON {
        let reason =
            switch cause {
            case .refused: "REFUSED"
            case .reported: "REPORTED"
            case .muted: "MUTED"
            }
        return .object([
            ("email", .string(email.text)), ("reason", .string(reason)), ("detail", detail.isEmpty ? nil : .string(detail)),
            ("since", .string(since.description)), ("until", .optional(until?.description)),
        ])
    }
}
