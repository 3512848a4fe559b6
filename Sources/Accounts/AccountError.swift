public import Crypto
public import Mail

/// Why an account's request was refused, or could not be served.
public enum AccountError: Error, Sendable, Equatable {
    /// The ID token is not one of this project's, or was altered.
    case invalidIDToken
    /// The ID token or the session is past its time, or was ended by a later change to the account.
    case tokenExpired
    /// No account has this id.
    case userNotFound
    /// An administrator has shut the account.
    case userDisabled
    /// The sign-in is too long ago for so sensitive a change.
    case credentialTooOld
    /// An ID token is needed and none came.
    case missingIDToken
    /// An address is needed and none came.
    case missingEmail
    /// The address is not one that mail can go to.
    case invalidEmail
    /// Another account has the address.
    case emailExists
    /// A password is needed and none came.
    case missingPassword
    /// The password has fewer than 6 characters.
    case weakPassword
    /// The project does not offer this way to sign in.
    case operationNotAllowed
    /// The project lets only administrators do this.
    case adminOnlyOperation
    /// A user id came where the caller may not choose one.
    case unexpectedParameterUserID
    /// Another account has the id.
    case duplicateLocalID
    /// The id has more than 128 characters, which no ID token may carry.
    case invalidLocalID
    /// An id is needed and none came.
    case missingLocalID
    /// The name or the picture's address is too long.
    case invalidProfileAttribute
    /// The custom claims are not a JSON object.
    case invalidClaims
    /// The refresh token is unknown, another project's, or belonged to a deleted account.
    case invalidRefreshToken
    /// A refresh token is needed and none came.
    case missingRefreshToken
    /// A grant type is needed and none came.
    case missingGrantType
    /// The grant type is not `refresh_token`.
    case invalidGrantType
    /// Another account has the phone number.
    case phoneNumberExists
    /// The phone number is not in E.164.
    case invalidPhoneNumber
    /// The project does not offer passwords.
    case passwordLoginDisabled
    /// No account has this address; only where the project's answers hide nothing.
    case emailNotFound
    /// The password is not the account's; only where the project's answers hide nothing.
    case invalidPassword
    /// Address and password do not belong together, or there is no such account: which of them is hidden.
    case invalidLoginCredentials
    /// A person's new address takes effect through a link that was mailed to it, not at once.
    case emailChangeNeedsVerification
    /// The caller may not set this.
    case insufficientPermission
    /// The request says neither whose account it is about nor what to do.
    case unsupportedRequest
    /// The custom claims have more than 1,000 characters.
    case claimsTooLarge
    /// The custom claims hold a name that is never an administrator's to set.
    case forbiddenClaim(String)
    /// A sign-in that is to be linked names no provider.
    case missingProviderID
    /// A sign-in that is to be linked does not say who it is at its provider.
    case missingRawID
    /// Another account has this sign-in.
    case federatedUserIDAlreadyLinked
    /// An identifier is needed and none came.
    case missingIdentifier
    /// The identifier is no address.
    case invalidIdentifier
    /// A URL to come back to is needed and none came.
    case missingContinueURI
    /// The URL to come back to is not an absolute one with a host.
    case invalidContinueURI
    /// The page that is asked for is not one.
    case invalidPageSelection
    /// No account is named, or more than one call may name.
    case localIDListExceedsLimit
    /// Belongs to a later release, or to no release at all; names what.
    case notImplemented(String)
    /// The store failed; nothing was changed.
    case store(StoreError)
    /// A signature or a password hash could not be made.
    case crypto(CryptoError)
}

extension AccountError {
    /// The word that clients compare, with its detail after ` : ` where the protocol has one (wire contract §2, §19).
    ///
    /// `store` and `crypto` are no refusals: their words are for logs, and clients get a 5xx instead; for `notImplemented` they get a 501.
    public var code: String {
        switch self {
        case .invalidIDToken: "INVALID_ID_TOKEN"
        case .tokenExpired: "TOKEN_EXPIRED"
        case .userNotFound: "USER_NOT_FOUND"
        case .userDisabled: "USER_DISABLED"
        case .credentialTooOld: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
        case .missingIDToken: "MISSING_ID_TOKEN"
        case .missingEmail: "MISSING_EMAIL"
        case .invalidEmail: "INVALID_EMAIL"
        case .emailExists: "EMAIL_EXISTS"
        case .missingPassword: "MISSING_PASSWORD"
        case .weakPassword: "WEAK_PASSWORD : Password should be at least 6 characters"
        case .operationNotAllowed: "OPERATION_NOT_ALLOWED"
        case .adminOnlyOperation: "ADMIN_ONLY_OPERATION"
        case .unexpectedParameterUserID: "UNEXPECTED_PARAMETER : User ID"
        case .duplicateLocalID: "DUPLICATE_LOCAL_ID"
        case .invalidLocalID: "INVALID_LOCAL_ID"
        case .missingLocalID: "MISSING_LOCAL_ID"
        case .invalidProfileAttribute: "INVALID_PROFILE_ATTRIBUTE"
        case .invalidClaims: "INVALID_CLAIMS"
        case .invalidRefreshToken: "INVALID_REFRESH_TOKEN"
        case .missingRefreshToken: "MISSING_REFRESH_TOKEN"
        case .missingGrantType: "MISSING_GRANT_TYPE"
        case .invalidGrantType: "INVALID_GRANT_TYPE"
        case .phoneNumberExists: "PHONE_NUMBER_EXISTS"
        case .invalidPhoneNumber: "INVALID_PHONE_NUMBER : Invalid format."
        case .passwordLoginDisabled: "PASSWORD_LOGIN_DISABLED"
        case .emailNotFound: "EMAIL_NOT_FOUND"
        case .invalidPassword: "INVALID_PASSWORD"
        case .invalidLoginCredentials: "INVALID_LOGIN_CREDENTIALS"
        case .emailChangeNeedsVerification: "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
        case .insufficientPermission: "INSUFFICIENT_PERMISSION"
        case .unsupportedRequest: "INVALID_REQ_TYPE : Unsupported request parameters."
        case .claimsTooLarge: "CLAIMS_TOO_LARGE"
        case .forbiddenClaim(let name): "FORBIDDEN_CLAIM : \(name)"
        case .missingProviderID: "MISSING_PROVIDER_ID"
        case .missingRawID: "MISSING_RAW_ID"
        case .federatedUserIDAlreadyLinked: "FEDERATED_USER_ID_ALREADY_LINKED"
        case .missingIdentifier: "MISSING_IDENTIFIER"
        case .invalidIdentifier: "INVALID_IDENTIFIER"
        case .missingContinueURI: "MISSING_CONTINUE_URI"
        case .invalidContinueURI: "INVALID_CONTINUE_URI"
        case .invalidPageSelection: "INVALID_PAGE_SELECTION"
        case .localIDListExceedsLimit: "LOCAL_ID_LIST_EXCEEDS_LIMIT"
        case .notImplemented: "NOT_IMPLEMENTED"
        case .store: "STORE_FAILED"
        case .crypto: "CRYPTO_FAILED"
        }
    }

    /// The detail for logs, free of secrets; `nil` for refusals, which are ordinary answers.
    public var cause: String? {
        switch self {
        case .store(.unavailable(let cause)): cause
        case .store(.stopped): "the store was stopped"
        case .crypto(let error): "\(error.code): \(error.cause ?? error.description)"
        default: nil
        }
    }
}
