import ActionCodes
import Testing

@testable import postern

@Suite struct ArgumentParserTests {
    /// Splits at spaces, as a shell does; a lone `''` is an empty word.
    static func parse(_ line: String) -> Result<Invocation, UsageError> {
        ArgumentParser.parse(line.split(separator: " ").map { $0 == "''" ? "" : String($0) })
    }

    static let good: [(String, Command)] = [
        ("dev", .dev(DevOptions())),
        ("dev --port 0", .dev(DevOptions(port: 0))), ("dev --port=65535 --host=::1", .dev(DevOptions(host: "::1", port: 65535))),
        ("dev --host [::1]", .dev(DevOptions(host: "::1"))), ("dev --host LOCALHOST", .dev(DevOptions(host: "localhost"))),
        ("dev --host 127.1.2.3", .dev(DevOptions(host: "127.1.2.3"))),
        (
            "dev --project p --data d --config c --smtp-url smtp://u:p@h:25 --templates t --hosting h",
            .dev(DevOptions(project: "p", data: "d", config: "c", smtpURL: "smtp://u:p@h:25", templates: "t", hosting: "h"))
        ),
        ("serve --config a=b.json5", .serve(ServeOptions(config: "a=b.json5"))),
        ("serve --config=a=b.json5", .serve(ServeOptions(config: "a=b.json5"))),
        ("check --config -", .check(CheckOptions(config: "-"))),
        ("preview", .preview(PreviewOptions())), ("preview --templates t --port 1", .preview(PreviewOptions(port: 1, templates: "t"))),
        (
            "send --config c --project p --type EMAIL_SIGNIN --email a@example.com --continue-url https://example.com/?a=b --lang de --print-link",
            .send(
                SendOptions(
                    config: "c", project: "p", type: .signIn, email: "a@example.com", continueURL: "https://example.com/?a=b", lang: "de",
                    printLink: true))
        ),
        (
            "send --type PASSWORD_RESET --continue-url http://localhost:3000 --email a@example.com --project p --config c",
            .send(
                SendOptions(config: "c", project: "p", type: .resetPassword, email: "a@example.com", continueURL: "http://localhost:3000"))
        ),
        ("inspect https://a.example/?x=1", .inspect(InspectOptions(link: "https://a.example/?x=1"))),
        ("inspect --config c -- --odd", .inspect(InspectOptions(link: "--odd", config: "c"))),
        ("inspect LINK --config c", .inspect(InspectOptions(link: "LINK", config: "c"))),
        ("inspect -- --help", .inspect(InspectOptions(link: "--help"))),
        ("keys list --config c", .keys(KeysOptions(action: .list, config: "c"))),
        ("keys --config c rotate", .keys(KeysOptions(action: .rotate, config: "c"))),
        ("keys dkim --config c --project a", .dkimKeys(DKIMKeysOptions(config: "c", project: "a"))),
        (
            "keys dkim --config c --project a --selector 20261201 --type rsa --out /k --show",
            .dkimKeys(DKIMKeysOptions(config: "c", project: "a", selector: "20261201", type: .rsa, out: "/k", show: true))
        ),
        (
            "keys dkim --config c --project a --selector S-2 --type ed25519",
            .dkimKeys(DKIMKeysOptions(config: "c", project: "a", selector: "s-2", type: .ed25519))
        ),
        ("outbox list --config c", .outbox(OutboxOptions(action: .list, config: "c"))),
        ("outbox retry --config c", .outbox(OutboxOptions(action: .retry, config: "c"))),
        ("outbox purge --config c", .outbox(OutboxOptions(action: .purge, config: "c"))),
        ("bounce --config c", .bounce(BounceOptions(config: "c"))),
        ("hosting export --config c --out d", .hosting(HostingOptions(action: .export, config: "c", out: "d"))),
        ("version", .version), ("--version", .version),
    ]

    @Test(arguments: good)
    func understands(_ line: String, _ command: Command) {
        #expect(Self.parse(line) == .success(.run(command)))
    }

    static let bad: [(String, String)] = [
        (
            "",
            "no command is given; expected dev, serve, check, preview, send, inspect, keys, outbox, bounce, hosting, version (postern --help says more)"
        ),
        ("sevre", "\"sevre\" is not a command; did you mean serve?"),
        (
            "frobnicate",
            "\"frobnicate\" is not a command; expected dev, serve, check, preview, send, inspect, keys, outbox, bounce, hosting, version"
        ),
        (
            "help frobnicate",
            "\"frobnicate\" is not a command; expected dev, serve, check, preview, send, inspect, keys, outbox, bounce, hosting, version"
        ),
        ("dev --prot 1", "dev: \"--prot\" is not an option; did you mean --port?"),
        (
            "dev -p 1",
            "dev: \"-p\" is not an option; expected one of --host, --port, --project, --data, --config, --smtp-url, --templates, --hosting, --help"
        ),
        (
            "dev --smtp-password=hush",
            "dev: \"--smtp-password\" is not an option; expected one of --host, --port, --project, --data, --config, --smtp-url, --templates, --hosting, --help"
        ),
        ("dev --port", "dev: --port has no value; expected --port PORT"),
        ("dev --port --host ::1", "dev: --port has no value; expected --port PORT"),
        ("dev --port=", "dev: --port is empty; expected --port PORT"),
        ("dev --data ''", "dev: --data is empty; expected --data DIR"),
        ("dev --port 65536", "dev: --port \"65536\" is not a port; expected a number from 0 to 65535"),
        ("dev --port -1", "dev: --port \"-1\" is not a port; expected a number from 0 to 65535"),
        ("dev --port 80a", "dev: --port \"80a\" is not a port; expected a number from 0 to 65535"),
        ("dev --port 1 --port 2", "dev: --port is given twice; expected it once"),
        (
            "dev --host 0.0.0.0",
            "dev: --host \"0.0.0.0\" is not this machine; expected a loopback address such as 127.0.0.1 or ::1 (postern serve listens elsewhere)"
        ),
        (
            "preview --host example.com",
            "preview: --host \"example.com\" is not this machine; expected a loopback address such as 127.0.0.1 or ::1 (postern serve listens elsewhere)"
        ),
        ("dev --project Demo", "dev: --project \"Demo\" is not a project id; expected lower-case letters, digits and hyphens"),
        (
            "dev --smtp-url hush@mail.example.com",
            "dev: --smtp-url is not a mail server; expected smtp://HOST:PORT or smtps://HOST:PORT"
        ),
        (
            "dev now",
            "dev: \"now\" is too much; expected postern dev [--host ADDRESS] [--port PORT] [--project ID] [--data DIR] [--config FILE] [--smtp-url URL] [--templates DIR] [--hosting DIR]"
        ),
        ("serve", "serve: --config is missing; expected --config FILE"),
        ("check", "check: --config is missing; expected --config FILE"),
        ("serve c.json5", "serve: \"c.json5\" is too much; expected postern serve --config FILE"),
        ("version --verbose", "version: \"--verbose\" is not an option; expected one of --help"),
        ("inspect", "inspect: LINK is missing; expected The link, in quotes."),
        (
            "inspect https://a.example oobCode=hush",
            "inspect: one argument is too much; expected postern inspect LINK [--config FILE]"
        ),
        ("keys --config c", "keys: ACTION is missing; expected list or rotate or dkim"),
        ("keys rotat --config c", "keys: \"rotat\" is not an action; expected list or rotate or dkim; did you mean rotate?"),
        ("keys dkim --config c", "keys: --project is missing; expected --project ID"),
        ("keys list --config c --show", "keys: --show belongs to keys dkim; expected it there only"),
        ("keys rotate --config c --project a", "keys: --project belongs to keys dkim; expected it there only"),
        ("keys dkim --config c --project a --type dsa", "keys: --type \"dsa\" is not a type; expected rsa, ed25519 or both"),
        (
            "keys dkim --config c --project a --selector s.1",
            "keys: --selector \"s.1\" is not a selector; expected letters, digits and hyphens, such as s1"
        ),
        (
            "keys dkim --config c --project a --selector -s",
            "keys: --selector \"-s\" is not a selector; expected letters, digits and hyphens, such as s1"
        ),
        ("outbox flush --config c", "outbox: \"flush\" is not an action; expected list or retry or purge"),
        ("hosting export --config c", "hosting: --out is missing; expected --out DIR"),
        ("send --config c --print-link=yes", "send: --print-link takes no value; expected it alone"),
        ("send --config c --project p", "send: --type is missing; expected --type TYPE"),
        ("\(send) --type SIGNIN", "send: --type \"SIGNIN\" is not a type; expected EMAIL_SIGNIN, PASSWORD_RESET, VERIFY_EMAIL"),
        (
            "\(send) --type EMAIL_SIGN",
            "send: --type \"EMAIL_SIGN\" is not a type; expected EMAIL_SIGNIN, PASSWORD_RESET, VERIFY_EMAIL; did you mean EMAIL_SIGNIN?"
        ),
        (
            "\(send) --type EMAIL_SIGNIN --lang english!",
            "send: --lang \"english!\" is not a language; expected one such as en or pt-BR"
        ),
    ]

    private static let send = "send --config c --project p --email a@example.com --continue-url https://example.com"

    @Test(arguments: bad)
    func refuses(_ line: String, _ message: String) {
        guard case .failure(let error) = Self.parse(line) else {
            Issue.record("\(line) was understood")
            return
        }
        #expect(error.description == message)
        #expect(!error.description.contains("\n"))
        #expect(!error.description.contains("hush"))
    }

    @Test(arguments: [
        ("--email nobody --continue-url https://example.com", "--email \"nobody\" is not an address"),
        ("--email a@example.com --continue-url http://example.com", "--continue-url \"http://example.com\" cannot be used"),
        ("--email a@example.com --continue-url javascript:alert(1)", "--continue-url \"javascript:alert(1)\" cannot be used"),
    ])
    func refusesWhatCannotBeSent(_ flags: String, _ beginning: String) {
        guard case .failure(let error) = Self.parse("send --config c --project p --type EMAIL_SIGNIN " + flags) else {
            Issue.record("\(flags) was understood")
            return
        }
        #expect(error.message.hasPrefix(beginning))
    }

    @Test(arguments: CommandSyntax.all.map(\.name))
    func everyCommandHasHelp(_ name: String) throws {
        let syntax = try #require(CommandSyntax.all.first { $0.name == name })
        for line in ["\(name) --help", "help \(name)", "\(name) -h", "\(name) --nonsense --help"] {
            #expect(Self.parse(line) == .success(.help(syntax.help)))
        }
        #expect(syntax.help.hasPrefix(syntax.summary + "\n\n    postern \(name)"))
        #expect(syntax.help.hasSuffix("\n"))
        for flag in syntax.flags { #expect(syntax.help.contains("  --\(flag.name)")) }
        #expect(CommandSyntax.overview.contains("  \(name) "))
    }

    /// Whatever the table requires is enough to make the command.
    @Test(arguments: CommandSyntax.all.map(\.name))
    func everyCommandIsMade(_ name: String) throws {
        let syntax = try #require(CommandSyntax.all.first { $0.name == name })
        let values = ["project": "p", "type": "VERIFY_EMAIL", "email": "a@example.com", "continue-url": "https://example.com"]
        let words =
            [name] + syntax.operands.map { $0.words.first ?? "x" }
            + syntax.flags.filter(\.isRequired).map { "--\($0.name)=\(values[$0.name] ?? "x")" }
        guard case .success(.run) = ArgumentParser.parse(words) else {
            Issue.record("\(words) was refused")
            return
        }
    }

    @Test(arguments: ["--help", "-h", "help", "help --help"])
    func overview(_ line: String) {
        #expect(Self.parse(line) == .success(.help(CommandSyntax.overview)))
    }

    @Test func checkExplainsTheSettings() {
        guard case .success(.help(let text)) = Self.parse("check --help") else {
            Issue.record("no help")
            return
        }
        for key in ConfigurationKey.all { #expect(text.contains("  \(key.pattern)\n")) }
    }

    @Test func exitCodesAreThoseOfSysexits() {
        #expect(ExitCode.ok.rawValue == 0 && ExitCode.usage.rawValue == 64 && ExitCode.configuration.rawValue == 78)
        #expect(ExitCode.unavailable.rawValue == 69 && ExitCode.software.rawValue == 70 && ExitCode.io.rawValue == 74)
    }
}
