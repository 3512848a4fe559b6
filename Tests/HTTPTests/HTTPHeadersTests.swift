import Testing

@testable import HTTP

@Suite struct HTTPHeadersTests {
    @Test func findsFieldsWithoutRegardToCase() {
        var headers = HTTPHeaders([("Content-Type", "a"), ("X-One", "1"), ("x-one", "2")])
        #expect(headers["content-TYPE"] == "a")
        #expect(headers["X-ONE"] == "1")
        #expect(headers.all("X-One") == ["1", "2"])
        #expect(headers["X-On"] == nil)
        headers.set("X-ONE", "3")
        #expect(headers.all("x-one") == ["3"])
        #expect(headers.pairs.map(\.name) == ["Content-Type", "X-ONE"])
        headers.remove("content-type")
        #expect(headers.count == 1)
    }

    @Test(arguments: [
        ("a\r\nSet-Cookie: x", "aSet-Cookie: x"), ("a\nb", "ab"), ("a\rb", "ab"), ("a\0b", "ab"), ("\r\n", ""),
        ("a\n\u{301}b", "a\u{301}b"),
        ("plain", "plain"),
    ])
    func takesLineBreaksOutOfValues(given: String, kept: String) {
        var headers = HTTPHeaders([("X", given)])
        #expect(headers["X"] == kept)
        headers.set("X", given)
        #expect(headers["X"] == kept)
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "a\0", "ä", "a\tb", "(a)"])
    func keepsNoFieldWhoseNameIsNoToken(name: String) {
        #expect(HTTPHeaders([(name, "x")]).count == 0)
    }

    @Test func tellsIdenticalOnesFromOthers() {
        let one = HTTPHeaders([("A", "1")])
        let copy = one
        #expect(one.isIdentical(to: copy))
        #expect(one.isIdentical(to: HTTPHeaders([("A", "1")])))
        #expect(!one.isIdentical(to: HTTPHeaders([("A", "2")])))
        #expect(HTTPHeaders().isIdentical(to: HTTPHeaders()))
    }
}
