import Testing

@testable import SQLiteStorage

@Suite struct CommitPaceTests {
    @Test func aLoneCallerNeverWaits() {
        var pace = CommitPace()
        #expect(pace.company == 1)
        #expect(pace.patience == .zero)
        pace.committed(jobs: 1, in: .milliseconds(4))
        #expect(pace.company == 1)
    }

    @Test func companyIsRememberedForTwoCommits() {
        var pace = CommitPace()
        pace.committed(jobs: 64, in: .milliseconds(4))
        pace.committed(jobs: 1, in: .milliseconds(4))
        #expect(pace.company == 64)
        pace.committed(jobs: 1, in: .milliseconds(4))
        #expect(pace.company == 1)
    }

    @Test func patienceIsAFractionOfTheCostAndBounded() {
        var pace = CommitPace()
        pace.committed(jobs: 2, in: .milliseconds(4))
        #expect(pace.patience == .milliseconds(1))
        for _ in 0..<100 { pace.committed(jobs: 2, in: .seconds(1)) }
        #expect(pace.patience == .milliseconds(2))
    }
}
