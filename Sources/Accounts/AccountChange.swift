public import Mail

/// What a change of an account came to, within its transaction; whoever keeps action codes acts on it there.
public struct AccountChange: Sendable {
    /// The account as it is stored now.
    public var user: User
    /// The address that the account has just given up, whose holder must be told and offered the way back.
    public var replacedEmail: EmailAddress?
    /// Whether codes that were mailed for the account must not work any more: its address or its password is another one.
    public var endsActionCodes: Bool
    /// The session that takes the place of those that the change has ended; it is stored already.
    public var session: Session?
}
