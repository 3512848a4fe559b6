import Testing

@testable import HTTP

@Suite struct HTTPRequestTests {
    @Test(
        arguments: [
            ("/a%2Fb", "/a%2Fb", nil), ("/a?", "/a", ""), ("/a?b=c?d", "/a", "b=c?d"), ("//a//b", "//a//b", nil), ("*", "*", nil),
            ("http://host/p?q", "/p", "q"), ("HTTPS://host", "/", nil), ("http://host?q", "/", "q"),
        ] as [(String, String, String?)])
    func splitsTheTarget(target: String, path: String, query: String?) {
        let request = HTTPRequest(target: target)
        #expect(request.path == path)
        #expect(request.rawQuery == query)
    }

    @Test(arguments: [
        ("a=1&b=2", ["a:1", "b:2"]), ("a", ["a:"]), ("a=", ["a:"]), ("=x", [":x"]), ("&&a=1&", ["a:1"]), ("a=b=c", ["a:b=c"]),
        ("a=%2B+%20", ["a:++ "]), ("a=%E2%82%AC", ["a:€"]), ("%61=%00", ["a:\0"]), ("a=1&a=2", ["a:1", "a:2"]), ("", []),
        ("a=%", ["a!"]), ("a=%2", ["a!"]), ("a=%zz", ["a!"]), ("a=%+1", ["a!"]), ("a=%FF", ["a!"]), ("a=%C0%AF", ["a!"]),
        ("%ff=1", ["%ff!"]),
    ])
    func decodesTheQuery(query: String, items: [String]) {
        let decoded = HTTPRequest(target: "/?" + query).queryItems()
        #expect(decoded.map { item in item.value.map { "\(item.name):\($0)" } ?? "\(item.name)!" } == items)
    }

    @Test func decodesAForm() {
        let items = HTTPRequest.formItems(Array("email=a%2Bb%40c.de&name=A+B&bad=%G1".utf8))
        #expect(items.map(\.name) == ["email", "name", "bad"])
        #expect(items.map(\.value) == ["a+b@c.de", "A B", nil])
    }

    @Test func withoutAQueryThereAreNoItems() {
        #expect(HTTPRequest(target: "/a=b").queryItems().isEmpty)
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get", "PROPFIND"])
    func methodsKeepTheirToken(token: String) {
        #expect(HTTPMethod(token).description == token)
    }

    @Test func methodsAreCaseSensitive() {
        #expect(HTTPMethod("get") == .other("get"))
        #expect(HTTPMethod("GET") == .get)
    }
}
