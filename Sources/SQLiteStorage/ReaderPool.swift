internal import Mail
internal import Platform

/// Threads that read, each with a read-only connection of its own, so that reads wait for neither the writer nor each other.
final class ReaderPool: Sendable {
    private let queue: WorkQueue<@Sendable (SQLiteTransaction) -> Void>
    private let threads: [SystemThread]

    /// Starts a thread for each of `readers`, which it owns from here on.
    init(_ readers: [SQLiteTransaction]) {
        let queue = WorkQueue<@Sendable (SQLiteTransaction) -> Void>()
        self.queue = queue
        self.threads = readers.enumerated().map { index, reader in
            SystemThread(name: "sqlite-read-\(index)") {
                while let read = queue.take(upTo: 1).first { read(reader) }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Runs `body` in a transaction of its own, so that all it reads belongs together.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteTransaction) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let accepted = queue.put { reader in
                continuation.resume(returning: Self.result(of: body, reader))
            }
            if !accepted { continuation.resume(returning: .failure(.stopped)) }
        }
        return try result.get()
    }

    /// Finishes the reads that were handed in and ends the threads, which give up their connections. Blocks; call once.
    func stop() {
        queue.close()
        for thread in threads { thread.join() }
    }

    private static func result<Value>(
        of body: (SQLiteTransaction) throws(StoreError) -> Value, _ reader: SQLiteTransaction
    ) -> Result<Value, StoreError> {
        do throws(StoreError) {
            try reader.connection.beginReading()
            // Nothing was written, so rolling back ends the view as well as committing does, and cannot fail.
            defer { reader.connection.rollBack() }
            return .success(try body(reader))
        } catch {
            return .failure(error)
        }
    }
}
