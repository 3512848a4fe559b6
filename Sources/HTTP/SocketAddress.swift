internal import Glibc

/// A numeric address to listen on.
struct SocketAddress {
    private enum Value {
        case four(in_addr)
        case six(in6_addr)
    }

    private let value: Value
    /// The unspecified IPv6 address, which then stands for IPv4 as well.
    let isAny: Bool

    /// Nil when `host` is neither a numeric address nor `localhost`.
    init?(host: String) {
        let host = host == "localhost" ? "127.0.0.1" : host
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, host, &four) == 1 {
            value = .four(four)
            isAny = false
        } else if unsafe inet_pton(AF_INET6, host, &six) == 1 {
            value = .six(six)
            isAny = unsafe withUnsafeBytes(of: six) { unsafe $0.allSatisfy { $0 == 0 } }
        } else {
            return nil
        }
    }

    var family: Int32 {
        switch value {
        case .four: AF_INET
        case .six: AF_INET6
        }
    }

    /// False on failure, with `errno` set.
    func bind(_ socket: Int32, port: UInt16) -> Bool {
        switch value {
        case .four(let address):
            var full = sockaddr_in()
            full.sin_family = sa_family_t(AF_INET)
            full.sin_port = port.bigEndian
            full.sin_addr = address
            return Self.bind(socket, full)
        case .six(let address):
            var full = sockaddr_in6()
            full.sin6_family = sa_family_t(AF_INET6)
            full.sin6_port = port.bigEndian
            full.sin6_addr = address
            return Self.bind(socket, full)
        }
    }

    private static func bind<Address>(_ socket: Int32, _ address: Address) -> Bool {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe Glibc.bind(
                socket, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size)) == 0
        }
    }
}
