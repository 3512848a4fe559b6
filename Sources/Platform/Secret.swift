/// A value that must not be seen in logs, errors or debuggers: every way of printing it shows `<redacted>`.
public struct Secret<Value: Sendable>: Sendable {
    /// The value itself; take it out only where it is used.
    public let exposed: Value

    /// Wraps a secret.
    public init(_ value: Value) {
        self.exposed = value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Without children, so that `dump` and string interpolation of an enclosing value show nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}
