internal import FoundationEssentials
internal import Glibc
internal import Platform

/// Where commands print. Standard output is for results, standard error for what is wrong.
enum Console {
    /// Prints a result and flushes it, since a pipe may be waiting for the line.
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }

    /// Prints what is wrong.
    static func error(_ text: String) {
        Logger.standardError("postern: " + text)
    }

    /// Ends the process.
    static func exit(_ code: ExitCode) -> Never {
        fflush(nil)
        Glibc.exit(code.rawValue)
    }
}
