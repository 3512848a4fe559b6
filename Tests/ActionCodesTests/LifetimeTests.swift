import Testing

@testable import ActionCodes

@Suite struct LifetimeTests {
    private static let cases: [(Int, String)] = [
        (21600, "6 hours"),
        (21599, "359 minutes"),
        (3600, "1 hour"),
        (5400, "90 minutes"),
        (259200, "3 days"),
        (86400, "1 day"),
        (129600, "36 hours"),
        (60, "1 minute"),
        (1, "1 minute"),
        (0, "1 minute"),
        (-5, "1 minute"),
        (90, "1 minute"),
        (3660, "61 minutes"),
    ]

    @Test(arguments: cases) func words(_ seconds: Int, _ expected: String) {
        #expect(Lifetime.words(.seconds(seconds)) == expected)
    }
}
