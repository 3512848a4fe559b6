internal import HTTP
internal import Platform

/// Liveness, readiness and metrics.
struct OperationsRoute: Sendable {
    let checks: [ReadinessCheck]
    let metrics: Metrics

    func respond(_ page: Route.OperationsPage) async -> HTTPResponse {
        switch page {
        case .liveness: text("ok\n", status: 200)
        case .readiness: await readiness()
        case .metrics:
            HTTPResponse(
                status: 200,
                headers: HTTPHeaders([("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store")]),
                body: .bytes(Array(metrics.render().utf8)))
        }
    }

    private func readiness() async -> HTTPResponse {
        var ready = true
        var members: [(String, JSON?)] = []
        for check in checks {
            let problem = await check.problem()
            if problem != nil && check.isEssential { ready = false }
            members.append((check.name, .string(problem ?? "ok")))
        }
        return HTTPResponse(
            status: ready ? 200 : 503, headers: HTTPHeaders([("Content-Type", "application/json"), ("Cache-Control", "no-store")]),
            body: .bytes(JSON.object([("ready", .bool(ready)), ("checks", .object(members))]).compact))
    }

    private func text(_ text: String, status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders([("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")]),
            body: .bytes(Array(text.utf8)))
    }
}
