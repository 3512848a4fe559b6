import Routes
import Testing

@Suite struct PageLogoTests {
    @Test(arguments: [
        "<svg/>", "<svg>", "<svg xmlns='x'>", "\u{FEFF}<?xml version=\"1.0\"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg\n>",
        " \n<svg viewBox=\"\">",
    ])
    func takesSVG(_ text: String) throws {
        #expect(try PageLogo(Array(text.utf8)).format == .svg)
    }

    @Test func takesPNG() throws {
        #expect(try PageLogo([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]).format == .png)
    }

    @Test(arguments: ["", "<", "<svg", "<svgx>", "<html><svg>", "<!-- <svg>", "<?xml", "GIF89a", "text <svg>", "<?xml?><html>"])
    func refusesWhatIsNone(_ text: String) {
        let refusal = #expect(throws: PageLogo.Refusal.self) { try PageLogo(Array(text.utf8)) }
        #expect(refusal?.reason == "is neither a PNG nor an SVG picture")
    }

    @Test func refusesWhatIsNoText() {
        #expect(throws: PageLogo.Refusal.self) { try PageLogo(Array("<svg ".utf8) + [0xFF]) }
    }

    @Test func refusesWhatIsLarge() throws {
        let start = Array("<svg ".utf8)
        _ = try PageLogo(start + Array(repeating: 0x20, count: PageLogo.maximumSize - start.count))
        let refusal = #expect(throws: PageLogo.Refusal.self) {
            try PageLogo(start + Array(repeating: 0x20, count: PageLogo.maximumSize - start.count + 1))
        }
        #expect(refusal?.reason == "is larger than 256 KiB")
    }
}
