import QRCodes
import Testing

/// That a reader gets the same text back is seen from outside, with zbarimg on rendered pages.
@Suite struct QRCodeTests {
    @Test(arguments: [(1, 21), (14, 21), (15, 25), (250, 61), (251, 57), (2953, 177)])
    func isTheSmallestThatFits(length: Int, width: Int) throws {
        let code = try #require(QRCode(String(repeating: "a", count: length)))
        #expect(code.width == width)
        #expect(code.modules.count == width * width)
    }

    @Test func refusesWhatNoCodeHolds() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "a", count: 2954)) == nil)
        #expect(QRCode(String(repeating: "é", count: 1477)) == nil)
    }

    @Test func aNULIsPartOfTheText() throws {
        #expect(try #require(QRCode("a\0b")) != #require(QRCode("a")))
    }

    @Test func differentTextsDiffer() throws {
        #expect(try #require(QRCode("https://example.com/a")) != #require(QRCode("https://example.com/b")))
    }

    @Test func hasThreeFinderPatterns() throws {
        let code = try #require(QRCode("https://example.com/"))
        for (row, column) in [(0, 0), (0, code.width - 7), (code.width - 7, 0)] {
            #expect((0..<7).allSatisfy { code.modules[row * code.width + column + $0] })
            #expect(!code.modules[(row + 1) * code.width + column + 1])
            #expect(code.modules[(row + 3) * code.width + column + 3])
        }
    }

    /// The path, drawn by hand, covers just the dark modules.
    @Test func drawsEveryDarkModuleOnce() throws {
        let code = try #require(QRCode("https://example.com/__/auth/links?link=x"))
        var drawn = Array(repeating: 0, count: code.width * code.width)
        for run in code.path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            // column, row, length, height, length again
            #expect(numbers.count == 5 && numbers[3] == 1 && numbers[2] == numbers[4])
            for column in numbers[0]..<numbers[0] + numbers[2] {
                drawn[(numbers[1] - QRCode.quietZone) * code.width + column - QRCode.quietZone] += 1
            }
        }
        #expect(drawn.map { $0 == 1 } == code.modules)
        #expect(drawn.allSatisfy { $0 <= 1 })
        #expect(code.side == code.width + 8)
    }
}
