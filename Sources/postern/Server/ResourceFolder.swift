internal import FoundationEssentials

/// Finds `Templates` and `Hosting`, which come with the program.
enum ResourceFolder {
    /// The configured folder, else the one in the working directory, else the nearest one above the executable, else the one installed beside it
    /// in `share/postern`.
    static func path(_ name: String, configured: String?) -> String {
        if let configured { return configured }
        if exists(name) { return name }
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var folder = executable.deletingLastPathComponent()
        while folder.path.count > 1 {
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
