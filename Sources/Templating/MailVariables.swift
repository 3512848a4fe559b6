/// The variables that a mail's templates may use: the one table of them.
public enum MailVariables {
    /// Each name with its meaning.
    public static let all: KeyValuePairs = [
        "appName": "the name of the project's app, as readers know it",
        "email": "the address that the mail is about, which is where it goes unless the mode says otherwise",
        "newEmail": "the address that `email` is to be changed to, or for `recoverEmail` was changed to; absent in other modes",
        "displayName": "the account's display name; absent when it has none that may stand in a mail",
        "link": "the address to open, with the code in it, https:// as a rule; absent in `passwordChanged`",
        "code": "six digits that do the same as the link; in `signIn` mails of projects with `includeCode`, else absent",
        "notMeLink": "the page for somebody who did not ask for the mail, in every mail; https:// as a rule",
        "expiresIn": "how long the link works, in words of the mail's language, such as \"6 hours\"",
        "requestedAt": "when the mail was asked for, or what it tells of was done, in words of the mail's language, with the time zone",
        "language": "the language tag of the template itself; set by the library",
        "direction": "`ltr` or `rtl`, following the language; set by the library",
        "replyTo": "the address that answers go to; absent when there is none",
    ]

    /// The names alone.
    public static let names = Set(all.map(\.key))

    /// The table as the README shows it, with Firebase's name where there is one.
    public static var markdown: String {
        let header = ["| variable | as Firebase writes it | is |", "|---|---|---|"]
        let rows = all.map { name, meaning in
            let placeholder = FirebasePlaceholder.variables.first { $0.value == name }.map { "`\($0.key)`" } ?? ""
            return "| `{{\(name)}}` | \(placeholder) | \(meaning) |"
        }
        return (header + rows).joined(separator: "\n")
    }
}
