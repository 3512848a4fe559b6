import Routes
import Testing

@Suite struct AccentColorTests {
    @Test(arguments: ["", "#", "#12345", "#1234567", "0a66c2", "#0a66cg", "#+a66c2", "#-a66c2", " #0a66c2", "red", "#０a66c2"])
    func refuses(_ text: String) {
        #expect(AccentColor(text) == nil)
    }

    @Test func readsEitherCase() throws {
        #expect(try #require(AccentColor("#0A66c2")).text == "#0a66c2")
        #expect(AccentColor("#000102")?.text == "#000102")
    }

    /// The ratios as published calculators give them.
    @Test(arguments: [
        ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#767676", "#ffffff", 4.54), ("#777777", "#ffffff", 4.48),
        ("#0a66c2", "#ffffff", 5.69), ("#ff0000", "#ffffff", 4.0), ("#0000ff", "#000000", 2.44),
    ])
    func hasTheContrastOfWCAG(_ a: String, _ b: String, _ ratio: Double) throws {
        let contrast = try #require(AccentColor(a)).contrast(with: #require(AccentColor(b)))
        #expect(abs(contrast - ratio) < 0.01, "\(contrast)")
    }

    @Test(arguments: ["#0a66c2", "#000000", "#b3261e", "#5b2a86"])
    func takesDarkColours(_ text: String) throws {
        #expect(try #require(AccentColor(text)).problem == nil)
    }

    @Test(arguments: [
        ("#777777", "white text on it and with the sheet is 4.4 to 1"), ("#767676", "the page around the sheet is 4.1 to 1"),
        ("#ffffff", "is 1.0 to 1"), ("#ffcc00", "is 1.5 to 1"),
    ])
    func refusesLightColours(_ text: String, _ reason: String) throws {
        let problem = try #require(AccentColor(text)?.problem)
        #expect(problem.contains(reason), "\(problem)")
    }

    /// Every hue, in the dark: readable as a link on the sheet, and under dark text as a button.
    @Test func hasContrastInDarkModeWhateverItIs() throws {
        let (sheet, text) = (try #require(AccentColor("#1b1e22")), try #require(AccentColor("#0d1526")))
        for red in stride(from: 0, through: 255, by: 51) {
            for green in stride(from: 0, through: 255, by: 51) {
                for blue in stride(from: 0, through: 255, by: 51) {
                    let dark = AccentColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue)).inDarkMode
                    #expect(dark.contrast(with: sheet) >= 4.5 && dark.contrast(with: text) >= 4.5)
                }
            }
        }
    }

    @Test func staysAsItIsInDarkModeWhereItCan() throws {
        let light = try #require(AccentColor("#8fb2ff"))
        #expect(light.inDarkMode == light)
    }
}
