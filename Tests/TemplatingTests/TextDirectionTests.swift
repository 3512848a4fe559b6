import Templating
import Testing

@Suite struct TextDirectionTests {
    @Test(arguments: [
        "ar", "AR", "ar-EG", "he", "iw", "fa", "fa-IR", "ur", "ps", "sd", "ug", "yi", "dv", "ckb", "ku-Arab", "ku-arab-IQ", "az-Arab",
        "pa-Arab-PK",
        "zh-yue-Arab", "ar-u-nu-latn",
    ])
    func rightToLeft(_ tag: String) {
        #expect(TextDirection(language: tag) == .rightToLeft)
    }

    @Test(arguments: [
        "en", "de-AT", "ku", "ku-Latn", "ar-Latn", "fa-Cyrl", "az", "zh-Hant", "", "-", "x-arab", "en-u-arab", "arx", "sr-Latn-RS",
    ])
    func leftToRight(_ tag: String) {
        #expect(TextDirection(language: tag) == .leftToRight)
    }

    @Test func namesAreThoseOfHTML() {
        #expect(TextDirection.leftToRight.rawValue == "ltr")
        #expect(TextDirection.rightToLeft.rawValue == "rtl")
    }
}
