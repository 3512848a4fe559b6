import Crypto
import FoundationEssentials
import Mail
import Platform
import Testing

@testable import postern

@Suite struct DKIMSettingsTests {
    private func settings(_ pem: String, domain: String = "example.com", file: String? = nil) -> DKIMSettings {
        DKIMSettings(domain: domain, selector: "s1", privateKey: Secret(pem), keyFile: file)
    }

    @Test(arguments: [(SigningKey.Algorithm.rs256, DKIMAlgorithm.rsaSHA256), (.edDSA, .ed25519SHA256)])
    func goodKeys(_ kind: SigningKey.Algorithm, _ algorithm: DKIMAlgorithm) throws {
        let key = try SigningKey.generate(kind)
        let identity = try settings(key.pem).makeIdentity()
        #expect(identity.algorithm == algorithm && identity.selector == "s1" && identity.domain == "example.com")
        let record = try settings(key.pem).makeRecord()
        #expect(
            record == DKIMRecord(domain: "example.com", selector: "s1", algorithm: algorithm, publicKey: key.publicKey.recordBytes))
    }

    /// `openssl genrsa` with 1024 and 2047 bits.
    @Test(arguments: [(1024, Self.rsa1024), (2047, Self.rsa2047)])
    func shortRSAKeys(_ bits: Int, _ pem: String) {
        #expect(throws: CryptoError.weakKey(bits: bits)) { try settings(pem).makeIdentity() }
    }

    @Test func keysThatDKIMDoesNotHave() throws {
        let pem = try SigningKey.generate(.es256).pem
        #expect(throws: CryptoError.wrongKind(.es256, accepted: [.rs256, .edDSA])) { try settings(pem).makeIdentity() }
        #expect(throws: CryptoError.self) { try settings("-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n").makeIdentity() }
    }

    @Test func everyUnusableKeyIsToldWithItsPlace() throws {
        var configuration = try ConfigurationReader.read(
            """
            { publicURL: "https://auth.example.com", secrets: ["env:POSTERN_SECRET"], smtp: { url: "smtps://mail.example.com" },
              projects: [{ id: "a", apiKeys: ["k"], mail: { from: "a@example.com" } }, { id: "b", apiKeys: ["l"], mail: { from: "b@example.com" } }] }
            """)
        #expect(try configuration.makeMailSigners().isEmpty)
        configuration.projects[0].dkim = [settings(Self.rsa1024), settings(try SigningKey.generate(.edDSA).pem)]
        configuration.projects[1].dkim = [settings(try SigningKey.generate(.es256).pem)]
        do throws(CommandFailure) {
            _ = try configuration.makeMailSigners()
            Issue.record("unusable keys were taken")
        } catch {
            #expect(error.code == .configuration)
            let lines = error.message.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first == "projects[0].mail.dkim[0].privateKey: The RSA key has 1024 bits; 2048 is the least that is accepted.")
            #expect(lines.last?.hasPrefix("projects[1].mail.dkim.privateKey: A key of type P-256") == true)
        }
        configuration.projects[0].dkim.removeFirst()
        configuration.projects[1].dkim = []
        #expect(try configuration.makeMailSigners().keys.sorted() == ["a"])
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "mail.example.com", true), ("mail.example.com", "example.com", true),
        ("example.com", "example.net", false), ("ample.com", "example.com", false), ("example.com", "ample.com", false),
        ("a.example.com", "b.example.com", false),
    ])
    func alignment(_ domain: String, _ from: String, _ isAligned: Bool) throws {
        let advice = settings("", domain: domain).advice(from: try EmailAddress("a@\(from)"))
        #expect(advice.isEmpty == isAligned)
        #expect(advice.allSatisfy { $0.contains(domain) && $0.contains("DMARC") })
    }

    @Test(arguments: [(0o600, true), (0o640, true), (0o400, true), (0o644, false), (0o604, false), (0o602, false), (0o666, false)])
    func modesOfTheKeyFile(_ mode: Int, _ isPrivate: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "postern-\(UUID().uuidString).pem").path
        try Data("x".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let advice = settings("", file: path).advice(from: try EmailAddress("a@example.com"))
        #expect(advice.isEmpty == isPrivate)
        #expect(advice.allSatisfy { $0.contains(path) && $0.contains("chmod 600") })
    }

    @Test(arguments: [
        ("s1", true), ("20261201", true), ("S1", true), ("a.b-c", true), ("", false), ("-a", false), ("a-", false), ("a..b", false),
        (".a", false),
        ("a_b", false), ("é", false), ("a b", false), ("a;b", false), (String(repeating: "a", count: 63), true),
        (String(repeating: "a", count: 64), false),
    ])
    func selectors(_ text: String, _ isSelector: Bool) {
        #expect(DKIMSettings.isSelector(text) == isSelector)
    }

    static let rsa1024 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXgIBAAKBgQDKyC6ndvknV3eaMJaCdF9SPDKJtFaqJLxbN9GY8wCSMX6LjLJm
        juPeY0TnW92jirOYN9b4Y0+IGXK1/JgEPQtnDvKSnReEyF6GiMRGJLVmJ67VQhWX
        E2j4z/qEXrN9Yo0TZ76KVZNSrDb7btoiDUrV1F4q/X2s9r7X09lluNJ1/wIDAQAB
        AoGBAMVzYqpB2J2MN7N1uDhSpDZo0zTu2qxVlOqlUXvCsj2n3/Z2C4h9fjgfJQq6
        kvgZqIKBbNrzqI93aBD4YfVOk3gKg/DidtfhrO+umTy/30E40uEKkWnmXtGCUDA5
        9J8hkv1JC037YT3VZXYAss3/c7gpbt4tS/zH+Kb3ITf9LjcBAkEA+qnNzJiiPg8l
        5Seet1W/wIaB2+hs13dN0vHixEC1WR63mC7x2rqxmbSeFFyLLX0BauAVbQkjdqyR
        E3oh0ixwwQJBAM8ZaNl7nCppfvgYAdJOlHyQNlU2m0aKOUkSaNZ3p7vzDYbykTEj
        nDlBtQgamlba6tUnPczxPkQLD0Vl41Sp1r8CQQDTxPGhkLJBS/rwBvEIYuGFfh3n
        9A1AXALb3I+Azkpn6JOjdsXNzTyOZxHGkgjjfWDdMkPnwni7oj9O/TfloLYBAkEA
        qoWXiYt4GIvo2cqapVnCdZYgxqVB0SE67enUnNLFL8J/HuBXoIhbt+FceCG/d0im
        F4BKKJdy13/rwQ6V0j5N7QJAMi9KSh0XTubWTLbyvAL9Hr5qVZblSpWisOBw83EM
        fGMmtHshE8T7BzSxWGcirjDaC/oxcDSLHcHrF1j9v6qsAQ==
        -----END RSA PRIVATE KEY-----

        """

    static let rsa2047 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEoAIBAAKCAQBjkF4IqX2L+TbVt85EOjLRNUrO2UlVAd5ptD8qoKxfio1haS27
        V1QLhGWpm3uEoxnwe0bbaTVeY71POtmf3MzpWhnxsKM8u89MNZKKubpgJMxdu0rZ
        7V0rA3KcHqWD99PEDAxdREJTsdnvcIpes3mZF2pJdXcNpaeUi+4c09rLzvrjpgnS
        p23PiDaLxliyFRJbzwhBfCfce/8+tfFyijeA+/eoK8iRFqhdCZDqSfz/Udlam5Mf
        CDUx/S+BpspIoztL5J0XcWfEeU4oYON5S618EiNv4U/BLhSfLoDwV0FHodDrgmyf
        eT9UuoSMfD9JV7wGYq2ERoV5K7383hqnE1MHAgMBAAECggEAUYya6L9inLaIam69
        nPaKTv82gcxJmz4HnU7Mei7WYP8MJCBRG+RAa5qK5mv6tL4e7fEbLXW0B9br5SxP
        uffRQsTRATxrx8AQ39v1ZnkPpdYeKhvRCES6DhQp2KPlb/0aT7aKng3dwc2nss3c
        GAsq6vDZ1sdGtz/azfn7E1OXH10fB1Gl4vQa7PkaswNdagZRmxRq41JJ4oyXFWWo
        amLxeDLpgIXAIkPgTC9gc54E19vkUMHxi7+pGonfulH85MC3XZ2QL2Hnxtj/MEfi
        mJnatjGS8YgOTNbVegS+px7h0UjsO/2QhVz5G3w4lqeg7tvYl47jQim5KL5+4X8h
        H0K+iQKBgQDQjkI6R0NNWzUCg2Xbo1FhPQe51H+/6xFzNTrt6amyAY5M2f7uYSdU
        twLmocD6MZuA/B24Uvh4Imf7o6400JKCJE9JnMbairHvcpBXyGwlH6WmXU+mkvrL
        Bx7qDo3seSxOumG9u3WUKxD6PpBFCRg8me4OcW00WnY+yVhpSWsiXQKBgHo2tj0b
        UUoZBA/PmIcuO25iax63jMK5M17SQ+X4iyfLQ7+Sm6nrUTDJRDKc0mVAomK+WV6j
        3KD+a0HW7ubOnKNlfb+oHX7aU5cwcSBU47uUsWMPuMrD0MtyjkNEIwiMRSIZlDAn
        BvipvUiv4yz/HOQdxdcBWeeBl8rA01hQxryzAoGAHvT+36e0Vcc0Fytp8zBK5CQr
        AWqJi/NYo8FC/g2xIrsYZE/3h2rka66+v31DJ+A1NPA3eSTXvP1ecfvZ3/0Vwjuh
        iUu8OLRdtS1MP7uAUgJglFFFgXRPxdNIw3Vlm7Rg307LM16gFV5PJtYilBzFfDld
        HMe5bgv/gVJhzT8YqAECgYAr/4p4UV9gl8T4lDpLYH+Q6+m4s0f/yoEOABDluCcQ
        +oK3c2aLM+aU88CToBW20iAkAHdYNRH2++FNYL29ZmDKCn3NBA8qXht98LipdSZP
        n+aEzWIvzXNb6zAAU4VxTF6POjo5Y7OEzkcQ5hGZX3bdQUK6dwgQ6nzlR6pOvzXt
        NQKBgBN7u0wzCyW1LyoKMIllMA+khXHwH+Xpd/qYe6vtwrTuUp/J10arqUbjbfM8
        3fqiwxkk001nd+M4mYmf10JsLbheovLWG5nW3YaMJsfN+jqeDKlT5WprhCJ7UdwB
        bCqJXJUXzHc8hpZ2KcyzrizR5UCYKKDb63N55+izHj6OoblK
        -----END RSA PRIVATE KEY-----

        """
}
