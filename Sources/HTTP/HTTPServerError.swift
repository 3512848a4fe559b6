/// Why a server could not start or go on.
public enum HTTPServerError: Error, Sendable, Equatable {
    /// Another process, or another server of this one, listens there.
    case addressInUse(host: String, port: Int)
    /// The host is neither a numeric address nor `localhost`.
    case invalidHost(String)
    /// The port is not 0 to 65535.
    case invalidPort(Int)
    /// The address belongs to no interface of this machine.
    case addressNotAvailable(host: String)
    /// The system does not let this user listen there; ports below 1024 usually need a privilege.
    case permissionDenied(host: String, port: Int)
    /// A system call failed otherwise.
    case system(call: String, code: Int32)
    /// libmicrohttpd did not start or stopped working.
    case engineFailed

    /// Stable code for programs.
    public var code: String {
        switch self {
        case .addressInUse: "address_in_use"
        case .invalidHost: "invalid_host"
        case .invalidPort: "invalid_port"
        case .addressNotAvailable: "address_not_available"
        case .permissionDenied: "permission_denied"
        case .system: "system"
        case .engineFailed: "engine_failed"
        }
    }
}

extension HTTPServerError: CustomStringConvertible {
    /// A sentence for people, with the remedy where there is one.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "\(host) port \(port) is in use by another program. Stop that program or choose another port."
        case .invalidHost(let host): "\"\(host)\" is not an IP address. Give a numeric address such as 127.0.0.1 or ::1, or localhost."
        case .invalidPort(let port): "\(port) is not a port. Choose one from 0 to 65535."
        case .addressNotAvailable(let host): "\(host) is no address of this machine. Choose one of its own, or 0.0.0.0 for all."
        case .permissionDenied(let host, let port):
            "Not allowed to listen on \(host) port \(port). Choose a port above 1023, or give the program CAP_NET_BIND_SERVICE."
        case .system(let call, let code): "\(call) failed with error \(code)."
        case .engineFailed: "The HTTP engine could not start or stopped working; the process may be out of memory or file descriptors."
        }
    }
}
