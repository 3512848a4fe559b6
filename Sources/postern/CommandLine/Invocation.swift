/// What a command line asks for.
enum Invocation: Sendable, Equatable {
    /// To run a command.
    case run(Command)
    /// To print this text, which ends in a line break.
    case help(String)
}
