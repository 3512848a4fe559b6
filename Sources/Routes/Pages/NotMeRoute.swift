internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform
internal import Templating

/// `/__/auth/not-me`: GET and HEAD show a button and change nothing; the POST that the button causes ends what was mailed to the address.
struct NotMeRoute: Sendable {
    let disownMail: DisownMail
    let directory: ProjectDirectory
    let hosts: HostDirectory
    let writer: LandingPageWriter
    let keys: KeyRing
    let clock: WallClock

    /// The page.
    func look(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        let item = request.queryItems().first { $0.name == "t" }
        switch try await find(item?.value, request) {
        case .failure(let page): return writer.page(page, request, nil)
        case .success(let found):
            return writer.page(
                .notMe, request, found.project, language: found.code.language,
                values: [
                    "query": .text(found.link.token), "token": .text(found.link.pageToken(keys: keys)),
                    // Masked, since whoever has the link is not yet known to have the address.
                    "address": .text(found.code.recipient.masked),
                ])
        }
    }

    /// The button.
    func press(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        // As for the buttons that complete links: see CompletionRoute.
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            return writer.page(.refused, request, nil)
        }
        guard APICall.mediaType(request.headers["Content-Type"] ?? "") == "application/x-www-form-urlencoded" else {
            return writer.page(.refused, request, nil)
        }
        let form = HTTPRequest.formItems(request.body)
        switch try await find(form.first { $0.name == "t" }?.value, request) {
        case .failure(let page): return writer.page(page, request, nil)
        case .success(let found):
            guard found.link.isPageToken(form.first { $0.name == "token" }?.value ?? "", keys: keys) else {
                return writer.page(.refused, request, found.project, language: found.code.language)
            }
            let done: ActionCode?
            do { done = try await disownMail(found.link) } catch { throw APIError(error) }
            return writer.page(done == nil ? .notMeOver : .notMeDone, request, found.project, language: found.code.language)
        }
    }

    private struct Found {
        let link: NotMeLink
        let code: ActionCode
        let project: Project
    }

    /// A page in place of an error: what is missing here is shown, not thrown.
    private enum Finding {
        case success(Found)
        case failure(LandingPage)
    }

    private func find(_ token: String?, _ request: HTTPRequest) async throws(APIError) -> Finding {
        let link: NotMeLink
        do {
            link = try NotMeLink(token ?? "", keys: keys, now: clock.now())
        } catch {
            return .failure(error == .expired ? .notMeOver : .altered)
        }
        let code: ActionCode?
        do { code = try await disownMail.inspect(link) } catch { throw APIError(error) }
        guard let code, let project = directory.project(id: code.projectID) else { return .failure(.notMeOver) }
        guard hosts.serves(request.headers["Host"], project: project) else { return .failure(.altered) }
        return .success(Found(link: link, code: code, project: project))
    }
}
