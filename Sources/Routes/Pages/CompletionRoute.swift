internal import Accounts
internal import ActionCodes
internal import HTTP
internal import Mail
internal import Platform
internal import Templating

/// `POST /__/auth/action`: the button of our own page was pressed. The only way in which a page ever spends a code or sends a mail.
struct CompletionRoute: Sendable {
    let links: LinkReader
    let writer: LandingPageWriter
    let keys: KeyRing
    let applyActionCode: ApplyActionCode
    let sendOobCode: SendOobCode

    /// `client` is where the request came from, for the limits.
    func complete(_ request: HTTPRequest, client: IPAddress?) async throws(APIError) -> HTTPResponse {
        // A browser that says where a form comes from has to say: from here. `Origin` decides nothing, since a page without referrer sends null
        // (hosting.md §4.3.4).
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            return writer.page(.refused, request, nil)
        }
        guard APICall.mediaType(request.headers["Content-Type"] ?? "") == "application/x-www-form-urlencoded" else {
            return writer.page(.refused, request, nil)
        }
        let form = Form(request.body)
        switch try await links.read(webQuery: form.query, host: request.headers["Host"]) {
        case .dead(let page, let project, let language): return writer.page(page, request, project, language: language)
        case .live(let live): return try await complete(live, form, request)
        case .used(let live):
            guard form.isPasswordReset else { return writer.page(.used, request, live.project, language: live.link.language) }
            return try await mailPasswordReset(live, form, request, client: client)
        }
    }

    private func complete(_ live: LinkReader.Live, _ form: Form, _ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
        let operation = live.link.code.operation
        guard let page = LandingPage(form: operation) else { return writer.page(.altered, request, live.project) }
        guard PageToken.isValid(form.token, for: live.link, keys: keys) else {
            return writer.page(.refused, request, live.project, language: live.link.language)
        }
        // An operator's own page may have one field only.
        if operation == .resetPassword, let again = form.newPasswordAgain, again != form.newPassword {
            return writer.form(page, live, request, problem: .differentPasswords)
        }
        do {
            if operation == .resetPassword {
                _ = try await applyActionCode.resetPassword(live.link.oobCode, newPassword: form.newPassword, project: live.project)
            } else {
                _ = try await applyActionCode(live.link.oobCode, project: live.project)
            }
        } catch .account(.weakPassword) {
            return writer.form(page, live, request, problem: .weakPassword)
        } catch {
            return try refusal(error, live, request)
        }
        // The stored one, never one that the form could name.
        if let continueURL = live.continueURL { return writer.seeOther(continueURL.text, live.project) }
        return writer.done(live, request, offersPasswordReset: operation == .recoverEmail && live.project.accounts.passwordSignIn)
    }

    /// The offer on the page after an address was taken back: a link for a new password goes to that address.
    private func mailPasswordReset(
        _ live: LinkReader.Live, _ form: Form, _ request: HTTPRequest, client: IPAddress?
    ) async throws(APIError) -> HTTPResponse {
        guard live.link.code.operation == .recoverEmail, live.project.accounts.passwordSignIn,
            PageToken.isValid(form.token, for: live.link, purpose: .passwordReset, keys: keys)
        else { return writer.page(.refused, request, live.project, language: live.link.language) }
        var send = SendOobCodeRequest()
        send.operation = .resetPassword
        send.email = live.code.email.text
        send.apiKey = live.link.apiKey
        send.locale = live.link.language
        send.client = client
        do {
            _ = try await sendOobCode(send, project: live.project)
        } catch {
            switch error {
            // Gone since; the page says the same, as for everybody who asks about an address.
            case .emailNotFound: break
            case .tooManyAttempts: return writer.page(.tooMany, request, live.project, language: live.link.language)
            default: return try refusal(error, live, request)
            }
        }
        return writer.page(
            .resetSent, request, live.project, language: live.link.language, values: ["address": .text(live.code.recipient.masked)])
    }

    private func refusal(_ error: ActionCodeError, _ live: LinkReader.Live, _ request: HTTPRequest) throws(APIError) -> HTTPResponse {
        let page: LandingPage
        switch error {
        // It was live a moment ago: somebody was quicker, or the account is gone.
        case .invalidOobCode, .userNotFound: page = .voided
        case .expiredOobCode: page = .expired
        case .userDisabled: page = .disabled
        case .emailExists: page = .taken
        case .passwordLoginDisabled: page = .unauthorized
        default: throw APIError(error)
        }
        return writer.page(page, request, live.project, language: live.link.language)
    }

    /// What the form holds.
    private struct Form {
        var query: String?
        var token = ""
        var newPassword = ""
        var newPasswordAgain: String?
        var isPasswordReset = false

        init(_ body: [UInt8]) {
            for item in HTTPRequest.formItems(body) {
                switch item.name {
                case "query": query = item.value
                case "token": token = item.value ?? ""
                case "newPassword": newPassword = item.value ?? ""
                case "newPasswordAgain": newPasswordAgain = item.value ?? ""
                case "next": isPasswordReset = item.value == PageToken.Purpose.passwordReset.rawValue
                default: break
                }
            }
        }
    }
}
