internal import FoundationEssentials

/// What a configuration may refer to outside its file: environment variables and other files. A value, so that tests bring their own.
struct ConfigurationSurroundings: Sendable {
    /// Why a file gives no content; the sentence's end, without its path.
    struct Unreadable: Error, Equatable {
        /// Such as `there is no such file`.
        var reason: String
    }

    /// The value of an environment variable, or nil when it is not set.
    var variable: @Sendable (_ name: String) -> String?
    /// The bytes of a file.
    var contents: @Sendable (_ path: String) throws(Unreadable) -> [UInt8]

    init(
        variable: @escaping @Sendable (_ name: String) -> String?,
        contents: @escaping @Sendable (_ path: String) throws(Unreadable) -> [UInt8]
    ) {
        self.variable = variable
        self.contents = contents
    }

    /// Those of this process.
    static let process = ConfigurationSurroundings(
        variable: { ProcessInfo.processInfo.environment[$0] },
        contents: { path throws(Unreadable) in
            do {
                return Array(try Data(contentsOf: URL(filePath: path)))
            } catch let error as CocoaError {
                switch error.code {
                case .fileReadNoSuchFile, .fileNoSuchFile: throw Unreadable(reason: "there is no such file")
                case .fileReadNoPermission: throw Unreadable(reason: "this user may not read it")
                default: throw Unreadable(reason: "it cannot be read (error \(error.code.rawValue))")
                }
            } catch {
                throw Unreadable(reason: "it cannot be read")
            }
        })
}
