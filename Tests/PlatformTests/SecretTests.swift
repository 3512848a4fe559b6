import Platform
import Testing

@Suite struct SecretTests {
    private struct Holder {
        let name = "holder"
        let key = Secret("hunter2")
        let list = [Secret("hunter2")]
        let maybe: Secret<String>? = Secret("hunter2")
    }

    @Test func noWayOfPrintingShowsIt() {
        let secret = Secret("hunter2")
        let holder = Holder()
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        let error = Failure(secret: secret)
        for text in [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\(holder)", String(reflecting: holder), dumped,
            "\([secret])", "\(["k": secret])", "\(Optional(secret) as Any)", "\(error)",
            "\(Mirror(reflecting: secret).children.map { $0 })",
        ] {
            #expect(!text.contains("hunter2"), "\(text.count) characters")
        }
        #expect("\(secret)" == "<redacted>")
        #expect("\(Secret([UInt8](repeating: 7, count: 3)))" == "<redacted>")
    }

    private struct Failure: Error {
        let secret: Secret<String>
    }

    @Test func isTheValueWhereItIsUsed() {
        #expect(Secret("a").exposed == "a")
        #expect(Secret("a") == Secret("a") && Secret("a") != Secret("b"))
        #expect(Set([Secret("a"), Secret("a")]).count == 1)
    }
}
