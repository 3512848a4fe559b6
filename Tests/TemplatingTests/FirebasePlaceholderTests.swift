import Templating
import Testing

@Suite struct FirebasePlaceholderTests {
    private static let values: [String: TemplateValue] = [
        "link": "https://x.example/?a=1&b=2", "email": "a&b@x.example", "displayName": "<Ann>", "appName": "App", "newEmail": "n@x.example",
    ]

    private func rendered(_ source: String, _ kind: TemplateKind) throws -> String {
        try Template(source, kind: kind, file: "t", variables: MailVariables.names).render(Self.values)
    }

    /// Firebase's own text, as its console shows it.
    @Test func aPastedTextIsFilledIn() throws {
        let html = try rendered("<p>Hello %DISPLAY_NAME%,</p>\n<p><a href='%LINK%'>%LINK%</a></p>\n<p>Your %APP_NAME% team</p>", .html)
        #expect(
            html == """
                <p>Hello &lt;Ann&gt;,</p>
                <p><a href='https://x.example/?a=1&amp;b=2'>https://x.example/?a=1&amp;b=2</a></p>
                <p>Your App team</p>
                """)
        #expect(try rendered("From %EMAIL% to %NEW_EMAIL%", .text) == "From a&b@x.example to n@x.example")
        #expect(try rendered("Sign in to %APP_NAME%", .subject) == "Sign in to App")
    }

    @Test func placesAreCheckedAsForVariables() throws {
        #expect(
            try Template("<a href='%LINK%'>", kind: .html, file: "t", variables: ["link"]).render(["link": "javascript:x"]) == "<a href=''>"
        )
        for source in ["<script>%LINK%</script>", "<a href=%LINK%>", "<b onclick='%EMAIL%'>"] {
            #expect(throws: TemplateError.self, "\(source)") {
                try Template(source, kind: .html, file: "t", variables: MailVariables.names)
            }
        }
    }

    @Test(arguments: [
        "100% of %link% %UNKNOWN% %", "a%20b%2Fc", "%%", "%LINK", "LINK%", "% LINK %", "https://x.example/%E2%82%AC?u=%45MAIL%",
        "{{! %LINK% }}",
    ])
    func otherPercentSignsAreText(_ source: String) throws {
        #expect(try rendered(source, .text) == (source.hasPrefix("{{!") ? "" : source))
    }

    @Test func valuesAreNotLookedThrough() throws {
        let template = try Template("%APP_NAME%", kind: .text, file: "t", variables: MailVariables.names)
        #expect(template.render(["appName": "%LINK%", "link": "x"]) == "%LINK%")
    }

    /// A text that knows no such variable, such as one of `words/`, keeps it as text.
    @Test func onlyKnownVariablesArePlaceholders() throws {
        #expect(try Template("%LINK%", kind: .text, file: "t", variables: ["count"]).render(["link": "x"]) == "%LINK%")
    }
}
