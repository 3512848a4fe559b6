import Platform
import TestSupport
import Testing

@testable import Routes

@Suite struct DevelopmentEventsTests {
    private let events = DevelopmentEvents(clock: ManualClock().wallClock)

    @Test func whoKnowsNothingIsToldAtOnce() async {
        #expect(await events.news(since: nil, within: .seconds(60)) == events.version)
        #expect(await events.news(since: "of another process", within: .seconds(60)) == events.version)
    }

    @Test(arguments: DevelopmentEvents.Subject.allCases)
    func whoKnowsEverythingWaitsForNews(_ subject: DevelopmentEvents.Subject) async throws {
        let version = events.version
        let events = events
        let waiting = Task { await events.news(since: version, within: .seconds(60)) }
        try await Task.sleep(for: .milliseconds(50))
        events.announce(subject)
        let news = await waiting.value
        #expect(news != version)
        #expect(news == events.version)
    }

    @Test func patienceEnds() async {
        #expect(await events.news(since: events.version, within: .milliseconds(20)) == events.version)
    }

    @Test func theEndLetsEverybodyGo() async {
        let version = events.version
        let shutdown = Shutdown()
        let events = events
        let waiting = Task { await events.news(since: version, within: .seconds(60)) }
        let running = Task { await events.run(until: shutdown) }
        shutdown.trigger()
        await running.value
        #expect(await waiting.value == version)
        #expect(await events.news(since: version, within: .seconds(60)) == version)
    }

    @Test func anotherProcessHasOtherVersions() {
        let clock = ManualClock()
        let one = DevelopmentEvents(clock: clock.wallClock)
        clock.advance(by: .milliseconds(1))
        #expect(one.version != DevelopmentEvents(clock: clock.wallClock).version)
    }
}
