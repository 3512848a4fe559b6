/// A command with its options, every value within its range.
enum Command: Sendable, Equatable {
    /// Runs everything on this machine alone, for development.
    case dev(DevOptions)
    /// Runs the service.
    case serve(ServeOptions)
    /// Reads a configuration and says what is wrong with it.
    case check(CheckOptions)
    /// Shows the mail templates in a browser.
    case preview(PreviewOptions)
    /// Sends one mail.
    case send(SendOptions)
    /// Explains a link.
    case inspect(InspectOptions)
    /// Lists or rotates the keys that sign ID tokens.
    case keys(KeysOptions)
    /// Makes or shows the keys that sign mails.
    case dkimKeys(DKIMKeysOptions)
    /// Lists, retries or purges mails that wait.
    case outbox(OutboxOptions)
    /// Takes a delivery report.
    case bounce(BounceOptions)
    /// Writes the association files for another web server.
    case hosting(HostingOptions)
    /// Says which version this is.
    case version
}
