import FoundationEssentials

/// A folder of a test's own, removed at its end.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "templating-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ file: String, _ text: String) throws {
        try write(file, bytes: Array(text.utf8))
    }

    func write(_ file: String, bytes: [UInt8]) throws {
        let url = URL(filePath: "\(path)/\(file)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func makeFolder(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func writeLayout() throws {
        try write("layout/body.txt", "<{{content}}>\n{{appName}}\n")
        try write("layout/body.html", "<html lang=\"{{language}}\" dir=\"{{direction}}\"><body>\n{{content}}\n</body></html>\n")
    }

    func writeMail(_ mode: String, _ language: String) throws {
        try write("\(mode)/\(language)/subject.txt", "\(mode) \(language) {{appName}}\n")
        try write("\(mode)/\(language)/body.txt", "text {{link}}\n\n")
        try write("\(mode)/\(language)/body.html", "<p>{{email}}</p>\r\n")
    }
}
