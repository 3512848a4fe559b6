import Mail
import Platform
import Synchronization
import TestSupport
import Testing

@testable import ActionCodes

@Suite struct RateLimitServiceTests {
    private let clock = ManualClock()

    /// A store that can be told to refuse, and counts its transactions.
    private final class Buckets: RateLimitStore {
        struct State {
            var buckets: [Int: RateLimitBucket] = [:]
            var fails = false
            var sizes: [Int] = []
        }
        let state = Mutex(State())

        func rateLimitBuckets() async throws(StoreError) -> [RateLimitBucket] {
            if state.withLock({ $0.fails }) { throw .unavailable(cause: "test") }
            return state.withLock { Array($0.buckets.values) }
        }

        func saveRateLimitBuckets(_ buckets: [RateLimitBucket]) async throws(StoreError) {
            if state.withLock({ $0.fails }) { throw .unavailable(cause: "test") }
            state.withLock { state in
                state.sizes.append(buckets.count)
                for bucket in buckets { state.buckets[bucket.place] = bucket }
            }
        }
    }

    private func limiter() -> RateLimiter { RateLimiter(keys: .example, metrics: Metrics(), clock: clock.wallClock) }

    private func take(_ name: String, from limiter: RateLimiter) throws {
        let demand = RateLimitDemand(
            .mailsToAddress, of: .account(name), project: "example", limit: RateLimit(count: 2, period: .seconds(900)))
        _ = try limiter.take([demand].compactMap(\.self))
    }

    @Test func savesInSmallTransactionsAndLoads() async throws {
        let store = Buckets()
        let first = limiter()
        for number in 0..<600 {
            try take("\(number)", from: first)
            if number < 10 { try take("\(number)", from: first) }
        }
        try await RateLimitService(limiter: first, store: store, logger: .silent).save()
        #expect(store.state.withLock { $0.sizes } == [250, 250, 100])
        let second = limiter()
        try await RateLimitService(limiter: second, store: store, logger: .silent).load()
        #expect(second.bucketCount == 600)
        for number in 0..<10 { #expect(throws: TooManyAttempts.self) { try take("\(number)", from: second) } }
        try take("10", from: second)
        #expect(throws: TooManyAttempts.self) { try take("10", from: second) }
    }

    @Test func whatCouldNotBeSavedIsSavedLater() async throws {
        let store = Buckets()
        let limiter = limiter()
        for number in 0..<300 { try take("\(number)", from: limiter) }
        let service = RateLimitService(limiter: limiter, store: store, logger: .silent)
        store.state.withLock { $0.fails = true }
        await #expect(throws: StoreError.self) { try await service.save() }
        await #expect(throws: StoreError.self) { try await service.load() }
        store.state.withLock { $0.fails = false }
        try await service.save()
        #expect(store.state.withLock { $0.buckets.count } == 300)
    }

    @Test(.timeLimit(.minutes(1))) func savesEveryRoundAndOnceMoreAtTheEnd() async throws {
        let store = Buckets()
        let limiter = limiter()
        let shutdown = Shutdown()
        let service = RateLimitService(limiter: limiter, store: store, interval: .milliseconds(5), logger: .silent)
        let running = Task { await service.run(until: shutdown) }
        try take("a", from: limiter)
        while store.state.withLock({ $0.buckets.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        try take("b", from: limiter)
        shutdown.trigger()
        await running.value
        #expect(store.state.withLock { $0.buckets.count } == 2)
        // With an hour between two rounds, only the end can have saved it.
        let late = RateLimitService(limiter: limiter, store: store, interval: .seconds(3600), logger: .silent)
        try take("c", from: limiter)
        await late.run(until: shutdown)
        #expect(store.state.withLock { $0.buckets.count } == 3)
    }
}
