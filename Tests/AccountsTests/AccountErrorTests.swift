import Crypto
import Mail
import Testing

@testable import Accounts

@Suite struct AccountErrorTests {
    /// The words that clients compare, as the contract writes them.
    @Test(arguments: [
        (AccountError.invalidIDToken, "INVALID_ID_TOKEN"), (.tokenExpired, "TOKEN_EXPIRED"), (.userNotFound, "USER_NOT_FOUND"),
        (.userDisabled, "USER_DISABLED"), (.credentialTooOld, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"), (.missingIDToken, "MISSING_ID_TOKEN"),
        (.missingEmail, "MISSING_EMAIL"), (.invalidEmail, "INVALID_EMAIL"), (.emailExists, "EMAIL_EXISTS"),
        (.missingPassword, "MISSING_PASSWORD"), (.weakPassword, "WEAK_PASSWORD : Password should be at least 6 characters"),
        (.operationNotAllowed, "OPERATION_NOT_ALLOWED"), (.adminOnlyOperation, "ADMIN_ONLY_OPERATION"),
        (.unexpectedParameterUserID, "UNEXPECTED_PARAMETER : User ID"), (.duplicateLocalID, "DUPLICATE_LOCAL_ID"),
        (.missingLocalID, "MISSING_LOCAL_ID"), (.invalidRefreshToken, "INVALID_REFRESH_TOKEN"),
        (.missingRefreshToken, "MISSING_REFRESH_TOKEN"), (.missingGrantType, "MISSING_GRANT_TYPE"),
        (.invalidGrantType, "INVALID_GRANT_TYPE"), (.phoneNumberExists, "PHONE_NUMBER_EXISTS"),
        (.invalidPhoneNumber, "INVALID_PHONE_NUMBER : Invalid format."), (.invalidClaims, "INVALID_CLAIMS"),
        (.passwordLoginDisabled, "PASSWORD_LOGIN_DISABLED"), (.emailNotFound, "EMAIL_NOT_FOUND"), (.invalidPassword, "INVALID_PASSWORD"),
        (.invalidLoginCredentials, "INVALID_LOGIN_CREDENTIALS"),
        (.emailChangeNeedsVerification, "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."),
        (.insufficientPermission, "INSUFFICIENT_PERMISSION"), (.unsupportedRequest, "INVALID_REQ_TYPE : Unsupported request parameters."),
        (.claimsTooLarge, "CLAIMS_TOO_LARGE"), (.forbiddenClaim("iss"), "FORBIDDEN_CLAIM : iss"),
        (.missingProviderID, "MISSING_PROVIDER_ID"), (.missingRawID, "MISSING_RAW_ID"), (.missingIdentifier, "MISSING_IDENTIFIER"),
        (.federatedUserIDAlreadyLinked, "FEDERATED_USER_ID_ALREADY_LINKED"), (.invalidIdentifier, "INVALID_IDENTIFIER"),
        (.missingContinueURI, "MISSING_CONTINUE_URI"), (.invalidContinueURI, "INVALID_CONTINUE_URI"),
        (.invalidPageSelection, "INVALID_PAGE_SELECTION"), (.localIDListExceedsLimit, "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
    ])
    func code(error: AccountError, expected: String) {
        #expect(error.code == expected)
        #expect(error.cause == nil)
    }

    @Test func failuresKeepTheirCauseForTheLog() {
        #expect(AccountError.store(.unavailable(cause: "disk full")).cause == "disk full")
        #expect(AccountError.crypto(.signingFailed(cause: "bad key")).cause == "signing-failed: bad key")
        #expect(AccountError.crypto(.keyGenerationFailed(cause: "x")).code == "CRYPTO_FAILED")
    }
}
