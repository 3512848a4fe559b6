import FoundationEssentials

/// A file of Fixtures, found beside this source file.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
    }

    /// The file as text without the newline that ends it.
    static func text(_ name: String) throws -> String {
        let text = String(decoding: try bytes(name), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
