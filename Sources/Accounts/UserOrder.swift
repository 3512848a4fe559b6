/// An order in which accounts are listed.
public struct UserOrder: Sendable, Equatable {
    /// What accounts are compared by. Texts compare by their bytes; accounts without a value come before those with one.
    public enum Field: Sendable, CaseIterable {
        /// The id.
        case id
        /// The name.
        case displayName
        /// When the account was made.
        case createdAt
        /// When somebody signed in last.
        case lastLoginAt
        /// The address.
        case email
    }

    /// What is compared.
    public var field: Field
    /// Whether the greatest comes first. Accounts that compare equal stay in the ascending order of their ids.
    public var isDescending: Bool

    /// Makes an order.
    public init(field: Field, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }

    /// The smallest first.
    public static func ascending(_ field: Field) -> UserOrder { UserOrder(field: field, isDescending: false) }
    /// The greatest first.
    public static func descending(_ field: Field) -> UserOrder { UserOrder(field: field, isDescending: true) }
}
