internal import FoundationEssentials
internal import Platform

/// The program: reads the command line, runs the command, ends with its code.
@main
struct Postern {
    /// Not `async`: the main thread of an asynchronous main ends in Dispatch's own loop, which takes the signals back, and SIGTERM would then
    /// end the process undrained. This thread waits instead, with the signals blocked.
    static func main() {
        TerminationSignals.block()
        let ended = WorkQueue<ExitCode>()
        Task.detached { ended.put(await execute()) }
        Console.exit(ended.take(upTo: 1).first ?? .software)
    }

    private static func execute() async -> ExitCode {
        switch ArgumentParser.parse(Array(CommandLine.arguments.dropFirst())) {
        case .failure(let error):
            Console.error(error.description)
            return .usage
        case .success(.help(let text)):
            Console.print(text.hasSuffix("\n") ? String(text.dropLast()) : text)
            return .ok
        case .success(.run(let command)):
            return await run(command)
        }
    }

    private static func run(_ command: Command) async -> ExitCode {
        do throws(CommandFailure) {
            switch command {
            case .dev(let options): try await DevCommand(options).run()
            case .serve(let options): try await ServeCommand(options).run()
            case .check(let options): try CheckCommand(options).run()
            case .preview: throw CommandFailure(.unavailable, "preview is not in this version; `postern dev` shows the mails it catches")
            case .send(let options): try await SendCommand(options).run()
            case .inspect(let options): try InspectCommand(options).run()
            case .keys(let options): try KeysCommand(options).run()
            case .dkimKeys(let options): try DKIMKeysCommand(options).run()
            case .outbox(let options): try await OutboxCommand(options).run()
            case .bounce(let options): try await BounceCommand(options).run()
            case .hosting(let options): try HostingCommand(options).run()
            case .version: Console.print("postern \(Version.current)")
            }
            return .ok
        } catch {
            Console.error(error.message)
            return error.code
        }
    }
}
