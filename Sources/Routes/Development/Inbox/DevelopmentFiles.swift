internal import FoundationEssentials
internal import HTTP

/// The files of the pages at `/_postern/`, read once at the start.
public struct DevelopmentFiles: Sendable {
    /// A file that cannot be served.
    public struct Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file.
        public let path: String
        /// What is wrong with it.
        public let reason: String

        /// The file and what is wrong with it, in one line.
        public var description: String { "\(path): \(reason)" }
    }

    let page: SharedBody
    let script: SharedBody
    let styleSheet: SharedBody

    /// Reads `postern/index.html`, `postern/inbox.js` and `postern/style.css` below the hosting folder.
    ///
    /// - Parameter folder: any path.
    /// - Throws: the first file that is missing, not a regular file, larger than 1 MiB or not UTF-8.
    public init(hosting folder: String) throws(Problem) {
        page = try Self.read("index.html", below: folder)
        script = try Self.read("inbox.js", below: folder)
        styleSheet = try Self.read("style.css", below: folder)
    }

    /// In bytes; bounds what a start reads.
    private static let largestFile = 1024 * 1024

    private static func read(_ name: String, below folder: String) throws(Problem) -> SharedBody {
        let path = "\(folder.isEmpty ? "." : folder)/postern/\(name)"
        func problem(_ reason: String) -> Problem { Problem(path: path, reason: reason) }
        guard FileManager.default.fileExists(atPath: path) else { throw problem("there is no such file") }
        let data: Data
        do {
            // Looked at before it is read: a device or a pipe would never end.
            let target = URL(filePath: path).resolvingSymlinksInPath().path
            let attributes = try FileManager.default.attributesOfItem(atPath: target)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { throw problem("not a regular file") }
            guard let size = attributes[.size] as? UInt, size <= largestFile else { throw problem("larger than \(largestFile / 1024) KiB") }
            data = try Data(contentsOf: URL(filePath: target))
        } catch let problem as Problem {
            throw problem
        } catch {
            throw problem("the file cannot be read")
        }
        guard String(validating: data, as: UTF8.self) != nil else { throw problem("not UTF-8") }
        return SharedBody(Array(data))
    }
}
