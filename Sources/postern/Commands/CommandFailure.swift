/// Why a command ends without having done its work.
struct CommandFailure: Error {
    /// The exit code.
    let code: ExitCode
    /// What is wrong and what helps; one line or several, without a secret.
    let message: String

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension CommandFailure {
    /// Runs `body`; an error of it ends the command with `code` and the error's description.
    static func catching<Value, Failure: Error>(
        _ code: ExitCode, _ body: () throws(Failure) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw CommandFailure(code, "\(error)")
        }
    }
}
