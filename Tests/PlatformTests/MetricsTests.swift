import Platform
import Testing

@Suite struct MetricsTests {
    @Test func rendersPrometheusText() {
        let metrics = Metrics()
        metrics.gauge("z_length", help: "A length.") { 2.5 }
        let b = metrics.counter("b_total", help: "Bs.", labels: [("outcome", "good"), ("kind", "x")])
        let a = metrics.counter("a_total", help: "As.")
        let bad = metrics.counter("b_total", help: "Bs.", labels: [("outcome", "bad")])
        metrics.gauge("y_open", help: "Open.") { 3 }
        a.add()
        b.add(41)
        b.add()
        bad.add(0)
        #expect(b.total == 42)
        #expect(
            metrics.render() == """
                # HELP a_total As.
                # TYPE a_total counter
                a_total 1
                # HELP b_total Bs.
                # TYPE b_total counter
                b_total{outcome="good",kind="x"} 42
                b_total{outcome="bad"} 0
                # HELP y_open Open.
                # TYPE y_open gauge
                y_open 3
                # HELP z_length A length.
                # TYPE z_length gauge
                z_length 2.5

                """)
    }

    /// All of them as Go's `ParseFloat` reads them, which the format refers to.
    @Test(
        arguments: [
            (0, "0"), (-3, "-3"), (0.25, "0.25"), (1e15, "1000000000000000.0"), (.infinity, "inf"), (-.infinity, "-inf"),
            (.nan, "nan"),
        ] as [(Double, String)]) func numbers(_ value: Double, _ expected: String)
    {
        let metrics = Metrics()
        metrics.gauge("g", help: "G.") { value }
        #expect(metrics.render().hasSuffix("\ng \(expected)\n"), "\(metrics.render())")
    }

    @Test func isEmptyWithoutNumbers() {
        #expect(Metrics().render().isEmpty)
    }

    @Test func countsFromManyTasks() async {
        let counter = Metrics().counter("a_total", help: "As.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { counter.add() } } }
        }
        #expect(counter.total == 8000)
    }
}
