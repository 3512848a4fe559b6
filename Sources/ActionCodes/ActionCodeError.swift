public import Accounts
public import Mail

/// Why a request about action codes was refused; `code` is what programs see (wire-contract.md §19).
public enum ActionCodeError: Error, Sendable, Equatable {
    /// `requestType` is missing.
    case missingRequestType
    /// Only a privileged caller may ask for the link.
    case insufficientPermission
    /// `continueUrl` is not an absolute https URL, nor an http one on a loopback host, or has characters that parsers disagree about.
    case invalidContinueURI
    /// `continueUrl` is needed here and missing.
    case missingContinueURI
    /// The host of `continueUrl` is not authorised.
    case unauthorizedDomain
    /// `dynamicLinkDomain` was sent; Dynamic Links are gone since 2025-08-25.
    case dynamicLinkNotActivated
    /// `linkDomain` is not a link domain of the project.
    case invalidHostingLinkDomain
    /// Android settings without a package.
    case missingAndroidPackageName
    /// iOS settings without a bundle.
    case missingIOSBundleID
    /// The project does not offer this.
    case operationNotAllowed
    /// Strangers may not make accounts in this project.
    case adminOnlyOperation
    /// No address.
    case missingEmail
    /// Not an address that mail can go to.
    case invalidEmail
    /// No new address.
    case missingNewEmail
    /// The new address is not one that mail can go to.
    case invalidNewEmail
    /// Nobody has the address; only told where the answers hide nothing, and to administrators.
    case emailNotFound
    /// Nobody has the address, or not any more; the same for administrators and for the holder of a code.
    case userNotFound
    /// The project does not offer passwords.
    case passwordLoginDisabled
    /// The code was mailed to another address. The code lives on, but not for ever.
    case emailMismatch
    /// No code.
    case missingOobCode
    /// Not a code that can be completed.
    case invalidOobCode
    /// Its time is over.
    case expiredOobCode
    /// An administrator has shut the account.
    case userDisabled
    /// The address belongs to another account.
    case emailExists
    /// A type that exists in the protocol and is not offered here; its name on the wire.
    case notImplemented(requestType: String)
    /// A limit of the project is reached; how long until it is worth another try.
    case tooManyAttempts(retryAfter: Duration)
    /// The caller's ID token is not good, or the new password.
    case account(AccountError)
    /// The store failed.
    case store(StoreError)

    /// The code on the wire, or nil where the answer is not a business refusal.
    public var code: String? {
        switch self {
        case .missingRequestType: "MISSING_REQ_TYPE"
        case .insufficientPermission: "INSUFFICIENT_PERMISSION"
        case .invalidContinueURI: "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
        case .missingContinueURI: "MISSING_CONTINUE_URI"
        case .unauthorizedDomain: "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"
        case .dynamicLinkNotActivated: "DYNAMIC_LINK_NOT_ACTIVATED : FDL domain is not configured"
        case .invalidHostingLinkDomain: "INVALID_HOSTING_LINK_DOMAIN"
        case .missingAndroidPackageName: "MISSING_ANDROID_PACKAGE_NAME"
        case .missingIOSBundleID: "MISSING_IOS_BUNDLE_ID"
        case .operationNotAllowed: "OPERATION_NOT_ALLOWED"
        case .adminOnlyOperation: "ADMIN_ONLY_OPERATION"
        case .missingEmail: "MISSING_EMAIL"
        case .invalidEmail: "INVALID_EMAIL"
        case .missingNewEmail: "MISSING_NEW_EMAIL"
        case .invalidNewEmail: "INVALID_NEW_EMAIL"
        case .emailNotFound: "EMAIL_NOT_FOUND"
        case .userNotFound: "USER_NOT_FOUND"
        case .passwordLoginDisabled: "PASSWORD_LOGIN_DISABLED"
        case .emailMismatch: "INVALID_EMAIL : The email provided does not match the sign-in email address."
        case .missingOobCode: "MISSING_OOB_CODE"
        case .invalidOobCode: "INVALID_OOB_CODE"
        case .expiredOobCode: "EXPIRED_OOB_CODE"
        case .userDisabled: "USER_DISABLED"
        case .emailExists: "EMAIL_EXISTS"
        case .tooManyAttempts: "TOO_MANY_ATTEMPTS_TRY_LATER"
        case .account(let error): error.code
        case .notImplemented, .store: nil
        }
    }
}
