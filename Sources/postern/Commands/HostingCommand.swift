internal import Associations
internal import FoundationEssentials
internal import Routes

/// `postern hosting export`: the association files as this service would serve them, for a static host or a CDN.
struct HostingCommand {
    private let options: HostingOptions

    init(_ options: HostingOptions) {
        self.options = options
    }

    func run() throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        let hosts = try CommandFailure.catching(.configuration) { () throws(AssociationError) in
            try ServerBuilder.hosts(
                configuration, projects: configuration.makeProjects(), publicURL: configuration.publicURL, answersLoopback: false)
        }
        for host in hosts.names {
            for file in hosts.files(of: host) {
                try write(file.bytes, to: options.out + "/" + host + file.path)
            }
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let url = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        } catch {
            throw CommandFailure(.cannotCreate, "cannot write \(path)")
        }
        Console.print(path)
    }
}
