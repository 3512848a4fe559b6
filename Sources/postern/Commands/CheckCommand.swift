internal import Associations
internal import SMTP

/// `postern check`: everything that is wrong with a configuration and the files that it names, without serving or changing anything.
struct CheckCommand {
    private let options: CheckOptions

    init(_ options: CheckOptions) {
        self.options = options
    }

    func run() throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        let builder = ServerBuilder(configuration: configuration)
        var problems: [String] = []
        // Each part by itself, so that all of them are told at once.
        do throws(CommandFailure) { _ = try builder.templates() } catch { problems.append(error.message) }
        do throws(CommandFailure) { _ = try builder.pages() } catch { problems.append(error.message) }
        do throws(AssociationError) {
            _ = try ServerBuilder.hosts(
                configuration, projects: configuration.makeProjects(), publicURL: configuration.publicURL, answersLoopback: false)
        } catch {
            problems.append("\(error)")
        }
        for (index, server) in configuration.smtp.enumerated() {
            do throws(SMTPConfigurationError) { _ = try server.makeServer() } catch { problems.append("smtp[\(index)]: \(error)") }
        }
        do throws(CommandFailure) { _ = try configuration.makeMailSigners() } catch { problems.append(error.message) }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        for line in configuration.dkimAdvice { Console.print("warning: " + line) }
        for line in configuration.withoutEffect { Console.print("note: " + line) }
        Console.print("\(options.config): ok (\(configuration.projects.count) project\(configuration.projects.count == 1 ? "" : "s"))")
    }
}
