/// What only `postern dev` answers.
enum DevelopmentRoute: Sendable, Equatable {
    /// The emulator's greeting at `/`, by which tools find it.
    case greeting
    /// The live codes of a project.
    case oobCodes(project: String)
    /// All accounts of a project, to be wiped.
    case accounts(project: String)
    /// The emulator's settings of a project.
    case configuration(project: String)
    /// The caught mails as JSON.
    case inbox
    /// The exact bytes of a caught mail.
    case mail(id: String)
    /// The HTML part of a caught mail, for the sandboxed frame of the page.
    case mailHTML(id: String)
    /// A page about the caught mails: all of them, or one.
    case inboxPage(id: String?)
    /// News for those pages.
    case events
    /// The script of those pages.
    case script
    /// The style sheet of those pages.
    case styleSheet

    init?(_ segments: [String]) {
        switch segments.count {
        case 1 where segments[0].isEmpty: self = .greeting
        case 1 where segments[0] == "_postern": self = .inboxPage(id: nil)
        case 5 where segments.starts(with: ["emulator", "v1", "projects"]):
            switch segments[4] {
            case "oobCodes": self = .oobCodes(project: segments[3])
            case "accounts": self = .accounts(project: segments[3])
            case "config": self = .configuration(project: segments[3])
            default: return nil
            }
        case 2 where segments[0] == "_postern":
            switch segments[1] {
            case "": self = .inboxPage(id: nil)
            case "inbox.json": self = .inbox
            case "events": self = .events
            case "inbox.js": self = .script
            case "style.css": self = .styleSheet
            default: return nil
            }
        case 3 where segments[0] == "_postern" && segments[1] == "inbox":
            let name = segments[2]
            if name.hasSuffix(".eml") {
                self = .mail(id: String(name.dropLast(4)))
            } else if name.hasSuffix(".html") {
                self = .mailHTML(id: String(name.dropLast(5)))
            } else {
                self = .inboxPage(id: name)
            }
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .greeting, .oobCodes, .mail, .mailHTML, .inboxPage, .events, .script, .styleSheet: ["GET", "HEAD"]
        case .accounts: ["DELETE"]
        case .configuration: ["GET", "HEAD", "PATCH"]
        case .inbox: ["GET", "HEAD", "DELETE"]
        }
    }
}
