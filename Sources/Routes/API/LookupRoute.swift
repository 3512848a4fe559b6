internal import Accounts
internal import ActionCodes
internal import HTTP

/// `POST accounts:lookup`, in v3 `getAccountInfo` (wire-contract.md §10).
struct LookupRoute: Sendable {
    let accounts: AccountServices

    func respond(to call: APICall) async throws(APIError) -> HTTPResponse {
        let users: [User]
        if call.caller.isPrivileged {
            let query = try query(call.fields)
            let lookup = accounts.lookup(try call.project().accounts)
            do { users = try await lookup.matches(query) } catch { throw APIError(error) }
        } else {
            let idToken = try call.fields.string("idToken")
            let lookup = accounts.lookup(try call.project().accounts)
            do { users = [try await lookup.owner(idToken: idToken)] } catch { throw APIError(error) }
        }
        return APIResponse.success([
            ("kind", .string("identitytoolkit#GetAccountInfoResponse")),
            // Left out when empty: firebase-admin tells "no such user" by it.
            ("users", users.isEmpty ? nil : .array(users.map(\.asJSON))),
        ])
    }

    /// At most as many identifiers as Google takes, so that one call cannot read a whole project.
    private static let identifierLimit = 100

    private func query(_ fields: RequestFields) throws(APIError) -> LookupAccounts.Query {
        guard !fields.has("initialEmail") else { throw .notImplemented("initialEmail") }
        var query = LookupAccounts.Query()
        query.userIDs = try fields.strings("localId") ?? []
        query.emails = try fields.strings("email") ?? []
        query.phoneNumbers = try fields.strings("phoneNumber") ?? []
        for item in try fields.objects("federatedUserId") ?? [] {
            guard let provider = try item.string("providerId"), let rawID = try item.string("rawId") else { continue }
            query.federatedUserIDs.append((provider, rawID))
        }
        let count = query.userIDs.count + query.emails.count + query.phoneNumbers.count + query.federatedUserIDs.count
        guard count <= Self.identifierLimit else { throw .refused("INVALID_ARGUMENT : At most \(Self.identifierLimit) identifiers.") }
        return query
    }
}
