internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform

/// Reads what stands behind a link: the link itself and the state of its code, or which page says why it does not work.
struct LinkReader: Sendable {
    let directory: ProjectDirectory
    let checkActionCode: CheckActionCode
    let hosts: HostDirectory
    let keys: KeyRing
    let clock: WallClock

    /// A genuine link in time, with its code in whatever state.
    struct Live: Sendable {
        let link: ActionLink
        let code: ActionCode
        let project: Project
        /// Its query in the web form, as it was signed.
        let query: String

        /// The stored continueUrl, if its host is still authorised: the list may have changed since the mail went out.
        var continueURL: ContinueURL? {
            code.settings.continueURL.flatMap { project.authorizedDomains.allows($0.host) ? $0 : nil }
        }
    }

    enum Reading: Sendable {
        case live(Live)
        case dead(LandingPage, Project?, language: String?)
        /// As `dead`, for a link whose code was completed.
        case used(Live)
    }

    /// By the query of a web link as it came, since the signature covers every character of it.
    func read(webQuery query: String?, host: String?) async throws(APIError) -> Reading {
        guard let query, let project = ActionLink.claimedAPIKey(webQuery: query).flatMap(directory.project(apiKey:)) else {
            return .dead(.altered, nil, language: nil)
        }
        return try await read(query, host: host, project: project)
    }

    /// By the query of an app link: ours is unwrapped, anything else is refused.
    func read(appQuery query: String?, host: String?) async throws(APIError) -> Reading {
        guard let query, let project = ActionLink.claimedAPIKey(appQuery: query).flatMap(directory.project(apiKey:)),
            let inner = ActionLink.unwrap(query: query, project: project)
        else { return .dead(.altered, nil, language: nil) }
        return try await read(String(inner.dropFirst(project.actionBase.count + 1)), host: host, project: project)
    }

    private func read(_ query: String, host: String?, project: Project) async throws(APIError) -> Reading {
        // A host that is ours but not one of this project's was put there by somebody else; nothing is ever taken from it.
        guard hosts.serves(host, project: project) else { return .dead(.wrongProject, nil, language: nil) }
        let link: ActionLink
        do {
            link = try ActionLink(project.actionBase + "?" + query, project: project, keys: keys, now: clock.now())
        } catch {
            switch error {
            case .altered: return .dead(alteration(of: query, project: project), project, language: nil)
            case .expired: return .dead(.expired, project, language: nil)
            }
        }
        let code: ActionCode
        do {
            code = try await checkActionCode.stored(link.code)
        } catch {
            if error == .invalidOobCode { return .dead(.used, project, language: link.language) }
            throw APIError(error)
        }
        let live = Live(link: link, code: code, project: project, query: query)
        switch code.state {
        case .live: return .live(live)
        case .used: return .used(live)
        case .voided, .exhausted: return .dead(.voided, project, language: link.language)
        }
    }

    /// What was done to a link, as far as arithmetic tells: the code may be genuine while what stands around it is not.
    private func alteration(of query: String, project: Project) -> LandingPage {
        func value(_ name: String) -> String? {
            query.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard let oobCode = value("oobCode"), oobCode.utf8.count < 100 else { return .altered }
        if let operation = operation(of: oobCode, project: project) {
            let mode = value("mode").flatMap(ActionCodes.Operation.init(mode:))
            return mode != nil && mode != operation ? .wrongMode : .altered
        }
        return directory.contains { $0.id != project.id && operation(of: oobCode, project: $0) != nil } ? .wrongProject : .altered
    }

    /// What a genuine code of a project is for, in time or not.
    private func operation(of oobCode: String, project: Project) -> ActionCodes.Operation? {
        do throws(OOBCode.Rejection) {
            return try OOBCode(oobCode, projectID: project.id, keys: keys, now: clock.now()).operation
        } catch {
            if case .expired(let operation) = error { return operation }
            return nil
        }
    }
}
