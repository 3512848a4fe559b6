import Templating
import Testing

@Suite struct LanguageTagTests {
    @Test(
        arguments: [
            ("", []),
            ("de", ["de"]),
            ("da, en-gb;q=0.8, en;q=0.7", ["da", "en-gb", "en"]),
            ("en;q=0.5, de;q=0.9,fr", ["fr", "de", "en"]),
            ("a1;q=1.000, de ; Q=0.001\t,\tfr;q=0.01", ["fr", "de"]),
            ("en;q=0, *;q=0.5, de", ["de"]),
            ("en;q=1.1, fr;q=2, de;q=0.1234, it;q=, es;q=x, nl;level=1, pt;q=-1, sv;q=1.001, da", ["da"]),
            ("en; q=0.5 , de; q=0.6", ["de", "en"]),
            ("en, EN;q=0.9, en-GB", ["en", "en-GB"]),
            (",,,de,, ,", ["de"]),
            ("de;q=0.5;x=1,fr", ["fr"]),
            ("en_US, de", ["de"]),
            ("déjà, \u{0}, <b>, fr", ["fr"]),
            ("en;q=1., de", ["en", "de"]),
        ] as [(String, [String])])
    func acceptLanguage(_ header: String, expected: [String]) {
        #expect(LanguageTag.parse(acceptLanguage: header) == expected)
    }

    @Test func atMostSixteenAreTaken() {
        let header = (0..<40).map { "en-\($0 + 10)" }.joined(separator: ",")
        let wishes = LanguageTag.parse(acceptLanguage: header)
        #expect(wishes.count == 16)
        #expect(wishes.last == "en-25")
    }

    @Test func whatIsCutAt256BytesIsNotTaken() {
        let filler = String(repeating: " ", count: 248) + "fr,"  // 251 bytes
        #expect(LanguageTag.parse(acceptLanguage: filler + "de-AT") == ["fr", "de-AT"])
        #expect(LanguageTag.parse(acceptLanguage: filler + "de-AT,it") == ["fr", "de-AT"])
        #expect(LanguageTag.parse(acceptLanguage: filler + "de-ATxx") == ["fr"])
        #expect(LanguageTag.parse(acceptLanguage: String(repeating: "x", count: 1_000_000)) == [])
    }

    @Test(arguments: [
        ("en", true), ("EN", true), ("en-GB", true), ("zh-Hant-TW", true), ("x-private", true), ("de-CH-1996", true), ("abcdefgh", true),
        ("", false), ("-", false), ("en-", false), ("-en", false), ("en--GB", false), ("abcdefghi", false), ("en_US", false), ("*", false),
        ("1en", false), ("é", false), ("en GB", false), ("../..", false), ("a/b", false), ("en\n", false),
        ("aaaaaaaa-bbbbbbbb-cccccccc-dddddddd", true), ("aaaaaaaa-bbbbbbbb-cccccccc-dddddddd-e", false),
    ])
    func form(_ tag: String, isWellFormed: Bool) {
        #expect(LanguageTag.isWellFormed(tag) == isWellFormed)
    }

    @Test(
        arguments: [
            (["pt-BR"], ["en", "pt-BR", "pt"], "pt-BR"),
            (["pt-BR"], ["en", "pt"], "pt"),
            (["PT-br"], ["en", "pt-BR"], "pt-BR"),
            (["pt"], ["en", "pt-BR"], "pt-BR"),
            (["de"], ["en", "de-AT"], nil),
            (["fr", "de-AT"], ["de", "en"], "de"),
            (["zh-Hant-TW", "en"], ["en", "zh-Hant"], "zh-Hant"),
            (["de-x-a"], ["de-x", "de"], "de"),
            (["zh-a-abc-b-def"], ["zh-a", "zh-a-abc", "zh"], "zh-a-abc"),
            (["en-u-ca"], ["en-u", "en"], "en"),
            (["*", "", "a b", "de"], ["de"], "de"),
            ([], ["de"], nil),
            (["de"], [], nil),
        ] as [([String], [String], String?)])
    func lookup(_ preferred: [String], available: [String], expected: String?) {
        #expect(LanguageTag.lookup(preferred, available: available) == expected)
    }
}
