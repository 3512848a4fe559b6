internal import Mail
internal import Platform

/// A value that a statement takes.
protocol Bindable {
    /// Binds the value as the next one.
    func bind(to binder: inout Connection.Binder)
}

extension Int64: Bindable {
    func bind(to binder: inout Connection.Binder) { binder.integer(self) }
}

extension Int: Bindable {
    func bind(to binder: inout Connection.Binder) { binder.integer(Int64(self)) }
}

extension Bool: Bindable {
    func bind(to binder: inout Connection.Binder) { binder.integer(self ? 1 : 0) }
}

extension String: Bindable {
    func bind(to binder: inout Connection.Binder) { binder.text(self) }
}

extension Array: Bindable where Element == UInt8 {
    func bind(to binder: inout Connection.Binder) { binder.blob(self) }
}

extension UnixTime: Bindable {
    /// As milliseconds.
    func bind(to binder: inout Connection.Binder) { binder.integer(milliseconds) }
}

extension EmailAddress: Bindable {
    func bind(to binder: inout Connection.Binder) { binder.text(text) }
}

extension Optional: Bindable where Wrapped: Bindable {
    /// NULL for nil.
    func bind(to binder: inout Connection.Binder) {
        switch self {
        case .some(let value): value.bind(to: &binder)
        case .none: binder.null()
        }
    }
}
