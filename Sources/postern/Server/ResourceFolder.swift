internal import FoundationEssentials

/// Finds `Templates` and `Hosting`, which come with the program.
enum ResourceFolder {
    /// How far above the executable a checkout's root may be: `.build/<triple>/release/postern` is three folders below it.
    private static let levels = 5

    /// The configured folder; else the nearest one above the executable, or installed beside it in `share/postern`; else the one in the working
    /// directory. The working directory comes last, because any folder there may happen to have the name.
    static func path(_ name: String, configured: String?) -> String {
        if let configured { return configured }
        var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        for _ in 0..<levels where folder.path.count > 1 {
            for candidate in [folder.appending(path: name), folder.appending(path: "share/postern/" + name)] where exists(candidate.path) {
                return candidate.path
            }
            folder = folder.deletingLastPathComponent()
        }
        return name
    }

    private static func exists(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}
