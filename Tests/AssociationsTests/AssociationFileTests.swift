import Testing

@testable import Associations

@Suite struct AssociationFileTests {
    /// Published test values of FNV-1a with 128 bits.
    @Test(arguments: [
        ("", UInt128(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D)),
        ("a", UInt128(0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964)),
        ("foobar", UInt128(0x343E_1662_793C_64BF_6F0D_3597_BA44_6F18)),
    ])
    func checksum(_ text: String, _ expected: UInt128) {
        #expect(AssociationFile.checksum(Array(text.utf8)) == expected)
    }

    @Test func `The entity tag is strong, quoted and follows the content`() {
        let file = AssociationFile(.array([]))
        let same = AssociationFile(.array([]))
        let other = AssociationFile(.object([]))
        #expect(file.etag == same.etag)
        #expect(file.etag != other.etag)
        #expect(file.etag.utf8.count == 34)
        #expect(file.etag.hasPrefix("\"") && file.etag.hasSuffix("\""))
        #expect(file.etag.dropFirst().dropLast().allSatisfy { $0.isASCIIHexDigit && !($0.isASCIILetter && !$0.isASCIILowerCaseLetter) })
    }

    @Test func `Headers are what Apple and Google ask for`() {
        #expect(AssociationFile.contentType == "application/json")
        #expect(AssociationFile.cacheControl == "public, max-age=3600")
        #expect(AppSiteAssociation.paths == ["/.well-known/apple-app-site-association", "/apple-app-site-association"])
        #expect(AssetLinks.path == "/.well-known/assetlinks.json")
    }
}
