internal import HTTP
internal import Platform

/// A server that is put together and has its ports, ready to run.
struct Server {
    /// In the order in which they depend on each other.
    let services: [any Service]
    /// The address that the line on standard output names.
    let address: String

    /// Runs until SIGTERM or SIGINT, then stops cleanly.
    func run() async throws(CommandFailure) {
        let shutdown = Shutdown()
        TerminationSignals.forward(to: shutdown)
        Console.print("postern: listening on http://\(address)")
        do {
            try await ServiceGroup(services).run(until: shutdown)
        } catch {
            throw CommandFailure(.software, "stopped: \(error)")
        }
    }
}
