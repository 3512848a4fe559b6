import Testing

@testable import Accounts

@Suite struct CustomClaimsTests {
    @Test(arguments: [
        ("{}", [String]()),
        (" \t\r\n{ } ", []),
        (#"{"a":1}"#, ["a=1"]),
        (#"{"a": -0.5E+10 , "b" : [ ] , "c":{ }}"#, ["a=-0.5E+10", "b=[]", "c={}"]),
        (#"{"a":"x \" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00"}"#, [#"a="x \" \\ \/ \b \f \n \r \t \u00e9 \ud83d\ude00""#]),
        (#"{"\u0061\ud83d\ude00\n":true}"#, ["a😀\n=true"]),
        (#"{"a":1,"b":2,"a":3}"#, ["a=3", "b=2"]),
        (#"{"a":12345678901234567890123456789}"#, ["a=12345678901234567890123456789"]),
        (#"{"a":[null,false,{"b":[0]}]}"#, [#"a=[null,false,{"b":[0]}]"#]),
        (#"{"":1}"#, ["=1"]),
    ])
    func read(json: String, expected: [String]) throws {
        let claims = try #require(CustomClaims(json: json))
        #expect(claims.claims.map { $0.name + "=" + String(decoding: $0.value, as: UTF8.self) } == expected)
    }

    @Test(arguments: [
        "", "null", "[]", "1", #""a""#, "{", "}", "{]", "{}{}", "{} x", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#,
        #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":NaN}"#,
        #"{"a":truE}"#, #"{"a":tru}"#, #"{"a":[1,]}"#, #"{"a":[1}"#, #"{"a":{"b"}}"#, #"{"a":"}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
        #"{"a":"\ud800"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"\udc00"}"#, "{\"a\":\"\n\"}", "{\"a\":1}//", "\u{FEFF}{}",
        "{\"a\":" + String(repeating: "[", count: 33) + String(repeating: "]", count: 33) + "}",
        "{\"a\":" + String(repeating: "[", count: 100_000),
    ])
    func refused(json: String) {
        #expect(CustomClaims(json: json) == nil)
    }
}
