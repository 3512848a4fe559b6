internal import ActionCodes
internal import Glibc
internal import Mail
internal import Platform
internal import SQLiteStorage

/// `postern bounce`: one message from standard input, as a mail server's pipe hands it over; beside a running server or without one.
///
/// Whatever the message is, it is taken: only when the database cannot be reached or written does the mail server keep it for later (75).
struct BounceCommand {
    /// How much of a message is looked at. Ours have some 60 KB, and a report quotes no more than one.
    private static let longest = 1 << 20

    private let options: BounceOptions

    init(_ options: BounceOptions) {
        self.options = options
    }

    func run() async throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        guard let report = DeliveryReport(try message()) else { return Console.print("ignored: not a delivery report") }
        let store = try CommandFailure.catching(.temporary) { () throws(SQLiteOpenError) in
            try SQLiteStore.open(path: configuration.databasePath, role: .tool, logger: .silent)
        }
        defer { store.close() }
        let suppress = SuppressReported(
            store: store, keys: KeyRing(secrets: configuration.secrets), clock: .system, projects: configuration.makeProjects())
        do throws(StoreError) {
            switch try await suppress(report) {
            case .suppressed(let count): Console.print("suppressed: \(count)")
            case .notForGood: Console.print("ignored: it says nothing for good about an address")
            case .foreign: Console.print("ignored: not about a mail of this service to the recipient that it names")
            }
        } catch {
            throw CommandFailure(.temporary, "the database cannot be used: \(error)")
        }
    }

    /// All of standard input, so that the writer is not cut off; what is beyond `longest` is dropped.
    private func message() throws(CommandFailure) -> [UInt8] {
        var message: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count == 0 { return message }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw CommandFailure(.io, "standard input cannot be read")
            }
            message += chunk[..<min(count, max(0, Self.longest - message.count))]
        }
    }
}
