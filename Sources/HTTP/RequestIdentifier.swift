/// The parts of a request's id. Joined only when somebody asks, since most requests are never logged.
struct RequestIdentifier: Sendable, CustomStringConvertible {
    let prefix: String
    let number: UInt64?

    var description: String {
        guard let number else { return prefix }
        return "\(prefix)-\(String(number, radix: 36))"
    }
}
