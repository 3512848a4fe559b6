internal import ActionCodes
internal import Mail
internal import Platform
internal import Templating

/// Understands command lines. Pure: printing and exiting is the caller's business.
enum ArgumentParser {
    /// What the words behind the program's name ask for.
    static func parse(_ arguments: [String]) -> Result<Invocation, UsageError> {
        do throws(UsageError) {
            return .success(try invocation(arguments))
        } catch {
            return .failure(error)
        }
    }

    private static func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else {
            throw UsageError(command: nil, message: "no command is given; expected \(commandNames) (postern --help says more)")
        }
        let rest = arguments.dropFirst()
        switch first {
        case "--help", "-h": return .help(CommandSyntax.overview)
        case "--version": return .run(.version)
        case "help":
            guard let name = rest.first(where: { !$0.hasPrefix("-") }) else { return .help(CommandSyntax.overview) }
            return .help(try syntax(name).help)
        default: break
        }
        let syntax = try syntax(first)
        let arguments = try ParsedArguments(rest, syntax: syntax)
        if arguments.wantsHelp { return .help(syntax.help) }
        return .run(try command(arguments))
    }

    private static var commandNames: String { CommandSyntax.all.map(\.name).joined(separator: ", ") }

    private static func syntax(_ name: String) throws(UsageError) -> CommandSyntax {
        if let syntax = CommandSyntax.all.first(where: { $0.name == name }) { return syntax }
        let names = CommandSyntax.all.map(\.name)
        if let near = NearestName.find(name, in: names) {
            throw UsageError(command: nil, message: "\(name.shown) is not a command; did you mean \(near)?")
        }
        throw UsageError(command: nil, message: "\(name.shown) is not a command; expected \(commandNames)")
    }

    private static func command(_ arguments: ParsedArguments) throws(UsageError) -> Command {
        switch arguments.syntax.name {
        case "dev": .dev(try dev(arguments))
        case "serve": .serve(ServeOptions(config: try arguments.required("config")))
        case "check": .check(CheckOptions(config: try arguments.required("config")))
        case "preview":
            .preview(
                PreviewOptions(
                    host: try arguments.loopbackHost(), port: try arguments.port(default: PreviewOptions().port),
                    templates: arguments.text("templates")))
        case "send": .send(try send(arguments))
        case "inspect": .inspect(InspectOptions(link: try arguments.operand(), config: arguments.text("config")))
        case "keys": try keys(arguments)
        case "outbox": .outbox(OutboxOptions(action: try arguments.action(), config: try arguments.required("config")))
        case "bounce": .bounce(BounceOptions(config: try arguments.required("config")))
        case "hosting":
            .hosting(
                HostingOptions(
                    action: try arguments.action(), config: try arguments.required("config"), out: try arguments.required("out")))
        case "version": .version
        // A test parses every command of the table.
        default: preconditionFailure("\(arguments.syntax.name) is in CommandSyntax.all and not here")
        }
    }

    private static func dev(_ arguments: ParsedArguments) throws(UsageError) -> DevOptions {
        var options = DevOptions()
        options.host = try arguments.loopbackHost()
        options.port = try arguments.port(default: options.port)
        options.project = try project(arguments) ?? options.project
        options.data = arguments.text("data") ?? options.data
        options.config = arguments.text("config")
        if let url = arguments.text("smtp-url") {
            // The URL may hold a password and is not shown.
            guard ["smtp://", "smtps://"].contains(where: url.lowercased().hasPrefix) else {
                throw arguments.error("--smtp-url is not a mail server; expected smtp://HOST:PORT or smtps://HOST:PORT")
            }
            options.smtpURL = url
        }
        options.templates = arguments.text("templates")
        options.hosting = arguments.text("hosting")
        return options
    }

    private static func project(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let text = arguments.text("project") else { return nil }
        guard ProjectReader.isProjectID(text) else {
            throw arguments.error("--project \(text.shown) is not a project id; expected lower-case letters, digits and hyphens")
        }
        return text
    }

    private static func keys(_ arguments: ParsedArguments) throws(UsageError) -> Command {
        let config = try arguments.required("config")
        guard try arguments.operand() == DKIMKeysOptions.action else {
            if let flag = DKIMKeysOptions.flags.first(where: arguments.has) {
                throw arguments.error("--\(flag) belongs to keys \(DKIMKeysOptions.action); expected it there only")
            }
            return .keys(KeysOptions(action: try arguments.action(), config: config))
        }
        guard let project = try project(arguments) else { throw arguments.error("--project is missing; expected --project ID") }
        var options = DKIMKeysOptions(config: config, project: project)
        if let selector = arguments.text("selector") {
            // One label, with room for what is put behind it.
            guard DKIMSettings.isSelector(selector), !selector.contains("."), selector.utf8.count <= 48 else {
                throw arguments.error("--selector \(selector.shown) is not a selector; expected letters, digits and hyphens, such as s1")
            }
            options.selector = selector.lowercased()
        }
        if let text = arguments.text("type") {
            guard let type = DKIMKeysOptions.KeyType(rawValue: text) else {
                throw arguments.error("--type \(text.shown) is not a type; expected rsa, ed25519 or both")
            }
            options.type = type
        }
        options.out = arguments.text("out")
        options.show = arguments.has("show")
        return .dkimKeys(options)
    }

    private static func send(_ arguments: ParsedArguments) throws(UsageError) -> SendOptions {
        let types: [ActionCodes.Operation] = [.signIn, .resetPassword, .verifyEmail]
        let type = try arguments.required("type")
        guard let operation = types.first(where: { $0.requestType == type }) else {
            let words = types.map(\.requestType)
            let near = NearestName.find(type, in: words).map { "; did you mean \($0)?" } ?? ""
            throw arguments.error("--type \(type.shown) is not a type; expected \(words.joined(separator: ", "))\(near)")
        }
        let email = try arguments.required("email")
        do throws(EmailAddressError) {
            _ = try EmailAddress(email)
        } catch {
            throw arguments.error("--email \(email.shown) is not an address: \(error.description) Expected one such as a@example.com")
        }
        let continueURL = try arguments.required("continue-url")
        guard ContinueURL(continueURL) != nil else {
            throw arguments.error(
                "--continue-url \(continueURL.shown) cannot be used; expected an https URL, or an http one on a loopback host")
        }
        if let lang = arguments.text("lang"), !LanguageTag.isWellFormed(lang) {
            throw arguments.error("--lang \(lang.shown) is not a language; expected one such as en or pt-BR")
        }
        return SendOptions(
            config: try arguments.required("config"), project: try project(arguments) ?? "", type: operation, email: email,
            continueURL: continueURL, lang: arguments.text("lang"), printLink: arguments.has("print-link"))
    }
}
