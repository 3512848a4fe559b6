import Platform
import Testing

@testable import Mail

@Suite struct DeliveryCircuitTests {
    let now = UnixTime(seconds: 1000)

    /// `#expect` does not take calls that change something.
    private func expect(_ value: Bool, is expected: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(value == expected, sourceLocation: sourceLocation)
    }

    @Test func opensWhenEveryLaneFailedAndProbesAfterThePause() {
        var circuit = DeliveryCircuit(threshold: 2, schedule: RetrySchedule())
        expect(circuit.unreachable(now: now, random: 0), is: false)
        #expect(circuit.allowance(now: now, limit: 9) == 9)
        expect(circuit.unreachable(now: now, random: 0), is: true)
        #expect(circuit.state == .open(until: now + .seconds(2)))
        // The other lanes' failures come in; the pause stays as it is.
        expect(circuit.unreachable(now: now + .seconds(1), random: 0), is: false)
        #expect(circuit.allowance(now: now + .seconds(1), limit: 9) == 0)
        #expect(circuit.allowance(now: now + .seconds(2), limit: 9) == 1)
        circuit.started()
        #expect(circuit.state == .probing)
        #expect(circuit.allowance(now: now + .seconds(9), limit: 9) == 0)
        expect(circuit.unreachable(now: now + .seconds(3), random: 0), is: true)
        #expect(circuit.state == .open(until: now + .seconds(7)))
        circuit.started()
        expect(circuit.answered(), is: true)
        #expect(circuit.state == .closed)
        #expect(circuit.failures == 0)
        expect(circuit.answered(), is: false)
    }

    @Test func anAnswerInBetweenStartsTheCountAgain() {
        var circuit = DeliveryCircuit(threshold: 3, schedule: RetrySchedule())
        for _ in 0..<5 {
            expect(circuit.unreachable(now: now, random: 0), is: false)
            expect(circuit.unreachable(now: now, random: 0), is: false)
            expect(circuit.answered(), is: false)
        }
    }

    @Test func pausesAMinuteAtMost() {
        var circuit = DeliveryCircuit(threshold: 1, schedule: RetrySchedule())
        var time = now
        for _ in 0..<20 {
            expect(circuit.unreachable(now: time, random: 0.999), is: true)
            guard case .open(let until) = circuit.state else { return #expect(Bool(false)) }
            #expect(until - time <= .seconds(60))
            time = until
            circuit.started()
        }
    }

    @Test func aLostProbeIsFollowedByAnother() {
        var circuit = DeliveryCircuit(threshold: 1, schedule: RetrySchedule())
        expect(circuit.unreachable(now: now, random: 0), is: true)
        circuit.started()
        circuit.probeLost(now: now)
        #expect(circuit.allowance(now: now, limit: 9) == 1)
    }
}
