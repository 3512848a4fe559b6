internal import CMicroHTTPD
internal import Glibc

/// The other end of a connection, as text.
struct PeerAddress {
    let host: String
    let port: Int

    /// An IPv4 address that came in through an IPv6 socket (`::ffff:192.0.2.1`) is written as IPv4, so that limits count it once.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address = unsafe address else {
            host = ""
            port = 0
            return
        }
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let four = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            host = unsafe withUnsafeBytes(of: four.sin_addr.s_addr) { unsafe Self.dotted($0) }
            port = Int(UInt16(bigEndian: four.sin_port))
        case AF_INET6:
            let six = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            port = Int(UInt16(bigEndian: six.sin6_port))
            host = unsafe withUnsafeBytes(of: six.sin6_addr) { bytes in
                if unsafe bytes.prefix(10).allSatisfy({ $0 == 0 }) && bytes[10] == 0xFF && bytes[11] == 0xFF {
                    return unsafe Self.dotted(UnsafeRawBufferPointer(rebasing: bytes[12...]))
                }
                var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
                _ = unsafe inet_ntop(AF_INET6, bytes.baseAddress, &text, socklen_t(text.count))
                return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        default:
            host = ""
            port = 0
        }
    }

    private static func dotted(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe "\(bytes[0]).\(bytes[1]).\(bytes[2]).\(bytes[3])"
    }
}
