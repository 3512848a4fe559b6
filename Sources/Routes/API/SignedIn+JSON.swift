internal import Accounts

extension SignedIn {
    /// The members that every sign-in answers with.
    var tokenMembers: [(String, JSON?)] {
        [
            ("idToken", .string(idToken)), ("refreshToken", .string(refreshToken)),
            ("expiresIn", .string(String(expiresIn.components.seconds))),
        ]
    }
}
