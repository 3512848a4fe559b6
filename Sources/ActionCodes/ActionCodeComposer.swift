internal import Accounts
public import Mail
public import Platform
public import Templating

/// Writes the mail of an action code at the moment of sending: the link is made again from the stored code and the key, and never stored.
public struct ActionCodeComposer: MailComposer {
    private let store: any Store
    private let keys: KeyRing
    private let clock: WallClock
    private let templates: @Sendable () -> TemplateLibrary
    private let project: @Sendable (String) -> Project?
    private let signer: @Sendable (String) -> DKIMSigner?

    /// Takes what composing works with. `project` finds a project by its id, `signer` what signs its mails; without one they go unsigned.
    public init(
        store: any Store, keys: KeyRing, clock: WallClock, templates: @escaping @Sendable () -> TemplateLibrary,
        project: @escaping @Sendable (String) -> Project?, signer: @escaping @Sendable (String) -> DKIMSigner? = { _ in nil }
    ) {
        self.store = store
        self.keys = keys
        self.clock = clock
        self.templates = templates
        self.project = project
        self.signer = signer
    }

    private struct Material: Sendable {
        var code: ActionCode
        var subject: ActionCodeSubject
        var suppression: Suppression?
    }

    /// Reads what a batch of entries needs in one view, then composes each.
    public func compose(_ entries: [OutboxEntry]) async throws(StoreError) -> [Composition] {
        let now = clock.now()
        let materials = try await store.read { reader throws(StoreError) in
            var materials: [Material?] = []
            materials.reserveCapacity(entries.count)
            for entry in entries {
                guard let id = ActionCodeID(entry.codeID), let code = try reader.actionCode(id, expiresAt: entry.expiresAt) else {
                    materials.append(nil)
                    continue
                }
                materials.append(
                    Material(
                        code: code, subject: try ActionCodeSubject(of: code, in: reader),
                        suppression: try reader.suppression(of: code.recipient, project: code.projectID, now: now)))
            }
            return materials
        }
        let library = templates()
        var compositions: [Composition] = []
        compositions.reserveCapacity(entries.count)
        for (entry, material) in zip(entries, materials) {
            guard let material else {
                compositions.append(.drop(reason: "the code is gone"))
                continue
            }
            compositions.append(try composition(of: entry, material, library: library, now: now))
            // Signatures take milliseconds together; others may have the thread between two of them.
            if signer(material.code.projectID) != nil { await Task.yield() }
        }
        return compositions
    }

    private func composition(
        of entry: OutboxEntry, _ material: Material, library: TemplateLibrary, now: UnixTime
    ) throws(StoreError) -> Composition {
        let code = material.code
        guard code.state == .live else { return .drop(reason: "the code was used or voided before the mail went out") }
        guard now < code.expiresAt else { return .drop(reason: "the code expired before the mail went out") }
        guard let project = project(code.projectID) else { return .drop(reason: "the project is not configured any more") }
        // Decided here and not when accepting, so that known and unknown addresses cost a caller the same (DESIGN.md §5.9).
        if let reason = material.subject.reasonToDrop(code, project: project) ?? material.suppression?.reasonToDrop(code) {
            return .drop(reason: reason)
        }
        let language = library.bestLanguage(
            for: code.operation.mode, project: project.id, preferred: [code.language], default: project.defaultLocale)
        guard let template = library.mail(code.operation.mode, language: language, project: project.id) else {
            return .drop(reason: "there is no template for \(code.operation.mode)")
        }
        var message = message(entry, material, project: project, template: template, language: language, now: now)
        if let signer = signer(project.id) {
            do throws(DKIMError) {
                message = try signer.signing(message, at: now)
            } catch {
                // Unsigned it might be refused for good, and a mail that is dropped is lost: it is composed again, like when the store is away.
                throw .unavailable(cause: "a mail cannot be signed: \(error.code): \(error.cause ?? "no reason given")")
            }
        }
        return .message(
            OutgoingMessage(
                entryID: entry.id, projectID: project.id,
                envelope: Envelope(sender: project.mailFrom.address, recipient: code.recipient), bytes: message))
    }

    private func message(
        _ entry: OutboxEntry, _ material: Material, project: Project, template: MailTemplate, language: String, now: UnixTime
    ) -> [UInt8] {
        let code = material.code
        let account = material.subject.account
        // The mail to a replaced address says which one has taken its place.
        let newEmail = code.operation == .recoverEmail ? account?.email : code.newEmail
        let rendered = template.render([
            "appName": .text(project.displayName),
            "email": .text(code.email.text),
            "newEmail": .text(newEmail?.text ?? ""),
            "displayName": .text(Greeting.name(of: account)),
            "link": .text(ActionLink.text(for: code, project: project, keys: keys)),
            "code": .text(project.includeCode ? SignInDigits.text(for: code, keys: keys, now: now) ?? "" : ""),
            "notMeLink": .text(NotMeLink.text(for: code, project: project, keys: keys)),
            "expiresIn": .text(template.lifetime(code.expiresAt - code.createdAt)),
            "requestedAt": .text(template.moment(code.createdAt)),
            "replyTo": .text(project.mailReplyTo?.address.text ?? ""),
        ])
        return MIMEMessage(
            from: project.mailFrom, replyTo: project.mailReplyTo, to: code.recipient, subject: rendered.subject, text: rendered.text,
            html: rendered.html, date: code.createdAt,
            messageID: MessageID(entryID: entry.id, token: entry.messageToken, domain: project.mailFrom.address.domain),
            contentLanguage: language, feedbackID: "\(code.operation.mode):\(project.id):\(language):postern"
        ).bytes(boundaryToken: entry.messageToken)
    }
}
