/// Options of `postern dev`.
struct DevOptions: Sendable, Equatable {
    /// A loopback address. Default 127.0.0.1.
    var host = "127.0.0.1"
    /// 0 to 65535, 0 for a free one. Default 9099.
    var port = 9099
    /// The project of calls that name none. Default demo-project.
    var project = "demo-project"
    /// The folder in which everything is stored. Default ./.postern.
    var data = "./.postern"
    /// The configuration file, for the settings of its projects.
    var config: String?
    /// The mail server that mails are really sent to. May hold a password: not for logs.
    var smtpURL: String?
    /// The folder of mail templates.
    var templates: String?
    /// The folder of landing pages.
    var hosting: String?
}
