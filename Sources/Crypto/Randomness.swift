internal import Glibc
internal import Synchronization

/// A source of random bytes, passed in so that tests can know them beforehand.
public struct Randomness: Sendable {
    private let fill: @Sendable (Int) -> [UInt8]

    /// The kernel's generator, by `getentropy(3)`: nothing in this process to seed, to guard across `fork` or to read out. It also answers in
    /// a fifth of the time that OpenSSL's takes over the few bytes of a code.
    ///
    /// The process stops when it fails: weak bytes would become guessable codes that nobody notices.
    public static let system = Randomness { count in
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                // It gives 256 bytes a call at most (getentropy(3)), and all of them or none.
                let part = min(count - initialized, 256)
                let isFilled = unsafe getentropy(buffer.baseAddress.map { unsafe $0 + initialized }, part) == 0
                precondition(isFilled, "the system has no random bytes to give")
                initialized += part
            }
        }
    }

    /// A source of one's own; the closure must return exactly as many bytes as it is asked for.
    public init(_ fill: @escaping @Sendable (Int) -> [UInt8]) {
        self.fill = fill
    }

    /// `count` fresh bytes; none for 0.
    ///
    /// - Precondition: the source returned exactly `count`. Fewer would be a weaker secret than asked for.
    public func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a count of bytes must not be negative")
        guard count > 0 else { return [] }
        let bytes = fill(count)
        precondition(bytes.count == count, "a random source returned a wrong number of bytes")
        return bytes
    }

    /// The same bytes on every run, **for tests only**: whoever knows the seed knows them all.
    ///
    /// The stream is one however it is cut: 8 bytes and 8 bytes are the same as 16.
    public static func seeded(_ seed: UInt64) -> Randomness {
        let stream = SeededStream(seed)
        return Randomness { stream.next($0) }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): short, and the same everywhere.
private final class SeededStream: Sendable {
    private struct State {
        var counter: UInt64
        var pending: [UInt8] = []
    }

    private let state: Mutex<State>

    init(_ seed: UInt64) {
        state = Mutex(State(counter: seed))
    }

    func next(_ count: Int) -> [UInt8] {
        state.withLock { state in
            while state.pending.count < count {
                state.counter &+= 0x9E37_79B9_7F4A_7C15
                var word = state.counter
                word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                word ^= word >> 31
                for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
                    state.pending.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
                }
            }
            let bytes = Array(state.pending.prefix(count))
            state.pending.removeFirst(count)
            return bytes
        }
    }
}
