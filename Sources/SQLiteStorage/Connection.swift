internal import CSQLite
internal import Mail
internal import Platform

/// One connection to the database file, with its prepared statements.
///
/// `@unchecked Sendable` because: (1) a connection belongs to one thread at a time (the writer's to the writer thread, each reader's to
/// its reader thread; before those start it is touched by the opener only); (2) SQLite's multi-thread mode (`SQLITE_OPEN_NOMUTEX`) allows
/// exactly that; (3) neither the handle nor a statement leaves this file.
@safe final class Connection: @unchecked Sendable {
    /// What a connection is for.
    enum Mode {
        /// Writes; there is one of these in a process.
        case readWrite
        /// Reads only; SQLite refuses everything else.
        case readOnly
    }

    private let handle: OpaquePointer
    /// By the address of the literal that holds the SQL: hashing a pointer costs a fraction of hashing the text.
    private var statements: [Int: Statement] = [:]
    /// The first error of the transaction that is open. SQLite ends a transaction by itself after some errors (disk full, I/O), and
    /// whatever ran afterwards would commit alone; so nothing runs after an error until the next `begin`.
    private(set) var failure: StoreError?

    /// Opens an existing file. `cacheKiB` bounds the page cache.
    init(path: String, mode: Mode, cacheKiB: Int) throws(StoreError) {
        let access = mode == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            // SQLite gives a handle even for a failed open, and it must be closed.
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(extendedCode: code).storeError
        }
        unsafe self.handle = handle
        // A file that somebody prepared must not run code of its own or be corrupted through SQL (sqlite.org/security.html).
        unsafe postern_sqlite3_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        unsafe postern_sqlite3_switch(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        unsafe postern_sqlite3_switch(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        unsafe postern_sqlite3_switch(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        unsafe sqlite3_busy_timeout(handle, 5_000)
        try script(
            """
            PRAGMA temp_store = MEMORY;
            PRAGMA mmap_size = 0;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = FAST;
            """)
        try text("PRAGMA cache_size = -\(cacheKiB)")
        if mode == .readWrite {
            // FULL: a commit is on the disk when it returns. The write-ahead log is copied back every 4 MB and shrunk after bursts.
            try script(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = 1000;
                PRAGMA journal_size_limit = 67108864;
                """)
        }
    }

    deinit {
        // Closes for good once the statements, which go after this, are finalized.
        unsafe sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Runs a statement that gives no rows; gives how many rows it changed.
    @discardableResult
    func run<each Value: Bindable>(_ sql: StaticString, _ values: repeat each Value) throws(StoreError) -> Int {
        let statement = unsafe try prepared(sql, repeat each values)
        defer { unsafe sqlite3_reset(statement) }
        while unsafe try step(statement) {}
        return Int(unsafe sqlite3_changes(handle))
    }

    /// Runs a statement and makes a value of each row.
    func rows<each Value: Bindable, Element>(
        _ sql: StaticString, _ values: repeat each Value, element: (Row) throws(StoreError) -> Element
    ) throws(StoreError) -> [Element] {
        let statement = unsafe try prepared(sql, repeat each values)
        defer { unsafe sqlite3_reset(statement) }
        var elements: [Element] = []
        while unsafe try step(statement) { elements.append(try element(unsafe Row(statement: statement))) }
        return elements
    }

    /// Runs a statement to its end and makes a value of the first row; nil without one.
    func first<each Value: Bindable, Element>(
        _ sql: StaticString, _ values: repeat each Value, element: (Row) throws(StoreError) -> Element
    ) throws(StoreError) -> Element? {
        let statement = unsafe try prepared(sql, repeat each values)
        defer { unsafe sqlite3_reset(statement) }
        guard unsafe try step(statement) else { return nil }
        let first = try element(unsafe Row(statement: statement))
        while unsafe try step(statement) {}
        return first
    }

    /// Runs several statements without values or rows, none of them kept.
    func script(_ sql: StaticString) throws(StoreError) {
        try text("\(sql)")
    }

    /// Statements that SQLite takes no bound values for; never with anything that came from outside.
    private func text(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw noted(SQLiteError(extendedCode: code)) }
    }

    private func prepared<each Value: Bindable>(
        _ sql: StaticString, _ values: repeat each Value
    ) throws(StoreError) -> OpaquePointer {
        if let failure { throw failure }
        let statement: OpaquePointer
        let key = unsafe Int(bitPattern: sql.utf8Start)
        if let known = statements[key] {
            unsafe statement = known.pointer
        } else {
            var made: OpaquePointer?
            let code = sql.withUTF8Buffer { text in
                unsafe text.withMemoryRebound(to: CChar.self) { text in
                    unsafe sqlite3_prepare_v3(
                        handle, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
                }
            }
            guard code == SQLITE_OK, let new = unsafe made else { throw noted(SQLiteError(extendedCode: code)) }
            unsafe statements[key] = Statement(pointer: new)
            unsafe statement = new
        }
        var binder = unsafe Binder(statement: statement)
        repeat (each values).bind(to: &binder)
        guard binder.code == SQLITE_OK else { throw noted(SQLiteError(extendedCode: binder.code)) }
        // A value left over from the last use would be worse than a crash.
        precondition(unsafe sqlite3_bind_parameter_count(statement) == binder.count, "statement with a value too many or too few")
        return unsafe statement
    }

    private func step(_ statement: OpaquePointer) throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw noted(SQLiteError(extendedCode: code))
        }
    }

    private func noted(_ error: SQLiteError) -> StoreError {
        if failure == nil, isInTransaction || transactionBegun { failure = error.storeError }
        return error.storeError
    }

    // MARK: Transactions

    private var transactionBegun = false
    private var durability = Durability.disk

    /// What a commit survives.
    enum Durability {
        /// The end of the process, by whatever signal, but not that of the machine: the kernel has the pages. A later commit to the disk takes
        /// this one with it, since the write-ahead log is one file written from front to back.
        case process
        /// The end of the machine, too.
        case disk
    }

    /// Whether SQLite has a transaction open.
    private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction that may write; waits up to 5 s for another process that writes.
    ///
    /// SQLite in WAL mode leaves out the `fsync` of a commit with `synchronous=NORMAL`, which can be set between transactions only
    /// (sqlite.org/pragma.html#pragma_synchronous).
    func beginWriting(_ durability: Durability = .disk) throws(StoreError) {
        if durability != self.durability {
            switch durability {
            case .process: try run("PRAGMA synchronous = NORMAL")
            case .disk: try run("PRAGMA synchronous = FULL")
            }
            self.durability = durability
        }
        try run("BEGIN IMMEDIATE")
        transactionBegun = true
    }

    /// Begins a transaction whose reads all see the same state.
    func beginReading() throws(StoreError) {
        try run("BEGIN")
        transactionBegun = true
    }

    /// Ends the transaction; it is as durable as it was begun on return. After an error it is as if it had never begun.
    func commit() throws(StoreError) {
        do throws(StoreError) {
            try run("COMMIT")
            transactionBegun = false
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the transaction. Cannot fail: where SQLite reports an error it has rolled back by itself already.
    func rollBack() {
        failure = nil
        transactionBegun = false
        if isInTransaction { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Whether the open transaction has seen an error, so that it can only be rolled back.
    var hasFailed: Bool { failure != nil }

    // MARK: Values

    /// Owns a prepared statement.
    @safe private final class Statement {
        let pointer: OpaquePointer

        init(pointer: OpaquePointer) {
            unsafe self.pointer = pointer
        }

        deinit {
            unsafe sqlite3_finalize(pointer)
        }
    }

    /// Binds values to a statement, one after the other.
    @safe struct Binder {
        fileprivate let statement: OpaquePointer
        fileprivate var count: Int32 = 0
        fileprivate var code = SQLITE_OK

        fileprivate init(statement: OpaquePointer) {
            unsafe self.statement = statement
        }

        private mutating func bound(_ result: Int32) {
            count += 1
            if result != SQLITE_OK { code = result }
        }

        /// NULL.
        mutating func null() { bound(unsafe sqlite3_bind_null(statement, count + 1)) }

        /// An integer.
        mutating func integer(_ value: Int64) { bound(unsafe sqlite3_bind_int64(statement, count + 1, value)) }

        /// A text; SQLite copies it.
        mutating func text(_ value: String) {
            var value = value
            let result = unsafe value.withUTF8 { [statement, count] bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe postern_sqlite3_bind_text(statement, count + 1, bytes.baseAddress, Int32(clamping: bytes.count))
                }
            }
            bound(result)
        }

        /// Bytes; SQLite copies them.
        mutating func blob(_ value: [UInt8]) {
            let result = unsafe value.withUnsafeBytes { bytes in
                unsafe postern_sqlite3_bind_blob(statement, count + 1, bytes.baseAddress, Int32(clamping: bytes.count))
            }
            bound(result)
        }
    }

    /// The row that a statement stands on; valid only within the closure that gets it.
    @safe struct Row {
        private let statement: OpaquePointer

        fileprivate init(statement: OpaquePointer) {
            unsafe self.statement = statement
        }

        func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }
        func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

        func text(_ column: Int32) -> String {
            // The order matters: the first call may convert, the second then counts the converted bytes.
            guard let bytes = unsafe sqlite3_column_text(statement, column) else { return "" }
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }

        func blob(_ column: Int32) -> [UInt8] {
            guard let bytes = unsafe sqlite3_column_blob(statement, column) else { return [] }
            return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }
}

extension Connection.Row {
    func int(_ column: Int32) -> Int { Int(integer(column)) }
    func flag(_ column: Int32) -> Bool { integer(column) != 0 }
    func time(_ column: Int32) -> UnixTime { UnixTime(milliseconds: integer(column)) }
    func optionalTime(_ column: Int32) -> UnixTime? { isNull(column) ? nil : time(column) }
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func optionalEmail(_ column: Int32) -> EmailAddress? { isNull(column) ? nil : EmailAddress(storedText: text(column)) }
}
