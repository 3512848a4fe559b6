import Testing

@testable import Crypto

@Suite struct VerifyingKeyTests {
    /// RFC 7638 §3.1.
    @Test func `the example thumbprint`() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5Js"
            + "GY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-"
            + "bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let thumbprint = VerifyingKey.thumbprint(of: [("kty", "RSA"), ("n", modulus), ("e", "AQAB")])
        #expect(thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    /// RFC 7515 A.2.
    @Test func `the example RS256 signature`() throws {
        let modulus =
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOW"
            + "vG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9k"
            + "G4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
        let header = hex("30820122300d06092a864886f70d01010105000382010f003082010a0282010100")
        let key = try VerifyingKey(
            subjectPublicKeyInfo: header + #require(Base64URL.decode(modulus)) + hex("0203010001"))
        let signature =
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4"
            + "BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv"
            + "hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        let message =
            "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        #expect(key.algorithm == .rs256)
        #expect(key.jwkParameters.map(\.name) == ["kty", "n", "e"])
        #expect(key.jwkParameters.map(\.value) == ["RSA", modulus, "AQAB"])
        #expect(try key.isValid(#require(Base64URL.decode(signature)), over: Array(message.utf8)))
        #expect(try !key.isValid(#require(Base64URL.decode(signature)), over: Array(message.utf8.dropLast())))
    }

    /// RFC 7515 A.3.
    @Test func `the example ES256 signature`() throws {
        let (x, y) = ("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        let header = hex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
        let key = try VerifyingKey(
            subjectPublicKeyInfo: header + #require(Base64URL.decode(x)) + #require(Base64URL.decode(y)))
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let message =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        #expect(key.algorithm == .es256)
        #expect(key.jwkParameters.map(\.name) == ["kty", "crv", "x", "y"])
        #expect(key.jwkParameters.map(\.value) == ["EC", "P-256", x, y])
        #expect(try key.isValid(#require(Base64URL.decode(signature)), over: Array(message.utf8)))
        #expect(try !key.isValid(#require(Base64URL.decode(signature)), over: Array(message.utf8.dropLast())))
    }

    /// The points of two small private numbers, made by another program; RFC 7518 §6.2.1.2 wants all 32 bytes.
    @Test(arguments: [
        (
            "AFVDiUrz0A7X10Cr29dclrBod7eH219w7qeLkKjXwAo", "u0yFo9jqKe-q-iRAaRLdhNWxTcMr9lbvbGvVil2UP5I",
            "7Yxe6c_3bAa6kiaK1G-BZmi9EeNsUmlcbdnrtLeuK4E"
        ),
        (
            "mGriUG8f8QTQQjCGHY9LSY9LxMbQCbMPdUTcEpuC0o0", "ADzMwKZGDgrjKKTZfTx7YdhvxiicGJ8lJREMRBuwfpc",
            "WZsjbh58q8kl1WsGShqtiycImZtCgGbukDn4RAacMig"
        ),
    ])
    func `coordinates keep their leading zeros`(x: String, y: String, keyID: String) throws {
        let header = hex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
        let key = try VerifyingKey(
            subjectPublicKeyInfo: header + #require(Base64URL.decode(x)) + #require(Base64URL.decode(y)))
        #expect(key.jwkParameters.map(\.value) == ["EC", "P-256", x, y])
        #expect(key.keyID == keyID)
    }

    @Test func `a malformed key is refused`() {
        #expect(throws: CryptoError.self) { try VerifyingKey(subjectPublicKeyInfo: []) }
        #expect(throws: CryptoError.self) { try VerifyingKey(subjectPublicKeyInfo: [0x30, 0x03, 1, 2, 3]) }
        #expect(OpenSSLErrors.isEmpty)
    }
}
