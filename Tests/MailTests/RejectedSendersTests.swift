import Platform
import Testing

@testable import Mail

@Suite struct RejectedSendersTests {
    private let now = UnixTime(seconds: 1_000_000)
    private let there = MailRoute(project: "demo", domain: "a.example")
    private let elsewhere = MailRoute(project: "demo", domain: "b.example")
    private let everywhere = MailRoute(project: "demo", domain: nil)

    @Test func aRouteRestsLongerEachTimeAndOneMailFindsOut() {
        var senders = RejectedSenders(schedule: RetrySchedule())
        #expect(senders.rest(of: there, now: now) == nil)
        let isNews = senders.rejected(there, reply: "550 5.7.26 no", now: now, random: 0)
        #expect(isNews)
        #expect(senders.rest(of: there, now: now) == now + .seconds(60))
        #expect(senders.rest(of: elsewhere, now: now) == nil)
        #expect(senders.rest(of: MailRoute(project: "other", domain: "a.example"), now: now) == nil)
        let later = now + .seconds(60)
        #expect(senders.rest(of: there, now: later) == nil)
        senders.started(there)
        #expect(senders.rest(of: there, now: later) != nil, "one mail is enough")
        let isNewsAgain = senders.rejected(there, reply: "550 5.7.26 still", now: later, random: 0)
        #expect(!isNewsAgain)
        #expect(senders.rest(of: there, now: later) == later + .seconds(120))
        #expect(senders.list == [RejectedSender(projectID: "demo", recipientDomain: "a.example", since: now, reply: "550 5.7.26 still")])
    }

    @Test func aRejectedProjectRestsEverywhere() {
        var senders = RejectedSenders(schedule: RetrySchedule())
        _ = senders.rejected(everywhere, reply: "550 5.7.1 not yours", now: now, random: 0)
        #expect(senders.rest(of: there, now: now) == now + .seconds(60))
        #expect(senders.rest(of: elsewhere, now: now) == now + .seconds(60))
        #expect(senders.accepted(elsewhere) == [everywhere])
        #expect(senders.rest(of: there, now: now) == nil)
        #expect(senders.isEmpty)
    }

    @Test func aLostProbeIsFollowedByAnother() {
        var senders = RejectedSenders(schedule: RetrySchedule())
        _ = senders.rejected(there, reply: "550 5.7.26 no", now: now, random: 0)
        let later = now + .seconds(61)
        senders.started(there)
        senders.probeLost(there)
        #expect(senders.rest(of: there, now: later) == nil)
    }
}
