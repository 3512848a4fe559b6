import Testing

@testable import Crypto

@Suite struct ConstantTimeTests {
    @Test(
        arguments: [
            ([], [], true),
            ([1], [1], true),
            ([1, 2, 3], [1, 2, 3], true),
            ([1, 2, 3], [1, 2, 4], false),
            ([0, 2, 3], [1, 2, 3], false),
            ([1, 2], [1, 2, 3], false),
            ([1, 2, 3], [1, 2], false),
            ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `equal or not`(a: [UInt8], b: [UInt8], expected: Bool) {
        #expect(constantTimeEquals(a, b) == expected)
    }
}
