import Hummingbird

/// `/health/live`, `/health/ready` and `/metrics`: for operators, not for users. They contain states and numbers, no
/// addresses, versions or error texts.
struct OperationsRoutes {
    static let live: RouterPath = "/health/live"
    static let ready: RouterPath = "/health/ready"
    static let metrics: RouterPath = "/metrics"
    static let templates: Set<String> = [live.description, ready.description, metrics.description]

    let health: Health
    let registry: PrometheusRegistry

    private struct Readiness: ResponseEncodable {
        struct Check: Encodable {
            let status: String
            let milliseconds: Double
        }
        let status: String
        let checks: [String: Check]
    }

    func add(to router: Router<SeraiRequestContext>) {
        router.get(Self.live) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: .init(string: #"{"status":"ok"}"#)))
        }
        router.get(Self.ready) { [health] request, context in
            let report = await health.report()
            let checks = report.outcomes.mapValues { outcome in
                Readiness.Check(status: outcome.isHealthy ? "ok" : "failed", milliseconds: outcome.milliseconds)
            }
            let status = report.phase == .ready ? (report.isReady ? "ok" : "failed") : report.phase.rawValue
            var response = try Readiness(status: status, checks: checks).response(from: request, context: context)
            response.status = report.isReady ? .ok : .serviceUnavailable
            return response
        }
        router.get(Self.metrics) { [registry] _, _ in
            Response(
                status: .ok, headers: [.contentType: PrometheusText.contentType],
                body: .init(byteBuffer: .init(string: registry.text())))
        }
    }
}
