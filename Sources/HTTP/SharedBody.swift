internal import Synchronization

/// A body that many answers share, such as a file kept in memory: made once, sent without a copy.
///
/// The prepared answer of the headers it was last sent with is kept too, so give the same `HTTPHeaders` value each time.
public final class SharedBody: Sendable {
    let bytes: SharedBytes
    private let prepared = Mutex<(headers: HTTPHeaders, response: ResponseHandle)?>(nil)

    /// Copies `bytes` once, for good.
    public init(_ bytes: [UInt8]) {
        self.bytes = SharedBytes(bytes)
    }

    /// Length in bytes.
    public var count: Int { bytes.count }

    func response(headers: HTTPHeaders) -> ResponseHandle? {
        if let kept = prepared.withLock({ kept in kept.flatMap { $0.headers.isIdentical(to: headers) ? $0.response : nil } }) {
            return kept
        }
        guard let made = ResponseHandle(shared: bytes, headers: headers, closing: false) else { return nil }
        prepared.withLock { $0 = (headers, made) }
        return made
    }
}
