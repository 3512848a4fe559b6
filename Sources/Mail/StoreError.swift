/// Why a store could not do what it was asked; never a business refusal, those are values.
public enum StoreError: Error, Sendable, Equatable {
    /// The disk is full or read-only, the file is damaged, the server is gone. `cause` is for the log and holds no row contents.
    case unavailable(cause: String)
    /// The store was stopped.
    case stopped
}
