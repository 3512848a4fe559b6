/// Why a text is not an address that mail can go to.
public enum EmailAddressError: String, Error, Sendable, Equatable, CaseIterable {
    /// Nothing but white space.
    case empty
    /// More than 254 octets (RFC 5321 §4.5.3.1.3, less the angle brackets).
    case tooLong
    /// No `@`.
    case missingAt
    /// More than one `@`.
    case severalAts
    /// A local part in quotes; allowed by RFC 5321, used by nobody, understood differently by many.
    case quotedLocalPart
    /// An IP address in brackets instead of a domain.
    case addressLiteral
    /// A control character, a line break, a bidirectional control or a character without a width.
    case invisibleCharacter
    /// White space within.
    case whiteSpace
    /// A character that a local part must not have without quotes, or that is no letter, mark or digit beyond ASCII.
    case forbiddenCharacter
    /// A dot first, last or next to another one.
    case misplacedDot
    /// Nothing before the `@`.
    case localPartMissing
    /// More than 64 octets before the `@` (RFC 5321 §4.5.3.1.1).
    case localPartTooLong
    /// Nothing after the `@`.
    case domainMissing
    /// More than 253 octets after the `@`, as A-labels.
    case domainTooLong
    /// A label of more than 63 octets, as an A-label.
    case labelTooLong
    /// A single label other than `localhost`.
    case domainWithoutDot
    /// Not a host name by RFC 1123 and IDNA2008.
    case malformedDomain
    /// Angle brackets that do not enclose exactly the address at the end (`Mailbox` only).
    case misplacedBrackets
}

extension EmailAddressError: CustomStringConvertible {
    /// A sentence for people, without the address.
    public var description: String {
        switch self {
        case .empty: "The e-mail address is empty."
        case .tooLong: "The e-mail address is longer than 254 octets."
        case .missingAt: "The e-mail address has no @."
        case .severalAts: "The e-mail address has more than one @."
        case .quotedLocalPart: "Quotes before the @ of an e-mail address are not supported."
        case .addressLiteral: "An e-mail address must end in a domain, not in an IP address."
        case .invisibleCharacter: "The e-mail address has a control character or an invisible one."
        case .whiteSpace: "The e-mail address has white space in it."
        case .forbiddenCharacter: "The e-mail address has a character that is not allowed before the @."
        case .misplacedDot: "The e-mail address has a dot at a place where none may be."
        case .localPartMissing: "The e-mail address has nothing before the @."
        case .localPartTooLong: "The e-mail address has more than 64 octets before the @."
        case .domainMissing: "The e-mail address has nothing after the @."
        case .domainTooLong: "The domain of the e-mail address is longer than 253 octets."
        case .labelTooLong: "The domain of the e-mail address has a label of more than 63 octets."
        case .domainWithoutDot: "The domain of the e-mail address has no dot."
        case .malformedDomain: "The domain of the e-mail address is not a host name."
        case .misplacedBrackets: "Angle brackets must enclose the e-mail address and end the text."
        }
    }
}
