internal import Accounts
internal import ActionCodes
internal import Crypto
internal import Mail
internal import Platform
internal import Routes
internal import SMTP
internal import SQLiteStorage
internal import Templating

/// `postern send`: one mail by the same way that the API's mails take, from the check of its settings to the mail server.
struct SendCommand {
    private let options: SendOptions

    init(_ options: SendOptions) {
        self.options = options
    }

    func run() async throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        let builder = ServerBuilder(configuration: configuration)
        let templates = try builder.templates()
        guard let configured = configuration.makeProjects().first(where: { $0.id == options.project }) else {
            let known = configuration.projects.map(\.id).joined(separator: ", ")
            throw CommandFailure(.usage, "--project \(options.project) is not in \(options.config); it has \(known)")
        }
        let (store, isServed) = try open(configuration)
        defer { store.close() }
        let overrides = try await overrides(store, configuration)
        let keys = KeyRing(secrets: configuration.secrets)
        let tokenKeys = try CommandFailure.catching(.unavailable) { () throws(TokenKeyError) in
            try TokenKeys(folder: configuration.tokenKeysPath, publication: TokenKeyPublication.cacheTime)
        }
        let send = SendOobCode(
            store: store, keys: keys, verifier: IDTokenVerifier(keys: tokenKeys), clock: .system, randomness: .system,
            templates: { templates.current }, wakeOutbox: {})
        let answer: SendOobCode.Answer
        do throws(ActionCodeError) {
            answer = try await send(request, project: overrides.apply(to: configured))
        } catch {
            throw CommandFailure(.data, "refused: \(error.code ?? "\(error)")")
        }
        if let link = answer.oobLink {
            Console.print(link)
            return
        }
        if isServed {
            Console.print("accepted; the running server sends it (postern outbox list shows what waits)")
            return
        }
        let projects = configuration.makeProjects()
        let signers = try configuration.makeMailSigners()
        let composer = ActionCodeComposer(
            store: store, keys: keys, clock: .system, templates: { templates.current },
            project: { id in projects.first { $0.id == id }.map(overrides.apply) },
            signer: { signers[$0] })
        try await deliver(answer.codeID, store: store, composer: composer, servers: try configuration.mailServers())
    }

    /// As the service has them.
    private func overrides(_ store: SQLiteStore, _ configuration: Configuration) async throws(CommandFailure) -> ProjectOverridesDirectory {
        do throws(StoreError) {
            return try await ProjectOverridesDirectory(store: store, projects: configuration.changeableProjects)
        } catch {
            throw CommandFailure(.unavailable, "the changed settings cannot be read: \(error)")
        }
    }

    private var request: SendOobCodeRequest {
        var request = SendOobCodeRequest()
        request.operation = options.type
        request.email = options.email
        request.continueURL = options.continueURL
        request.locale = options.lang
        request.returnOobLink = options.printLink
        request.isPrivileged = true
        request.namesAccountByAddress = true
        return request
    }

    /// Alone with the database when no server runs, else beside it.
    private func open(_ configuration: Configuration) throws(CommandFailure) -> (store: SQLiteStore, isServed: Bool) {
        do throws(SQLiteOpenError) {
            return (try SQLiteStore.open(path: configuration.databasePath, role: .serving, logger: .silent), false)
        } catch .inUse {
            return try CommandFailure.catching(.unavailable) { () throws(SQLiteOpenError) in
                (try SQLiteStore.open(path: configuration.databasePath, role: .tool, logger: .silent), true)
            }
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }

    /// How many entries of the outbox are looked through for the one that was just made, newest first.
    private static let searched = 1000

    /// Runs an outbox until the mail of this code was tried; says what became of it.
    private func deliver(
        _ codeID: ActionCodeID, store: SQLiteStore, composer: ActionCodeComposer, servers: [SMTPServer]
    ) async throws(CommandFailure) {
        let outbox = OutboxService(
            store: store, composer: composer, transport: SMTPTransport(servers: servers),
            owner: Base64URL.encode(Randomness.system.bytes(9)), metrics: Metrics(), logger: .silent)
        let shutdown = Shutdown()
        let running = Task { try await outbox.run(until: shutdown) }
        var own: OutboxListing?
        do {
            for _ in 0..<600 {
                own = try await store.listOutbox(limit: Self.searched).first { $0.entry.codeID == codeID.bytes }
                // A mail that is sent leaves the list; one that was tried and failed has a reason.
                if own == nil || own?.reason != nil { break }
                try await Task.sleep(for: .milliseconds(50))
            }
        } catch {
            throw CommandFailure(.io, "the database cannot be used: \(error)")
        }
        shutdown.trigger()
        _ = await running.result
        guard let own else {
            Console.print("sent")
            return
        }
        switch own.state {
        case .failed, .dropped: throw CommandFailure(.data, "not sent, and will not be: \(own.reason ?? "no reason is known")")
        case .waiting, .leased:
            throw CommandFailure(.temporary, "not sent yet: \(own.reason ?? "no answer from the mail server"); it waits in the outbox")
        }
    }
}
