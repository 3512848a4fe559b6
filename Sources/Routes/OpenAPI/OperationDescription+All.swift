extension OperationDescription {
    static let sendOobCode = OperationDescription(
        summary: "Mails an action code, or hands its link to an administrator",
        request: [
            (
                "requestType",
                Schema.choice([
                    "EMAIL_SIGNIN", "PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL",
                    "REVERT_SECOND_FACTOR_ADDITION", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "OOB_REQ_TYPE_UNSPECIFIED",
                ])
            ),
            ("email", Schema.string), ("newEmail", Schema.string), ("idToken", Schema.string), ("continueUrl", Schema.string),
            ("canHandleCodeInApp", Schema.boolean), ("iOSBundleId", Schema.string), ("iOSAppStoreId", Schema.string),
            ("androidPackageName", Schema.string), ("androidInstallApp", Schema.boolean), ("androidMinimumVersion", Schema.string),
            ("linkDomain", Schema.string), ("dynamicLinkDomain", Schema.string), ("returnOobLink", Schema.boolean),
        ],
        response: [
            kind("GetOobConfirmationCodeResponse"), ("email", Schema.string), ("oobCode?", Schema.string), ("oobLink?", Schema.string),
        ],
        errors: [
            "MISSING_REQ_TYPE", "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN", "DYNAMIC_LINK_NOT_ACTIVATED", "MISSING_ANDROID_PACKAGE_NAME",
            "MISSING_IOS_BUNDLE_ID", "INVALID_HOSTING_LINK_DOMAIN", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "MISSING_EMAIL",
            "INVALID_EMAIL", "MISSING_CONTINUE_URI", "EMAIL_NOT_FOUND", "MISSING_NEW_EMAIL", "INVALID_NEW_EMAIL", "MISSING_ID_TOKEN",
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "EMAIL_EXISTS", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ] + idTokenErrors, notImplemented: "A requestType that no client may ask for.")

    static let signInWithEmailLink = OperationDescription(
        summary: "Signs in with the code of a mailed link, or links the address to the account of an ID token",
        request: [("email", Schema.string), ("oobCode", Schema.string), ("idToken", Schema.string)],
        response: [
            kind("EmailLinkSigninResponse"), ("email?", Schema.string), ("localId", Schema.string), ("isNewUser", Schema.boolean),
        ] + tokens,
        errors: [
            "OPERATION_NOT_ALLOWED", "MISSING_EMAIL", "INVALID_EMAIL", "MISSING_OOB_CODE", "INVALID_OOB_CODE", "EXPIRED_OOB_CODE",
            "ADMIN_ONLY_OPERATION", "EMAIL_EXISTS", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ] + idTokenErrors)

    static let resetPassword = OperationDescription(
        summary: "Looks at a code of any kind without spending it, or sets a new password with one",
        request: [("oobCode", Schema.string), ("newPassword", Schema.string)],
        response: [
            kind("ResetPasswordResponse"),
            (
                "requestType",
                Schema.choice([
                    "EMAIL_SIGNIN", "PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL",
                    "REVERT_SECOND_FACTOR_ADDITION",
                ])
            ), ("email?", Schema.string), ("newEmail?", Schema.string),
        ],
        errors: [
            "PASSWORD_LOGIN_DISABLED", "MISSING_OOB_CODE", "INVALID_OOB_CODE", "EXPIRED_OOB_CODE", "WEAK_PASSWORD", "USER_NOT_FOUND",
            "USER_DISABLED", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ])

    static let signUp = OperationDescription(
        summary: "Makes an account, adds address and password to the account of an ID token, or signs in anonymously",
        request: [
            ("idToken", Schema.string), ("email", Schema.string), ("password", Schema.string), ("displayName", Schema.string),
            ("photoUrl", Schema.string), ("phoneNumber", Schema.string), ("localId", Schema.string), ("emailVerified", Schema.boolean),
            ("disabled", Schema.boolean),
        ],
        response: [
            kind("SignupNewUserResponse"), ("localId", Schema.string), ("displayName?", Schema.string), ("email?", Schema.string),
        ] + optionalTokens,
        errors: [
            "UNEXPECTED_PARAMETER", "MISSING_EMAIL", "MISSING_PASSWORD", "OPERATION_NOT_ALLOWED", "ADMIN_ONLY_OPERATION", "INVALID_EMAIL",
            "EMAIL_EXISTS", "WEAK_PASSWORD", "INVALID_PROFILE_ATTRIBUTE", "INVALID_LOCAL_ID", "DUPLICATE_LOCAL_ID", "INVALID_PHONE_NUMBER",
            "PHONE_NUMBER_EXISTS", "PASSWORD_LOGIN_DISABLED", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ] + idTokenErrors)

    static let lookup = OperationDescription(
        summary: "Gives the account of an ID token, or to an administrator the accounts with these ids, addresses and numbers",
        request: [
            ("idToken", Schema.string), ("localId", Schema.strings), ("email", Schema.strings), ("phoneNumber", Schema.strings),
            ("federatedUserId", Schema.list(of: Schema.object([("providerId?", Schema.string), ("rawId?", Schema.string)]))),
        ],
        response: [kind("GetAccountInfoResponse"), ("users?", Schema.list(of: Schema.reference("User")))],
        errors: ["MISSING_ID_TOKEN", "INVALID_ARGUMENT"] + idTokenErrors, notImplemented: "`initialEmail` in the body.")

    static let delete = OperationDescription(
        summary: "Deletes the account of an ID token, or the one that an administrator names",
        request: [("idToken", Schema.string), ("localId", Schema.string)], response: [kind("DeleteAccountResponse")],
        errors: ["MISSING_ID_TOKEN", "MISSING_LOCAL_ID", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"] + idTokenErrors)

    static let update = OperationDescription(
        summary: "Completes an action code, or changes the account of an ID token or the one that an administrator names",
        request: [
            ("oobCode", Schema.string), ("idToken", Schema.string), ("localId", Schema.string), ("email", Schema.string),
            ("password", Schema.string), ("displayName", Schema.string), ("photoUrl", Schema.string), ("phoneNumber", Schema.string),
            ("emailVerified", Schema.boolean), ("disableUser", Schema.boolean), ("customAttributes", Schema.string),
            ("createdAt", Schema.int64), ("lastLoginAt", Schema.int64), ("validSince", Schema.int64),
            ("deleteAttribute", Schema.list(of: Schema.choice(["EMAIL", "DISPLAY_NAME", "PHOTO_URL", "PASSWORD"]))),
            ("deleteProvider", Schema.strings),
            (
                "linkProviderUserInfo",
                Schema.object([
                    ("providerId?", Schema.string), ("rawId?", Schema.string), ("displayName?", Schema.string), ("email?", Schema.string),
                    ("photoUrl?", Schema.string),
                ])
            ), ("returnSecureToken", Schema.boolean),
        ],
        response: [
            kind("SetAccountInfoResponse"), ("localId", Schema.string), ("email?", Schema.string), ("newEmail?", Schema.string),
            ("emailVerified", Schema.boolean), ("displayName?", Schema.string), ("photoUrl?", Schema.string),
            ("passwordHash?", Schema.string), ("providerUserInfo", Schema.list(of: Schema.reference("ProviderUserInfo"))),
        ] + optionalTokens,
        errors: [
            "INVALID_REQ_TYPE", "MISSING_LOCAL_ID", "CLAIMS_TOO_LARGE", "INVALID_CLAIMS", "FORBIDDEN_CLAIM", "MISSING_ID_TOKEN",
            "MISSING_OOB_CODE", "INVALID_OOB_CODE", "EXPIRED_OOB_CODE", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "INVALID_EMAIL",
            "EMAIL_EXISTS", "WEAK_PASSWORD", "INVALID_PROFILE_ATTRIBUTE", "INVALID_PHONE_NUMBER", "PHONE_NUMBER_EXISTS",
            "MISSING_PROVIDER_ID", "MISSING_RAW_ID", "FEDERATED_USER_ID_ALREADY_LINKED", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
            "TOO_MANY_ATTEMPTS_TRY_LATER",
        ] + idTokenErrors,
        notImplemented: "`provider`, `upgradeToFederatedLogin`, `mfa`, and the attributes PROVIDER and RAW_USER_INFO.")

    static let signInWithPassword = OperationDescription(
        summary: "Signs in with address and password",
        request: [("email", Schema.string), ("password", Schema.string), ("returnSecureToken", Schema.boolean)],
        response: [
            kind("VerifyPasswordResponse"), ("registered", Schema.boolean), ("localId", Schema.string), ("email?", Schema.string),
            ("displayName?", Schema.string),
        ] + tokens,
        errors: [
            "PASSWORD_LOGIN_DISABLED", "MISSING_EMAIL", "INVALID_EMAIL", "MISSING_PASSWORD", "EMAIL_NOT_FOUND", "INVALID_PASSWORD",
            "INVALID_LOGIN_CREDENTIALS", "USER_DISABLED", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ], notImplemented: "`captchaChallenge`, `captchaResponse`, `idToken` and `pendingIdToken` in the body.")

    static let signInWithCustomToken = OperationDescription(
        summary: "Not offered yet", request: [("token", Schema.string), ("returnSecureToken", Schema.boolean)], response: [], errors: [],
        notImplemented: "Always.")

    static let signOutUser = OperationDescription(
        summary: "Not offered", request: [], response: [], errors: [], notImplemented: "Always.")

    static let createAuthURI = OperationDescription(
        summary: "Tells how an address may sign in, where the project's answers hide nothing",
        request: [("identifier", Schema.string), ("continueUri", Schema.string), ("sessionId", Schema.string)],
        response: [
            kind("CreateAuthUriResponse"), ("registered?", Schema.boolean), ("allProviders?", Schema.strings), ("sessionId", Schema.string),
            ("signinMethods?", Schema.strings),
        ],
        errors: [
            "MISSING_IDENTIFIER", "MISSING_CONTINUE_URI", "INVALID_IDENTIFIER", "INVALID_CONTINUE_URI", "TOO_MANY_ATTEMPTS_TRY_LATER",
        ], notImplemented: "`providerId` in the body.")

    static let batchGet = OperationDescription(
        summary: "Lists accounts, a page at a time", request: [("maxResults", Schema.integer), ("nextPageToken", Schema.string)],
        response: [
            kind("DownloadAccountResponse"), ("users", Schema.list(of: Schema.reference("User"))), ("nextPageToken?", Schema.string),
        ], errors: ["INVALID_PAGE_SELECTION"], isPrivileged: true)

    static let batchDelete = OperationDescription(
        summary: "Deletes many accounts", request: [("localIds", Schema.strings), ("force", Schema.boolean)],
        response: [
            (
                "errors?",
                Schema.list(
                    of: Schema.object([("index", Schema.integer), ("localId", Schema.string), ("message", Schema.string)]))
            )
        ], errors: ["LOCAL_ID_LIST_EXCEEDS_LIMIT"], isPrivileged: true)

    static let query = OperationDescription(
        summary: "Finds, sorts and counts accounts",
        request: [
            ("returnUserInfo", Schema.boolean), ("limit", Schema.int64), ("offset", Schema.int64),
            ("sortBy", Schema.choice(["USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL"])),
            ("order", Schema.choice(["ASC", "DESC"])),
            (
                "expression",
                Schema.list(
                    of: Schema.object([("email?", Schema.string), ("phoneNumber?", Schema.string), ("userId?", Schema.string)]))
            ),
        ], response: [("recordsCount", Schema.int64), ("userInfo?", Schema.list(of: Schema.reference("User")))],
        errors: ["INVALID_PAGE_SELECTION"], isPrivileged: true)
}
