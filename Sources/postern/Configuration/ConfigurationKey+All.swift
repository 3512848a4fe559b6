internal import Associations

extension ConfigurationKey {
    /// Every setting there is, in the order in which they are best read.
    static let all: [ConfigurationKey] = service + smtp + projects + apps + policies

    private static let service: [ConfigurationKey] = [
        .init("listen", .text("ADDRESS:PORT"), default: #""127.0.0.1:8080""#, "Where the service listens; port 0 picks a free one."),
        .init("adminListen", .text("ADDRESS:PORT"), "Where privileged calls, metrics and health are served; then only there."),
        .init(
            "adminTokens", .references("a string of at least 16 characters", isSecret: true), default: "[]",
            "Bearer tokens that make a call privileged."),
        .init(
            "publicURL", .text("an https URL without a path"), need: .serve,
            "Where browsers reach this service; links are built from it. http on loopback hosts only."),
        .init("trustedProxies", .texts("an address range such as 10.0.0.0/8"), default: "[]", "Who may set X-Forwarded-For."),
        .init(
            "database", .text("sqlite:PATH, relative to the file"), default: #""sqlite:/var/lib/postern/postern.sqlite3""#,
            "Where everything is stored."),
        .init(
            "secrets", .references("a string of at least 32 bytes", isSecret: true), need: .serve,
            "What links and codes are signed with: the first signs, all verify."),
        .init(
            "tokenKeys", .text("a folder, relative to the file"), default: #""/var/lib/postern/keys""#,
            "PEM private keys that sign ID tokens; made at first start when the folder is empty."),
        .init("templates", .text("a folder, relative to the file"), "Mail templates in place of the ones that come with Postern."),
        .init("hosting", .text("a folder, relative to the file"), "Landing pages in place of the ones that come with Postern."),
        .init("log", .object, "What is logged."),
        .init("log.level", .choice(["debug", "info", "warning", "error"]), default: #""info""#, "The least important lines to write."),
        .init("log.format", .choice(["json", "text"]), default: #""json""#, "How a line is written."),
    ]

    private static let smtp: [ConfigurationKey] = [
        .init("smtp", .objectOrObjects, need: .serve, "The mail server, or several, tried in order."),
        .init(
            "smtp.url", .text("smtp://HOST[:PORT] or smtps://HOST[:PORT]"), need: .always,
            "Where the mail server listens; port 587 for smtp and 465 for smtps when none is named."),
        .init(
            "smtp.username", .reference("a string", isSecret: false),
            "Who signs in at the mail server; needs a password or an access token."),
        .init("smtp.password", .reference("a string", isSecret: true), "The password of that user."),
        .init("smtp.oauth2", .object, "Signs in by an OAuth 2.0 access token in place of a password."),
        .init(
            "smtp.oauth2.token", .reference("a string", isSecret: true),
            "The access token; a file is read again for each connection, so that something else can renew it."),
        .init(
            "smtp.tls", .choice(["required", "opportunistic", "off"]), default: #""required""#,
            "Whether mail travels encrypted; off on loopback hosts only."),
        .init("smtp.helo", .text("a host name"), "What this service calls itself; default the host of publicURL."),
        .init("smtp.connections", .integer(1...64), default: "8", "How many connections send at once."),
        .init(
            "smtp.timeout", .duration(.seconds(1)...(.seconds(600))), default: #""30s""#,
            "How long one reply of the mail server may take."),
        .init("smtp.caFile", .text("a PEM file, relative to the file"), "Certificate authorities to trust in place of the system's."),
    ]

    private static let projects: [ConfigurationKey] = [
        .init("projects", .objects, need: .serve, "The apps that are served, one object each."),
        .init("projects[].id", .text("lower-case letters, digits and hyphens"), need: .always, "The project id, part of tokens and paths."),
        .init("projects[].displayName", .text("a string"), default: "the id", "What mails and pages call the app."),
        .init(
            "projects[].apiKeys", .texts("a string of visible ASCII characters"), need: .always,
            "The keys that name the project; they are public."),
        .init(
            "projects[].authorizedDomains", .texts("a host name without port"), default: "[]",
            "Hosts that a continueUrl may have, exactly; no wildcards."),
        .init(
            "projects[].linkDomains", .texts("a host name without port"), default: "[]",
            "Hosts whose app links this service answers, the default one first."),
        .init("projects[].publicURL", .text("an https URL without a path"), "Takes the place of the service's publicURL."),
        .init(
            "projects[].issuer", .text("an https URL"),
            "The iss of ID tokens; default https://securetoken.google.com/<id>, which Firebase's SDKs insist on."),
        .init("projects[].actionURL", .text("an https URL"), "Your own action page, in place of <publicURL>/__/auth/action."),
        .init("projects[].pages", .object, "What the project's landing pages have of their own."),
        .init(
            "projects[].pages.accentColor", .text("a colour such as #0a66c2"),
            "Buttons and links; dark enough for white text on it. Dark mode gets a lighter one of the same hue."),
        .init(
            "projects[].pages.logo", .text("a PNG or SVG file, relative to the file"),
            "The picture above the heading, at most 256 KiB; read at the start."),
    ]

    private static let apps: [ConfigurationKey] =
        [
            .init("projects[].apps", .object, "The apps that open links."),
            .init("projects[].apps.ios", .objects, default: "[]", "Apple apps."),
            .init(
                "projects[].apps.ios[].bundleID", .text("an identifier such as com.example.app"), need: .always, "The bundle identifier."),
            .init("projects[].apps.ios[].teamID", .text("a string of ten capital letters or digits"), need: .always, "The Team ID."),
            .init("projects[].apps.ios[].appStoreID", .text("a string of digits"), "The app's number in the App Store."),
            .init("projects[].apps.android", .objects, default: "[]", "Android apps."),
            .init(
                "projects[].apps.android[].packageName", .text("an identifier such as com.example.app"), need: .always,
                "The application id."),
            .init(
                "projects[].apps.android[].sha256CertFingerprints", .texts("64 hexadecimal digits, with or without colons"), need: .always,
                "SHA-256 of the signing certificates."),
            .init(
                "projects[].apps.appLinkForm", .choice(AppLinkForm.allCases.map(\.rawValue)), default: #""components""#,
                "How Apple apps are written: for iOS 13 and later; for iOS 9 to 12 as well; or exactly as Firebase Hosting does."),
            .init("projects[].apps.components", .objects, default: "[]", "Further URLs that open Apple apps; the first match decides."),
        ] + component("components")
        + [
            .init("projects[].apps.components[].comment", .text("a string"), "A note for readers of the file."),
            .init("projects[].apps.components[].caseSensitive", .boolean, default: "true", "Whether case matters."),
            .init(
                "projects[].apps.components[].percentEncoded", .boolean, default: "true",
                "Whether URLs are compared as they are written, or percent-decoded."),
            .init("projects[].apps.appClips", .objects, default: "[]", "App Clips that the hosts open."),
            .init(
                "projects[].apps.appClips[].bundleID", .text("an identifier such as com.example.app.Clip"), need: .always,
                "The Clip's own bundle identifier."),
            .init("projects[].apps.appClips[].teamID", .text("a string of ten capital letters or digits"), need: .always, "The Team ID."),
            .init(
                "projects[].apps.dynamicAppLinks", .boolean, default: "false",
                "Whether Android 15 and later open nothing in the app but mailed links and androidComponents."),
            .init(
                "projects[].apps.androidComponents", .objects, default: "[]",
                "Further URLs that open Android apps; the first match decides."),
        ] + component("androidComponents")
        + [
            .init(
                "projects[].apps.loginCredentials", .boolean, default: "false",
                "Whether Android apps share the hosts' saved passwords and passkeys.")
        ]

    private static func component(_ list: String) -> [ConfigurationKey] {
        [
            .init("projects[].apps.\(list)[].path", .text("a pattern such as /orders/*"), "The path; every path when left out."),
            .init("projects[].apps.\(list)[].query", .textOrItems("a pattern"), "The query, or its items; every query when left out."),
            .init("projects[].apps.\(list)[].fragment", .text("a pattern"), "The fragment; every fragment when left out."),
            .init("projects[].apps.\(list)[].exclude", .boolean, default: "false", "Whether a match stays in the browser."),
        ]
    }

    private static let policies: [ConfigurationKey] = [
        .init("projects[].emailPrivacy", .boolean, default: "true", "Whether answers hide which addresses have an account."),
        .init("projects[].emailLinkSignIn", .boolean, default: "true", "Whether sign-in by link is offered."),
        .init(
            "projects[].includeCode", .boolean, default: "false",
            "Whether sign-in mails hold six digits beside the link, for 15 minutes and five tries."),
        .init("projects[].passwordSignIn", .boolean, default: "true", "Whether passwords are offered."),
        .init("projects[].allowSignUp", .boolean, default: "true", "Whether strangers may make accounts."),
        .init(
            "projects[].configInDatabase", .boolean, default: "false",
            "Whether administrators may change settings by PATCH …/config; what they change is kept in the database and goes before this file."
        ),
        .init(
            "projects[].defaultLocale", .text("a language tag such as en or pt-BR"), default: #""en""#,
            "The language when a request names none."),
        .init(
            "projects[].templates", .text("a folder, relative to the file"),
            "Mail templates that differ from the service's; what the folder does not have is taken from those."),
        .init("projects[].mail", .object, need: .serve, "How mails are sent."),
        .init("projects[].mail.from", .text("Name <address>"), need: .serve, "The From of mails."),
        .init("projects[].mail.replyTo", .text("Name <address>"), "The Reply-To of mails."),
        .init("projects[].mail.dkim", .objectOrObjects, "Signs mails, once with each key; leave it out when the mail server does."),
        .init("projects[].mail.dkim.domain", .text("a domain"), need: .always, "The signing domain (d=)."),
        .init("projects[].mail.dkim.selector", .text("a selector such as s1"), need: .always, "The selector (s=)."),
        .init(
            "projects[].mail.dkim.privateKey", .reference("a PEM private key", isSecret: true), need: .always,
            "The key that signs: RSA with 2048 bits or more, or Ed25519."),
        .init("projects[].codeLifetimes", .object, "How long codes live."),
        lifetime("signIn", "6h"), lifetime("resetPassword", "1h"), lifetime("verifyEmail", "3d"),
        lifetime("verifyAndChangeEmail", "3d"), lifetime("recoverEmail", "30d"), lifetime("revertSecondFactorAddition", "30d"),
        .init("projects[].limits", .object, "What is refused with TOO_MANY_ATTEMPTS_TRY_LATER. `postern dev` has no limits by default."),
        .init("projects[].limits.perAddress", .rate, default: #""5/15m""#, "Mails to one address."),
        .init(
            "projects[].limits.perClient", .rate, default: #""60/15m""#,
            "Mails that one client asks for, and its sign-ups, wrong passwords and changes, each by themselves."),
        .init("projects[].limits.perProject", .rate, default: #""10000/1h""#, "Mails of the project."),
        .init(
            "projects[].limits.passwordAttempts", .rate, default: #""10/15m""#,
            "Wrong passwords for one address from one client; from everywhere ten times as many."),
        .init("projects[].limits.completionsPerCode", .integer(1...100), default: "5", "The wrong address that ends a code."),
    ]

    private static func lifetime(_ operation: String, _ fallback: String) -> ConfigurationKey {
        .init(
            "projects[].codeLifetimes.\(operation)", .duration(.seconds(60)...(.seconds(60 * 86_400))), default: "\"\(fallback)\"",
            "How long a code for \(operation) lives.")
    }
}
