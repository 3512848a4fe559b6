internal import ActionCodes
internal import Mail
internal import Platform

/// What is done within one transaction on one connection. The statements are in extensions, one a subject.
struct SQLiteTransaction: StoreTransaction {
    let connection: Connection
    let addressHash: AddressHash
    /// On the connection that writes; a reader has no use for it.
    var liveCodes: LiveCodeIndex?
}
