public import Crypto
public import Platform
internal import Synchronization

/// The keys that sign ID tokens, kept in a folder that several processes may share.
///
/// Each key is a file `<created seconds>-<kid>.pem`. The newest signs. An older one stays published and its tokens stay accepted until
/// `grace` after its successor was made, when the last of them has expired; then it is forgotten, and its file deleted on the next load.
public final class TokenKeys: Sendable {
    /// How long a key outlives the making of its successor: the lifetime of a token, and five minutes for servers that had not yet seen
    /// the successor and for clocks that differ.
    public static let grace: Duration = IDTokenIssuer.lifetime + .seconds(300)

    private let folder: KeyFolder
    private let algorithm: SigningKey.Algorithm
    private let publication: Duration
    private let clock: WallClock
    private let state: Mutex<State>

    private struct State {
        var keys: TokenKeySet
        /// The files of the last load; `nil` after a load that failed.
        var seen: [String]?
    }

    /// What tokens may be signed with. Firebase's SDKs, and what is written about them, know no EdDSA.
    public static let algorithms: [SigningKey.Algorithm] = [.rs256, .es256]

    /// Loads the keys of a folder, making the folder (0700) and a first key when there are none.
    ///
    /// `algorithm` is that of keys to be made; keys that exist keep theirs. `publication` is how long a new key is published before it
    /// signs: as long as verifiers keep what they fetched, or they would meet tokens of a key that they do not know.
    /// - Throws: for a folder or file that others may touch, and for any `.pem` file in it that is not a token key.
    public init(
        folder path: String, algorithm: SigningKey.Algorithm = .rs256, publication: Duration = .zero, clock: WallClock = .system
    ) throws(TokenKeyError) {
        guard Self.algorithms.contains(algorithm) else { throw .crypto(.wrongKind(algorithm, accepted: Self.algorithms)) }
        let folder = try KeyFolder(path: path)
        self.folder = folder
        self.algorithm = algorithm
        self.publication = publication
        self.clock = clock
        state = Mutex(
            try folder.whileLocked { () throws(TokenKeyError) in
                try Self.load(folder, algorithm: algorithm, publication: publication, now: clock.now())
            })
    }

    /// The keys as of the last load.
    public var current: TokenKeySet { state.withLock { $0.keys } }

    /// Makes a new key, which is published from now on and signs once that is long enough ago.
    ///
    /// Takes some tenths of a second of one core with RS256.
    public func rotate() throws(TokenKeyError) {
        let key = try Self.generate(algorithm)
        let folder = folder
        let now = clock.now()
        try folder.whileLocked { () throws(TokenKeyError) in
            try folder.removeUnfinished()
            try Self.add(key, to: folder, after: Self.files(in: folder).first, now: now)
        }
        try reload()
    }

    /// Reads the folder again and deletes keys whose tokens have all expired. When it throws, the keys stay as they were.
    public func reload() throws(TokenKeyError) {
        let folder = folder
        try folder.whileLocked { () throws(TokenKeyError) in
            let loaded = try Self.load(folder, algorithm: algorithm, publication: publication, now: clock.now())
            // While the folder is locked, so that of two loads at once the later one stays.
            state.withLock { $0 = loaded }
        }
    }

    /// Reloads when a file has come or gone since the last load, or a key's time is over; gives whether it did.
    func reloadIfChanged() throws(TokenKeyError) -> Bool {
        // Names rather than the folder's time, which two changes within one tick of the kernel's clock share.
        let names = try folder.names()
        let now = clock.now()
        let isDue = state.withLock { state in
            let isDue = state.keys.nextChange.map { $0 <= now } ?? false
            guard isDue || names != state.seen else { return false }
            // Until it succeeds every look is a change: a file can be corrected under the name it has.
            state.seen = nil
            return true
        }
        guard isDue else { return false }
        try reload()
        return true
    }

    // MARK: Files

    /// A key's file, by its name alone.
    private struct File {
        var name: String
        var created: Int64
        var keyID: String

        init?(name: String) {
            let parts = name.dropLast(".pem".count).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            // Eleven digits are seconds up to the year 5138; a certificate can hold dates up to 9999.
            guard parts.count == 2, parts[0].utf8.count <= 11, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let created = Int64(parts[0])
            else { return nil }
            self.name = name
            self.created = created
            keyID = String(parts[1])
        }

        init(key: SigningKey, created: Int64) {
            name = "\(created)-\(key.keyID).pem"
            self.created = created
            keyID = key.keyID
        }
    }

    /// Call while locked.
    private static func load(
        _ folder: KeyFolder, algorithm: SigningKey.Algorithm, publication: Duration, now: UnixTime
    ) throws(TokenKeyError) -> State {
        var files = try Self.files(in: folder)
        if files.isEmpty {
            try folder.removeUnfinished()
            files = [try add(generate(algorithm), to: folder, after: nil, now: now)]
        }
        var entries: [TokenKeySet.Entry] = []
        var seen: [String] = []
        for (index, file) in files.enumerated() {
            let retires = index == 0 ? nil : UnixTime(seconds: files[index - 1].created) + publication + grace
            if let retires, retires <= now {
                try folder.remove(file.name)
            } else {
                seen.append(file.name)
                entries.append(
                    .init(
                        key: try key(in: file, of: folder), created: UnixTime(seconds: file.created),
                        activates: files.count == 1 || publication == .zero
                            ? UnixTime(milliseconds: 0) : UnixTime(seconds: file.created) + publication, retires: retires))
            }
        }
        do throws(CryptoError) {
            return State(keys: try TokenKeySet(newest: entries[0], older: Array(entries.dropFirst()), now: now), seen: seen.sorted())
        } catch {
            throw .crypto(error)
        }
    }

    /// The key files, the newest first.
    private static func files(in folder: KeyFolder) throws(TokenKeyError) -> [File] {
        var files: [File] = []
        for name in try folder.names() {
            // A key that is silently left out would be missed only when its tokens are refused.
            guard let file = File(name: name) else { throw .misnamedFile(path: folder.path(of: name)) }
            files.append(file)
        }
        return files.sorted { ($0.created, $0.keyID) > ($1.created, $1.keyID) }
    }

    private static func key(in file: File, of folder: KeyFolder) throws(TokenKeyError) -> SigningKey {
        let text = try folder.read(file.name)
        let key: SigningKey
        do throws(CryptoError) {
            key = try SigningKey(pem: text, accepting: algorithms)
        } catch {
            throw .unusableKey(path: folder.path(of: file.name), error)
        }
        guard key.keyID == file.keyID else { throw .misnamedFile(path: folder.path(of: file.name)) }
        return key
    }

    @discardableResult
    private static func add(
        _ key: SigningKey, to folder: KeyFolder, after newest: File?, now: UnixTime
    ) throws(TokenKeyError) -> File {
        // Strictly later than the newest, so that the new key signs even within the same second or after the clock was set back.
        let file = File(key: key, created: max(now.seconds, newest.map { $0.created + 1 } ?? 0))
        try folder.write(key.pem, as: file.name)
        return file
    }

    private static func generate(_ algorithm: SigningKey.Algorithm) throws(TokenKeyError) -> SigningKey {
        do throws(CryptoError) {
            return try SigningKey.generate(algorithm)
        } catch {
            throw .crypto(error)
        }
    }
}
