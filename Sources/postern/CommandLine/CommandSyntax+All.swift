extension CommandSyntax {
    /// Every command there is, in the order of help.
    static let all: [CommandSyntax] = [
        CommandSyntax(
            name: "dev", summary: "Runs everything on this machine, with an inbox in the browser; needs no configuration.",
            flags: [
                host, port(default: 9099),
                Flag(name: "project", placeholder: "ID", meaning: "The project of calls that name none. Default demo-project."),
                Flag(name: "data", placeholder: "DIR", meaning: "Where everything is stored. Default ./.postern."),
                Flag(name: "config", placeholder: "FILE", meaning: "Takes the settings of the projects in this configuration file."),
                Flag(
                    name: "smtp-url", placeholder: "URL",
                    meaning: "Really sends, through this mail server: smtp://HOST:PORT or smtps://HOST:PORT."),
                templates, Flag(name: "hosting", placeholder: "DIR", meaning: "Landing pages in place of the ones that come with Postern."),
            ]),
        CommandSyntax(name: "serve", summary: "Runs the service.", flags: [config]),
        CommandSyntax(
            name: "check", summary: "Reads a configuration file and names everything that is wrong with it.", flags: [config],
            notes: { "The settings of the file:\n" + ConfigurationKey.reference }),
        CommandSyntax(name: "preview", summary: "Shows the mail templates in a browser.", flags: [host, port(default: 9097), templates]),
        CommandSyntax(
            name: "send", summary: "Sends one mail.",
            flags: [
                config, Flag(name: "project", placeholder: "ID", isRequired: true, meaning: "The project that sends."),
                Flag(name: "type", placeholder: "TYPE", isRequired: true, meaning: "EMAIL_SIGNIN, PASSWORD_RESET or VERIFY_EMAIL."),
                Flag(name: "email", placeholder: "ADDRESS", isRequired: true, meaning: "Whom the mail goes to."),
                Flag(name: "continue-url", placeholder: "URL", isRequired: true, meaning: "Where its link leads on the web."),
                Flag(name: "lang", placeholder: "xx", meaning: "The language of the mail. Default the project's."),
                Flag(name: "print-link", meaning: "Prints the link instead of mailing it; whoever sees it may use it."),
            ]),
        CommandSyntax(
            name: "inspect", summary: "Explains a link without using it up.",
            operands: [Operand(name: "LINK", meaning: "The link, in quotes.")],
            flags: [Flag(name: "config", placeholder: "FILE", meaning: "Tells whether this configuration's secrets made the link.")]),
        CommandSyntax(
            name: "keys", summary: "Lists or rotates the keys that sign ID tokens; makes those that sign mails.",
            operands: [
                Operand(
                    name: "ACTION", words: KeysOptions.Action.allCases.map(\.rawValue) + [DKIMKeysOptions.action],
                    meaning: "What to do. dkim makes keys for mails, unless they exist, and prints their DNS records.")
            ],
            flags: [
                config, Flag(name: "project", placeholder: "ID", meaning: "dkim: the project whose mails they sign. Required there."),
                Flag(name: "selector", placeholder: "NAME", meaning: "dkim: the selector. Default s1, and s1-ed25519 beside it."),
                Flag(name: "type", placeholder: "TYPE", meaning: "dkim: rsa, ed25519 or both. Default both."),
                Flag(name: "out", placeholder: "DIR", meaning: "dkim: the folder of the key files. Default the configuration file's."),
                Flag(name: "show", meaning: "dkim: makes nothing, shows the records of the keys that there are."),
            ]),
        CommandSyntax(
            name: "outbox", summary: "Lists, retries or purges mails that wait or failed.",
            operands: [Operand(name: "ACTION", words: OutboxOptions.Action.allCases.map(\.rawValue), meaning: "What to do.")],
            flags: [config]),
        CommandSyntax(
            name: "bounce", summary: "Takes a delivery report from a mail server's pipe and suppresses the address that it proves bad.",
            flags: [config]),
        CommandSyntax(
            name: "hosting", summary: "Writes the association files, for a web server of your own.",
            operands: [Operand(name: "ACTION", words: HostingOptions.Action.allCases.map(\.rawValue), meaning: "What to do.")],
            flags: [config, Flag(name: "out", placeholder: "DIR", isRequired: true, meaning: "The folder to write to.")]),
        CommandSyntax(name: "version", summary: "Prints the version."),
    ]

    private static let config = Flag(name: "config", placeholder: "FILE", isRequired: true, meaning: "The configuration file.")
    private static let host = Flag(name: "host", placeholder: "ADDRESS", meaning: "A loopback address. Default 127.0.0.1.")
    private static let templates = Flag(
        name: "templates", placeholder: "DIR", meaning: "Mail templates in place of the ones that come with Postern.")

    private static func port(default number: Int) -> Flag {
        Flag(name: "port", placeholder: "PORT", meaning: "0 to 65535, 0 for a free one. Default \(number).")
    }
}
