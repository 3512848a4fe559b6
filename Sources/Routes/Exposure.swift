/// What one listening socket answers, when there is one for the public and one for operators.
public enum Exposure: Sendable {
    /// Everything: there is only one socket.
    case everything
    /// The API without privileged calls, pages and files: reachable from anywhere.
    case publicOnly
    /// Everything, privileged calls and the operators' pages included: reachable from inside.
    case administrative

    var acceptsPrivileged: Bool { self != .publicOnly }
    var showsOperations: Bool { self != .publicOnly }
}
