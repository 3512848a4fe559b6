internal import ActionCodes
internal import Associations
internal import Mail
internal import Platform
internal import Templating

/// Reads `projects` and checks what no two of them may share.
struct ProjectReader {
    let reader: ConfigurationReader

    /// All projects; one that lacks something essential is reported and left out.
    func projects(_ sections: [ConfigurationSection]) -> [ProjectConfiguration] {
        var ids: [String: String] = [:]
        var keys: [String: String] = [:]
        var domains: [String: String] = [:]
        return sections.compactMap { project($0, ids: &ids, keys: &keys, domains: &domains) }
    }

    private func project(
        _ section: ConfigurationSection, ids: inout [String: String], keys: inout [String: String], domains: inout [String: String]
    ) -> ProjectConfiguration? {
        let id = id(section)
        id.map { claim($0, in: &ids) }
        let apiKeys = section.texts("apiKeys").filter(isAPIKey)
        apiKeys.forEach { claim($0, in: &keys) }
        let linkDomains = section.parsedList("linkDomains", as: ConfiguredHost.self).filter(isLinkDomain)
        linkDomains.forEach { claim($0.with($0.value.text), in: &domains) }
        let mail = mail(section, id: id?.value ?? "", displayName: section.text("displayName")?.value)
        let limits = section.section("limits")
        let lifetimes = section.section("codeLifetimes")
        let authorizedDomains = section.parsedList("authorizedDomains", as: ConfiguredHost.self).map(\.value.text)
        let publicURL = reader.publicURL(section)?.value
        let issuer = issuer(section)
        let actionURL = section.parsed("actionURL", as: WebURL.self)?.value.text
        let pages = AppearanceReader(reader: reader).appearance(section)
        let apps = section.section("apps").map { AppsReader(section: $0).read() } ?? .none
        let switches = ["emailPrivacy", "emailLinkSignIn", "passwordSignIn", "allowSignUp"].map { section.boolean($0, default: true) }
        let configInDatabase = section.boolean("configInDatabase", default: false)
        let includeCode = section.boolean("includeCode", default: false)
        let locale = locale(section)
        let templates = (section.text("templates")?.value).map(reader.path)
        var codeLifetimes: [ActionCodes.Operation: Duration] = [:]
        for operation in ActionCodes.Operation.allCases { codeLifetimes[operation] = lifetimes?.duration(operation.mode) }
        let parsedLimits = ProjectLimits(
            perAddress: limits?.parsed("perAddress")?.value, perClient: limits?.parsed("perClient")?.value,
            perProject: limits?.parsed("perProject")?.value, passwordAttempts: limits?.parsed("passwordAttempts")?.value)
        let completionsPerCode = limits?.integer("completionsPerCode")

        guard let id, let from = mail.from else { return nil }
        var project = ProjectConfiguration(
            id: id.value, displayName: section.text("displayName")?.value ?? id.value, apiKeys: apiKeys.map(\.value), mailFrom: from)
        project.authorizedDomains = authorizedDomains
        project.linkDomains = linkDomains.map(\.value.text)
        project.publicURL = publicURL
        project.issuer = issuer
        project.actionURL = actionURL
        project.pages = pages
        project.apps = apps
        project.emailPrivacy = switches[0]
        project.emailLinkSignIn = switches[1]
        project.passwordSignIn = switches[2]
        project.allowSignUp = switches[3]
        project.configInDatabase = configInDatabase
        project.includeCode = includeCode
        project.defaultLocale = locale
        project.templatesPath = templates
        project.mailReplyTo = mail.replyTo
        project.dkim = mail.dkim
        project.codeLifetimes = codeLifetimes
        project.limits = parsedLimits
        project.completionsPerCode = completionsPerCode ?? project.completionsPerCode
        return project
    }

    // MARK: Names

    /// Reports a name that an earlier place has; `owners` maps names to the key path that has them.
    private func claim(_ field: ConfigurationField<String>, in owners: inout [String: String]) {
        if let owner = owners[field.value] {
            field.refuse("\(field.value.shown) is also \(owner)", "each must be unique")
        } else {
            owners[field.value] = field.keyPath
        }
    }

    /// Whether a text can be a project id: a DNS label in lower case, since it stands in paths, tokens and `dev`'s addresses.
    static func isProjectID(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private func id(_ section: ConfigurationSection) -> ConfigurationField<String>? {
        guard let id = section.text("id") else { return nil }
        guard Self.isProjectID(id.value) else {
            id.refuse("\(id.value.shown) is not a project id", "expected lower-case letters, digits and hyphens within, at most 63")
            return nil
        }
        return id
    }

    private func isAPIKey(_ key: ConfigurationField<String>) -> Bool {
        guard key.value.utf8.count <= 256, key.value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            key.refuse("\(key.value.shown) is not an API key", "expected visible ASCII characters, at most 256")
            return false
        }
        return true
    }

    private func isLinkDomain(_ domain: ConfigurationField<ConfiguredHost>) -> Bool {
        guard !domain.value.isAddress else {
            domain.refuse("\(domain.value.text.shown) is an IP address", "expected a host name: apps cannot claim addresses")
            return false
        }
        return true
    }

    /// Kept as written: verifiers compare it character by character.
    private func issuer(_ section: ConfigurationSection) -> String? {
        guard let text = section.text("issuer"), let url: ConfigurationField<WebURL> = text.parsed() else { return nil }
        guard url.value.scheme == "https" else {
            text.refuse("\(text.value.shown) is http", "expected an https URL")
            return nil
        }
        return text.value
    }

    private func locale(_ section: ConfigurationSection) -> String {
        guard let locale = section.text("defaultLocale") else { return "en" }
        if !LanguageTag.isWellFormed(locale.value) {
            locale.refuse("\(locale.value.shown) is not a language tag", "expected one such as en or pt-BR")
        }
        return locale.value
    }

    // MARK: Mail

    private func mail(
        _ section: ConfigurationSection, id: String, displayName: String?
    ) -> (from: Mailbox?, replyTo: Mailbox?, dkim: [DKIMSettings]) {
        guard let mail = section.section("mail") else { return (fallbackFrom(id: id, displayName: displayName), nil, []) }
        let from = mail.has("from") ? mailbox(mail, "from") : fallbackFrom(id: id, displayName: displayName)
        return (from, mailbox(mail, "replyTo"), dkim(mail.sectionOrSections("dkim")))
    }

    /// `dev` shows mails on this machine; it needs no address that could receive any.
    private func fallbackFrom(id: String, displayName: String?) -> Mailbox? {
        guard case .dev = reader.purpose, let address = try? EmailAddress("noreply@localhost") else { return nil }
        return Mailbox(name: displayName ?? id, address: address)
    }

    private func mailbox(_ section: ConfigurationSection, _ name: String) -> Mailbox? {
        guard let text = section.text(name) else { return nil }
        do throws(EmailAddressError) {
            return try Mailbox(text.value)
        } catch {
            // The sentence goes on here.
            let reason = error.description.hasSuffix(".") ? error.description.dropLast() : error.description[...]
            text.refuse("\(text.value.shown) is not an address: \(reason)", "expected one such as Example <noreply@example.com>")
            return nil
        }
    }

    private func dkim(_ sections: [ConfigurationSection]) -> [DKIMSettings] {
        var names: [String: String] = [:]
        return sections.compactMap { dkim($0, names: &names) }
    }

    private func dkim(_ section: ConfigurationSection, names: inout [String: String]) -> DKIMSettings? {
        let domain = section.parsed("domain", as: ConfiguredHost.self)
        if let domain, domain.value.isAddress { domain.refuse("\(domain.value.text.shown) is an IP address", "expected a domain") }
        let selector = section.text("selector")
        if let selector, !DKIMSettings.isSelector(selector.value) {
            selector.refuse("\(selector.value.shown) is not a selector", "expected letters, digits and hyphens, such as s1")
        }
        let privateKey = section.referencedText("privateKey")
        if let privateKey, !privateKey.value.contains("-----BEGIN ") || !privateKey.value.contains("PRIVATE KEY-----") {
            privateKey.refuse("leads to something that is not a private key", "expected PEM that begins with -----BEGIN PRIVATE KEY-----")
        }
        guard let domain, let selector, let privateKey else { return nil }
        // Two keys cannot have one DNS record.
        let name = "\(selector.value.lowercased())._domainkey.\(domain.value.text)"
        claim(selector.with(name), in: &names)
        return DKIMSettings(
            domain: domain.value.text, selector: selector.value.lowercased(), privateKey: Secret(privateKey.value),
            keyFile: section.referencedFile("privateKey"))
    }
}
