internal import Crypto
internal import Glibc
internal import Mail
internal import Platform

/// `postern keys dkim`: makes the keys that sign a project's mails, and tells what to put into DNS and into the configuration.
///
/// A key that exists is used and never replaced, so the command may be repeated. The terminal shows public halves only.
struct DKIMKeysCommand {
    private let options: DKIMKeysOptions

    init(_ options: DKIMKeysOptions) {
        self.options = options
    }

    /// A key as it will be or is configured.
    private struct Entry {
        var settings: DKIMSettings
        /// What the configuration says, or would say.
        var reference: String?
        var origin: String
    }

    func run() throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        guard let index = configuration.projects.firstIndex(where: { $0.id == options.project }) else {
            let known = configuration.projects.map(\.id).joined(separator: ", ")
            throw CommandFailure(.usage, "--project \(options.project) is not in \(options.config); it has \(known)")
        }
        let project = configuration.projects[index]
        let entries = try entries(of: project)
        for entry in entries { try show(entry) }
        if entries.contains(where: { $0.reference != nil }) { explain(entries, index: index) }
    }

    /// Those of the configuration when it has any and they are only to be shown; else one of each type that was asked for.
    private func entries(of project: ProjectConfiguration) throws(CommandFailure) -> [Entry] {
        if options.show, !project.dkim.isEmpty { return project.dkim.map(configured) }
        var entries: [Entry] = []
        for algorithm in options.type.algorithms {
            // Both need records of their own, and the second a name that says what it is.
            let isSecond = options.type == .both && algorithm == .edDSA
            let selector = options.selector + (isSecond ? "-ed25519" : "")
            if let settings = project.dkim.first(where: { $0.selector == selector }) {
                entries.append(configured(settings))
            } else {
                entries.append(try entry(algorithm, selector: selector, project: project))
            }
        }
        return entries
    }

    private func configured(_ settings: DKIMSettings) -> Entry {
        Entry(settings: settings, reference: nil, origin: "configured" + (settings.keyFile.map { ", \($0)" } ?? ""))
    }

    private func entry(_ algorithm: SigningKey.Algorithm, selector: String, project: ProjectConfiguration) throws(CommandFailure) -> Entry {
        let name = "dkim-\(project.id)-\(selector).pem"
        let path = folder + name
        let isThere = unsafe access(path, F_OK) == 0
        guard isThere || !options.show else {
            throw CommandFailure(.data, "there is no key to show: \(path) does not exist; leave out --show to make it")
        }
        let pem = try isThere ? nil : CommandFailure.catching(.io) { () throws(CryptoError) in try SigningKey.generate(algorithm).pem }
        let bytes = try CommandFailure.catching(.cannotCreate) { () throws(PrivateFile.Failure) in
            if let out = options.out { try PrivateFile.makeFolder(out) }
            // Only what is in the file counts: another run may have made it meanwhile.
            return try PrivateFile.contents(path) { Array((pem ?? "").utf8) }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(CryptoError) {
            _ = try SigningKey(pem: text, accepting: [algorithm])
        } catch {
            throw CommandFailure(.data, "\(path) exists and is kept: \(error)")
        }
        return Entry(
            settings: DKIMSettings(
                domain: project.mailFrom.address.domain, selector: selector, privateKey: Secret(text), keyFile: path),
            reference: "file:" + (options.out == nil ? name : absolute(path)),
            origin: isThere ? "exists, \(path)" : "made, \(path), mode 0600")
    }

    private func show(_ entry: Entry) throws(CommandFailure) {
        let record: DKIMRecord
        do throws(CryptoError) {
            record = try entry.settings.makeRecord()
        } catch {
            throw CommandFailure(.configuration, "the key with the selector \(entry.settings.selector) cannot be used: \(error)")
        }
        Console.print("key \(entry.settings.selector): \(entry.origin)")
        Console.print("DNS record, type TXT:")
        Console.print("  name:  \(record.name)")
        Console.print("  value: \(record.value)")
        if record.strings.count > 1 { Console.print("  the value in strings of at most 255 characters, as a line of a zone file:") }
        Console.print("  \(record.zoneLine)\n")
    }

    private func explain(_ entries: [Entry], index: Int) {
        let lines = entries.map { entry in
            let settings = entry.settings
            let reference = entry.reference ?? settings.keyFile.map { "file:" + $0 } ?? "as it is"
            return "{ domain: \"\(settings.domain)\", selector: \"\(settings.selector)\", privateKey: \"\(reference)\" }"
        }
        Console.print("When DNS has the record\(lines.count == 1 ? "" : "s"), put into projects[\(index)].mail of \(options.config):")
        Console.print(lines.count == 1 ? "  dkim: \(lines[0])," : "  dkim: [\n" + lines.map { "    \($0),\n" }.joined() + "  ],")
        Console.print("The service must run as the user that owns the key.")
    }

    /// With a slash at the end, or empty.
    private var folder: String {
        if let out = options.out { return out.hasSuffix("/") ? out : out + "/" }
        return options.config.lastIndex(of: "/").map { String(options.config[...$0]) } ?? ""
    }

    /// The configuration may be read from another folder than this one.
    private func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }
}

extension DKIMKeysOptions.KeyType {
    fileprivate var algorithms: [SigningKey.Algorithm] {
        switch self {
        case .rsa: [.rs256]
        case .ed25519: [.edDSA]
        case .both: [.rs256, .edDSA]
        }
    }
}
