internal import Accounts
internal import Platform

/// What `accounts:update` takes, with an action code or without (wire-contract.md §8).
struct UpdateAccountFields: Sendable {
    /// What is to be changed; ignored when there is a code.
    let request: UpdateAccountRequest
    /// The action code that is to be applied.
    let oobCode: String?

    /// Google's names and numbers.
    private static let attributes: [(name: String, number: Int, value: UpdateAccountRequest.Attribute?)] = [
        ("USER_ATTRIBUTE_NAME_UNSPECIFIED", 0, nil), ("EMAIL", 1, .email), ("DISPLAY_NAME", 2, .displayName),
        ("PROVIDER", 3, .provider), ("PHOTO_URL", 4, .photoURL), ("PASSWORD", 5, .password), ("RAW_USER_INFO", 6, .rawUserInfo),
    ]

    private let unsupported: String?
    private let hasFactors: Bool

    /// Parses.
    init(_ fields: RequestFields, isPrivileged: Bool) throws(APIError) {
        unsupported = ["provider", "upgradeToFederatedLogin"].first(where: fields.has)
        let code = try fields.string("oobCode")
        oobCode = code?.isEmpty == false ? code : nil
        request = try Self.request(fields, isPrivileged: isPrivileged)
        hasFactors = try fields.object("mfa")?.objects("enrollments")?.isEmpty == false
    }

    /// Makes the checks that both forms share, in the contract's order.
    func check() throws(APIError) {
        if let unsupported { throw .notImplemented(unsupported) }
        do { try request.check(hasCode: oobCode != nil) } catch { throw APIError(error) }
        if hasFactors { throw .notImplemented("mfa") }
    }

    private static func request(_ fields: RequestFields, isPrivileged: Bool) throws(APIError) -> UpdateAccountRequest {
        var request = UpdateAccountRequest()
        request.isPrivileged = isPrivileged
        request.idToken = try fields.string("idToken")
        request.userID = try fields.string("localId")
        request.email = try fields.string("email")
        request.password = try fields.string("password")
        request.displayName = try fields.string("displayName")
        request.photoURL = try fields.string("photoUrl")
        request.phoneNumber = try fields.string("phoneNumber")
        request.emailVerified = try fields.bool("emailVerified")
        request.disabled = try fields.bool("disableUser")
        request.customAttributes = try fields.string("customAttributes")
        request.createdAt = try fields.int64("createdAt", in: 0...Self.lastSecond * 1000).map { UnixTime(milliseconds: $0) }
        request.lastLoginAt = try fields.int64("lastLoginAt", in: 0...Self.lastSecond * 1000).map { UnixTime(milliseconds: $0) }
        request.validSince = try fields.int64("validSince", in: 0...Self.lastSecond).map { UnixTime(seconds: $0) }
        for name in try fields.strings("deleteAttribute") ?? [] {
            guard let attribute = Self.attributes.first(where: { $0.name == name || String($0.number) == name }) else {
                throw .schema(pointer: "/deleteAttribute/0", expected: "equal to one of the allowed values")
            }
            if let value = attribute.value { request.deletedAttributes.append(value) }
        }
        request.deletedProviders = try fields.strings("deleteProvider") ?? []
        if let linked = try fields.object("linkProviderUserInfo") {
            var provider = UpdateAccountRequest.LinkedProvider()
            provider.providerID = try linked.string("providerId")
            provider.rawID = try linked.string("rawId")
            provider.displayName = try linked.string("displayName")
            provider.email = try linked.string("email")
            provider.photoURL = try linked.string("photoUrl")
            request.linkedProvider = provider
        }
        return request
    }

    /// The end of the year 9999; a later time is nonsense, and much later ones cannot be written in milliseconds.
    private static let lastSecond: Int64 = 253_402_300_799
}
