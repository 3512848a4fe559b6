internal import Glibc
internal import Mail
internal import Synchronization

/// Remembers which mails were sent until the database has forgotten them, so that a lane need not wait for a transaction after each.
///
/// A file of fixed size beside the database. A record is written by one `pwrite`, which a kill cannot cut in two, and outlives the process
/// in the kernel's cache; it is not forced to the disk, so a power cut may repeat the mails of the last seconds. The next start removes from
/// the outbox what the records name, before anything is sent. A record that is not needed any more does no harm: it names its entry by
/// number and token, and neither comes twice. So giving a place back costs nothing.
final class SentJournal: Sendable {
    /// A mail that was sent.
    struct Record: Sendable, Equatable {
        var id: Int64
        /// `OutboxEntry.messageToken`, 12 bytes.
        var token: [UInt8]
    }

    /// How many sent mails the database may not know of yet.
    static let capacity = 4096
    private static let recordLength = 32
    private static let tokenLength = 12

    private let path: String
    private let file: Int32
    private let free: Mutex<[Int]>

    /// Opens or makes `path` (0600) and gives what it holds. The file has its full size from the start, so that a full disk cannot come
    /// between a mail and its record.
    static func open(path: String) throws(SQLiteOpenError) -> (journal: SentJournal, records: [Record]) {
        let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .cannotCreate(path: path, reason: DatabaseFile.systemText()) }
        let length = capacity * recordLength
        let failure = posix_fallocate(file, 0, off_t(length))
        guard failure == 0 else {
            close(file)
            throw .cannotCreate(path: path, reason: unsafe String(cString: strerror(failure)))
        }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
        guard count == length else {
            close(file)
            throw .cannotCreate(path: path, reason: DatabaseFile.systemText())
        }
        let records = stride(from: 0, to: length, by: recordLength).compactMap { record(bytes[$0..<$0 + recordLength]) }
        return (SentJournal(path, file), records)
    }

    private init(_ path: String, _ file: Int32) {
        self.path = path
        self.file = file
        self.free = Mutex(Array((0..<Self.capacity).reversed()))
    }

    deinit {
        close(file)
    }

    /// Writes a record; gives its place, or nil when there is none or the write fails.
    func add(_ record: Record) -> Int? {
        guard record.token.count == Self.tokenLength, let place = free.withLock({ $0.popLast() }) else { return nil }
        let bytes = Self.bytes(record)
        let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, off_t(place * Self.recordLength)) }
        if written == bytes.count { return place }
        release([place])
        return nil
    }

    /// Removes the file, which nothing is added to any more.
    func remove() {
        unsafe unlink(path)
    }

    /// The database knows these.
    func release(_ places: some Sequence<Int>) {
        free.withLock { $0.append(contentsOf: places) }
    }

    // MARK: The record: number (8 bytes, little end first), token (12), zeros (4), checksum (8)

    static func bytes(_ record: Record) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(recordLength)
        append(UInt64(bitPattern: record.id), to: &bytes)
        bytes.append(contentsOf: record.token)
        bytes.append(contentsOf: [0, 0, 0, 0])
        append(checksum(bytes[...]), to: &bytes)
        return bytes
    }

    /// nil for what was never written, or only in part before the power went.
    static func record(_ bytes: ArraySlice<UInt8>) -> Record? {
        guard bytes.count == recordLength, number(bytes.suffix(8)) == checksum(bytes.dropLast(8)) else { return nil }
        let id = Int64(bitPattern: number(bytes.prefix(8)))
        return Record(id: id, token: Array(bytes.dropFirst(8).prefix(tokenLength)))
    }

    /// FNV-1a. Zeros do not sum up to zero.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
