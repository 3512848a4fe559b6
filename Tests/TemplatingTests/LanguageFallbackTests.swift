import Templating
import Testing

/// What readers of each language get from the languages that come with Postern.
@Suite struct LanguageFallbackTests {
    private static let shipped = ["ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pl", "pt-BR", "zh-Hans"]

    @Test(
        arguments: [
            ("iw", "he"), ("iw-IL", "he"), ("he-IL", "he"), ("pt", "pt-BR"), ("pt-PT", "pt-BR"), ("pt-AO", "pt-BR"), ("PT-br", "pt-BR"),
            ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans-CN", "zh-Hans"), ("zh-Hans-HK", "zh-Hans"),
            ("zh-TW", nil), ("zh-HK", nil), ("zh-Hant", nil), ("zh-Hant-TW", nil), ("yue", nil), ("yue-Hans", "zh-Hans"),
            ("no", nil), ("nb", nil), ("in-ID", nil), ("id", nil), ("ji", nil), ("sv", nil),
            ("de-AT", "de"), ("es-419", "es"), ("en-GB-oxendict", "en"), ("ar-EG", "ar"), ("fr-CA-x-a", "fr"),
        ] as [(String, String?)])
    func shippedLanguages(_ wish: String, expected: String?) {
        #expect(LanguageTag.lookup([wish], available: Self.shipped) == expected)
    }

    @Test(
        arguments: [
            ("zh-TW", ["zh", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh", "zh-TW", "zh-Hant"], "zh-TW"), ("zh-TW", ["zh-Hans", "zh"], "zh"),
            ("zh-HK", ["zh-Hant", "zh-Hant-HK"], "zh-Hant-HK"), ("zh-CN", ["zh-Hant", "zh-CN"], "zh-CN"), ("zh", ["zh-Hans", "zh"], "zh"),
            ("pt-PT", ["pt-BR", "pt-PT"], "pt-PT"), ("pt-MZ", ["pt-BR", "pt-PT"], "pt-PT"), ("pt", ["pt-PT", "pt-BR"], "pt-BR"),
            ("pt-BR", ["pt-PT"], "pt-PT"), ("pt-PT", ["pt-BR", "pt"], "pt"),
            ("in_ID", ["id"], nil), ("in-ID", ["id"], "id"), ("id", ["in"], "in"), ("in", ["in", "id"], "in"), ("he", ["iw"], "iw"),
            ("no", ["nb"], "nb"), ("nb-NO", ["no"], "no"), ("nn", ["nn", "nb"], "nn"), ("nn-NO", ["en", "nb"], "nb"),
            ("tl-PH", ["fil"], "fil"), ("mo", ["ro"], "ro"),
        ] as [(String, [String], String?)])
    func folders(_ wish: String, _ available: [String], expected: String?) {
        #expect(LanguageTag.lookup([wish], available: available) == expected)
    }

    @Test func theNextWishComesBeforeTheDefault() {
        #expect(LanguageTag.lookup(["zh-TW", "no", "fr"], available: Self.shipped) == "fr")
    }

    @Test(arguments: [("in_ID", "in-ID"), ("zh_Hant_TW", "zh-Hant-TW"), ("de", "de"), ("_", nil), ("en_", nil), ("", nil), ("a b", nil)])
    func otherSpellings(_ tag: String, expected: String?) {
        #expect(LanguageTag.normalised(tag) == expected)
    }
}
