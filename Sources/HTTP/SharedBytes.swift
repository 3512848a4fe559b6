/// An immutable buffer at a fixed address.
///
/// `@unchecked Sendable` because: (1) the memory is written in `init` only; (2) it lives until `deinit`; (3) every reader, libmicrohttpd
/// included, holds a reference to this object.
@safe final class SharedBytes: @unchecked Sendable {
    let count: Int
    private let memory: UnsafeMutableRawPointer

    init(_ bytes: [UInt8]) {
        count = bytes.count
        unsafe memory = .allocate(byteCount: max(1, bytes.count), alignment: 16)
        unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Valid as long as this object.
    @unsafe var address: UnsafeMutableRawPointer { unsafe memory }
}
