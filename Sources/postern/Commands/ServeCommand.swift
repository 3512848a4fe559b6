/// `postern serve`: the service.
struct ServeCommand {
    private let options: ServeOptions

    init(_ options: ServeOptions) {
        self.options = options
    }

    func run() async throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        try await ServerBuilder(configuration: configuration).build().run()
    }
}
