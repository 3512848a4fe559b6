internal import ActionCodes
internal import Mail
internal import Platform

/// Finds the live codes of an address, however many codes are stored, without making inserts pay for it.
///
/// Live codes are indexed by address, and addresses come in no order: in one big index every insert would dirty a page of its own, and
/// with millions of codes that is what accepting a mail would cost. So codes are numbered into generations of some ten thousand, and the
/// index is ordered by generation first: inserts stay within the few pages of the newest. A search must then ask each generation; a
/// `BloomFilter` for each, in memory, says which ones are worth asking. A filter is stored when its generation is full, and made
/// again from the index when it is not there. Filters only ever say too much: after a rollback, or when codes are used or purged.
///
/// The filters know what their own process inserts, so only the one that serves has them. A tool beside it asks all generations, and what
/// it inserts goes into generation 0, which everybody asks.
///
/// Used by the connection that writes; its thread alone touches it, as with `Connection`.
final class LiveCodeIndex: @unchecked Sendable {
    /// How many codes a generation holds. Its filter then has 16 bits a code, and one search in some 300 asks in vain.
    static let defaultCapacity = 32_768
    /// The generation of codes that were inserted beside a serving process: few, so it needs no filter.
    private static let shared: Int64 = 0

    private struct Generation {
        /// The low bit is 1 for codes that live longer than a day: they must not keep the filters of the others from being dropped.
        var number: Int64
        var filter: BloomFilter
        var count = 0
        var lastExpiry = UnixTime(milliseconds: 0)
    }

    private let capacity: Int
    private let role: SQLiteStore.Role
    private var generations: [Generation] = []
    /// The places of the newest generations in `generations`: of short-lived codes, and of long-lived ones.
    private var newest: [Int?] = [nil, nil]
    private var lastNumber: Int64 = 0

    /// Reads the filters of a database; makes those that are missing and stores them, which spares the next start the work.
    init(_ connection: Connection, role: SQLiteStore.Role, capacity: Int = defaultCapacity) throws(StoreError) {
        self.capacity = capacity
        self.role = role
        if role == .tool { return }
        generations = try connection.rows("SELECT generation, filter, last_expiry FROM code_generations ORDER BY generation") { row in
            Generation(number: row.integer(0), filter: BloomFilter(bytes: row.blob(1)), count: .max, lastExpiry: row.time(2))
        }
        let known = Set(generations.map(\.number))
        var found: Int64? = try Self.generation(after: Self.shared, connection)
        while let number = found {
            if !known.contains(number) { generations.append(try Self.rebuilt(number, capacity: capacity, connection)) }
            found = try Self.generation(after: number, connection)
        }
        lastNumber = generations.map { $0.number >> 1 }.max() ?? 0
        for index in generations.indices where generations[index].count < capacity {
            let kind = Int(generations[index].number & 1)
            if newest[kind].map({ generations[$0].number < generations[index].number }) ?? true { newest[kind] = index }
        }
        for (index, generation) in generations.enumerated() where !known.contains(generation.number) && !newest.contains(index) {
            try Self.store(generation, connection)
        }
    }

    /// The generations that may hold a code of this address.
    func candidates(_ addressHash: Int64, _ connection: Connection) throws(StoreError) -> [Int64] {
        var candidates = [Self.shared]
        switch role {
        case .serving:
            let probe = BloomFilter.Probe(addressHash)
            for generation in generations where generation.filter.mayContain(probe) { candidates.append(generation.number) }
        case .tool:
            while let last = candidates.last, let next = try Self.generation(after: last, connection) { candidates.append(next) }
        }
        return candidates
    }

    /// Notes a code that is about to be inserted; gives the generation that it goes into.
    func generation(for addressHash: Int64, of code: ActionCode, _ connection: Connection) throws(StoreError) -> Int64 {
        if role == .tool { return Self.shared }
        let kind = code.expiresAt - code.createdAt > .seconds(86_400) ? 1 : 0
        var place = newest[kind]
        if let full = place, generations[full].count >= capacity {
            // Should this be rolled back, the filter is made again when the database is opened next.
            try Self.store(generations[full], connection)
            place = nil
        }
        let index = place ?? begin(kind)
        generations[index].filter.insert(BloomFilter.Probe(addressHash))
        generations[index].count += 1
        generations[index].lastExpiry = max(generations[index].lastExpiry, code.expiresAt)
        return generations[index].number
    }

    /// Forgets the generations whose codes have all expired before `time` and were purged.
    func forget(expiredBefore time: UnixTime, _ connection: Connection) throws(StoreError) {
        guard generations.contains(where: { $0.lastExpiry < time }) else { return }
        try connection.run("DELETE FROM code_generations WHERE last_expiry < ?", time)
        let kept = newest.map { $0.map { generations[$0].number } }
        // The newest ones stay: codes go into them still.
        generations.removeAll { $0.lastExpiry < time && !kept.contains($0.number) }
        newest = kept.map { number in generations.firstIndex { $0.number == number } }
    }

    private func begin(_ kind: Int) -> Int {
        lastNumber += 1
        generations.append(Generation(number: lastNumber << 1 | Int64(kind), filter: BloomFilter(capacity: capacity)))
        newest[kind] = generations.count - 1
        return generations.count - 1
    }

    private static func store(_ generation: Generation, _ connection: Connection) throws(StoreError) {
        try connection.run(
            "INSERT OR REPLACE INTO code_generations (generation, filter, last_expiry) VALUES (?, ?, ?)",
            generation.number, generation.filter.bytes, generation.lastExpiry)
    }

    private static func generation(after number: Int64, _ connection: Connection) throws(StoreError) -> Int64? {
        try connection.first(
            """
            SELECT generation FROM action_codes INDEXED BY action_codes_live
            WHERE state = 0 AND generation > ? ORDER BY generation LIMIT 1
            """, number
        ) { $0.integer(0) }
    }

    private static func rebuilt(_ number: Int64, capacity: Int, _ connection: Connection) throws(StoreError) -> Generation {
        var generation = Generation(number: number, filter: BloomFilter(capacity: capacity))
        let codes = try connection.rows(
            "SELECT address_hash, expires_at FROM action_codes INDEXED BY action_codes_live WHERE state = 0 AND generation = ?", number
        ) { ($0.integer(0), $0.time(1)) }
        for (hash, expiry) in codes {
            generation.filter.insert(BloomFilter.Probe(hash))
            generation.lastExpiry = max(generation.lastExpiry, expiry)
        }
        generation.count = codes.count
        return generation
    }
}
