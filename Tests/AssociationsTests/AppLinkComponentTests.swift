import Testing

@testable import Associations

@Suite struct AppLinkComponentTests {
    @Test func `All keys, in Apple's order, items by name`() throws {
        let component = try AppLinkComponent(
            path: "/a/*", query: .items(["b": "?*", "a": "1"]), fragment: "top", exclude: true, comment: "why", caseSensitive: false,
            percentEncoded: false)
        #expect(
            text(component)
                == #"{"/":"/a/*","?":{"a":"1","b":"?*"},"#
                + ##""#":"top","exclude":true,"comment":"why","caseSensitive":false,"percentEncoded":false}"##)
    }

    @Test func `Defaults are left out`() throws {
        #expect(text(try AppLinkComponent(path: "/a")) == #"{"/":"/a"}"#)
        #expect(text(try AppLinkComponent(query: .whole("a=*"))) == #"{"?":"a=*"}"#)
        #expect(text(try AppLinkComponent(fragment: "")) == ##"{"#":""}"##)
    }

    @Test(arguments: ["/", "/a", "*", "?x", "/$(lang)/news/$(digit)", "/a%20b", "/cost$"])
    func goodPath(_ path: String) throws {
        #expect(try AppLinkComponent(path: path).path == path)
    }

    @Test(arguments: [
        ("", "it is empty"),
        ("a", "it does not begin with /, * or ?"),
        ("$(lang)/a", "it does not begin with /, * or ?"),
        ("/a b", "it contains a space, which must be percent-encoded"),
        ("/é", "it contains U+00E9, which must be percent-encoded"),
        ("/a\n", "it contains the control character U+000A"),
        ("/a#b", ##"it contains "#", which begins the fragment of a URL"##),
        ("/$(lang/a", #"it has a "$(" that is not closed"#),
        ("/$(food)", #"it names the variable "food", which Apple's systems do not define"#),
        ("/$(lang)/$(Lang)", #"it names the variable "Lang", which Apple's systems do not define"#),
    ])
    func badPath(_ path: String, _ reason: String) {
        #expect(throws: AssociationError.invalid(.path, value: path, reason: reason)) { try AppLinkComponent(path: path) }
    }

    @Test func `Against a decoded URL a pattern may hold what a URL cannot`() throws {
        #expect(try AppLinkComponent(path: "/a b/é#", percentEncoded: false).percentEncoded == false)
        #expect(throws: AssociationError.self) { try AppLinkComponent(path: "/a\u{7F}", percentEncoded: false) }
    }

    @Test func `Queries and fragments are held to the same rules`() {
        #expect(throws: AssociationError.invalid(.query, value: "", reason: "it has no items")) { try AppLinkComponent(query: .items([:])) }
        #expect(throws: AssociationError.invalid(.query, value: "", reason: "the name of an item is empty")) {
            try AppLinkComponent(query: .items(["": "*"]))
        }
        #expect(throws: AssociationError.invalid(.query, value: "a b", reason: "it contains a space, which must be percent-encoded")) {
            try AppLinkComponent(query: .items(["x": "a b"]))
        }
        #expect(throws: AssociationError.self) { try AppLinkComponent(query: .items(["a b": "*"])) }
        #expect(throws: AssociationError.self) { try AppLinkComponent(query: .whole("$(nope)")) }
        #expect(
            throws: AssociationError.invalid(.fragment, value: "#top", reason: ##"it contains "#", which begins the fragment of a URL"##)
        ) {
            try AppLinkComponent(fragment: "#top")
        }
    }

    @Test(arguments: [true, false])
    func `A component that would match every URL by oversight is refused`(_ exclude: Bool) {
        #expect(
            throws: AssociationError.invalid(.extraComponents, value: "", reason: "a component has no pattern, so it would match every URL")
        ) {
            try AppLinkComponent(exclude: exclude, comment: "nothing")
        }
    }

    @Test func `All problems of a component are told at once`() {
        let problems = AppLinkComponent.problems(path: "a", query: .items(["x": " "]), fragment: "#", percentEncoded: true)
        #expect(problems.count == 3)
    }

    private func text(_ component: AppLinkComponent) -> String { String(decoding: component.json.bytes, as: UTF8.self) }
}
