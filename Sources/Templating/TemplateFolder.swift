import FoundationEssentials

/// Reads files and folders below one folder, with the checks that keep a slip of an operator from becoming a strange mail.
struct TemplateFolder {
    /// In bytes. A mail should stay below 20 KiB, so this leaves room and still bounds what a start reads.
    static let largestFile = 256 * 1024

    let path: String

    init(_ path: String) {
        let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
        self.path = trimmed.isEmpty && !path.isEmpty ? "/" : trimmed
    }

    func path(of name: String) -> String {
        path == "/" ? path + name : "\(path)/\(name)"
    }

    func folder(_ name: String) -> TemplateFolder {
        TemplateFolder(path(of: name))
    }

    /// Whether this is a folder, or a link to one.
    var exists: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// The names of the folders in this one, in order; hidden ones are left out. Links to nothing count, so that what they lack is reported.
    func folders() throws(TemplateLibraryError.Problem) -> [String] {
        guard exists else { throw TemplateLibraryError.Problem(path: path, reason: "there is no such folder") }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { !$0.hasPrefix(".") && (folder($0).exists || !FileManager.default.fileExists(atPath: path(of: $0))) }
                .sorted()
        } catch {
            throw TemplateLibraryError.Problem(path: path, reason: "the folder cannot be read")
        }
    }

    /// Whether there is a file, a folder or a link with this name, even a link to nothing.
    func holds(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: name))
            || (try? FileManager.default.destinationOfSymbolicLink(atPath: path(of: name))) != nil
    }

    /// The names of what is in this folder, in order, but for hidden ones; none when there is no such folder.
    func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The text of a file, without a byte order mark.
    func text(_ name: String) throws(TemplateLibraryError.Problem) -> String {
        let file = path(of: name)
        func problem(_ reason: String) -> TemplateLibraryError.Problem { .init(path: file, reason: reason) }
        let tooLarge = problem("larger than \(Self.largestFile / 1024) KiB")

        let bytes: [UInt8]
        do {
            // Looked at before it is read: a device or a pipe would never end. Following a link asks for every folder on the way, and there are
            // hundreds of files, so that is done for links alone.
            var target = file
            var attributes = (try? FileManager.default.attributesOfItem(atPath: file)) ?? [:]
            if attributes[.type] as? FileAttributeType == .typeSymbolicLink {
                guard FileManager.default.fileExists(atPath: file) else { throw problem("there is no such file") }
                target = URL(filePath: file).resolvingSymlinksInPath().path
                attributes = (try? FileManager.default.attributesOfItem(atPath: target)) ?? [:]
            }
            if attributes.isEmpty, !FileManager.default.fileExists(atPath: file) { throw problem("there is no such file") }
            guard attributes[.type] as? FileAttributeType == .typeRegular else { throw problem("not a regular file") }
            // A UInt, or a number object that casts to one, where the process has loaded the whole of Foundation.
            guard let size = attributes[.size] as? UInt, size <= Self.largestFile else { throw tooLarge }
            bytes = [UInt8](try Data(contentsOf: URL(filePath: target)))
        } catch let problem as TemplateLibraryError.Problem {
            throw problem
        } catch {
            throw problem("the file cannot be read")
        }
        guard bytes.count <= Self.largestFile else { throw tooLarge }
        guard !bytes.contains(0) else { throw problem("holds a NUL byte") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("not UTF-8") }
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }
}
