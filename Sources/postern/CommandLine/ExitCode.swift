/// How a command ended, for whoever started it; the numbers are those of sysexits.h.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// It did what it was asked.
    case ok = 0
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// What it was given to work on is wrong, such as a link that is none (EX_DATAERR).
    case data = 65
    /// Something that it needs is not there, such as a port that is taken (EX_UNAVAILABLE).
    case unavailable = 69
    /// A defect of the program (EX_SOFTWARE).
    case software = 70
    /// A file could not be made (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case io = 74
    /// It failed, and may work later (EX_TEMPFAIL).
    case temporary = 75
    /// A permission is missing (EX_NOPERM).
    case permission = 77
    /// The configuration is wrong (EX_CONFIG).
    case configuration = 78
}
