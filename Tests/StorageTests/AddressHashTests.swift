import Mail
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct AddressHashTests {
    /// The first vectors of the reference implementation (`vectors_sip64`): key 00…0F, message 00, 00 01, and so on.
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5), (16, 0x3f2a_cc7f_57c2_9bdb),
        ] as [(Int, UInt64)])
    func itIsSipHash(_ count: Int, _ expected: UInt64) throws {
        let hash = try #require(AddressHash(key: Array(0..<16)))
        #expect(hash.digest((0..<count).map { UInt8($0) }) == expected)
    }

    @Test func projectAndAddressAndKeyAllCount() throws {
        let hash = try #require(AddressHash(key: Array(0..<16)))
        let other = try #require(AddressHash(key: Array(1..<17)))
        let value = hash.value(project: "demo", email: .example("anna"))
        #expect(value == hash.value(project: "demo", email: .example("anna")))
        #expect(value != hash.value(project: "dem", email: .example("oanna")))
        #expect(value != hash.value(project: "demo", email: .example("berta")))
        #expect(value != other.value(project: "demo", email: .example("anna")))
        #expect(AddressHash(key: [1, 2, 3]) == nil)
    }
}
