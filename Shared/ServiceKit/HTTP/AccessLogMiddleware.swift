import Hummingbird
import Logging
import Messaging
import Metrics

/// One log line and one measurement for every request, with any result. The route's template is written and never the
/// path: paths contain ids, and queries contain search texts.
struct AccessLogMiddleware: RouterMiddleware {
    typealias Context = SeraiRequestContext

    let metrics: HTTPMetrics
    /// Routes that machines request every few seconds.
    let quietRoutes: Set<String>

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.began()
        do {
            let response = try await next(request, context)
            finish(request, context, status: response.status, bytes: response.body.contentLength, start: start)
            return response
        } catch {
            // The layers below answer every error. If one comes through, the client gets a 500.
            finish(request, context, status: .internalServerError, bytes: nil, start: start)
            throw error
        }
    }

    private func finish(
        _ request: Request, _ context: Context, status: HTTPResponse.Status, bytes: Int?,
        start: ContinuousClock.Instant
    ) {
        let duration = ContinuousClock.now - start
        let route = context.endpointPath == "NotFound" ? nil : context.endpointPath
        metrics.ended(method: request.method.rawValue, route: route, status: status.code, after: duration)
        let isQuiet = route.map(quietRoutes.contains) ?? false
        // A failed health check is logged where it fails.
        let level: Logger.Level = isQuiet ? .debug : status.code >= 500 ? .error : .info
        guard context.logger.logLevel <= level else { return }
        let record = context.record.current
        var metadata: Logger.Metadata = [
            LogKeys.method: "\(request.method.rawValue)", LogKeys.route: "\(route ?? "none")",
            LogKeys.status: "\(status.code)", LogKeys.clientAddress: "\(context.clientLimitKey)",
            LogKeys.durationMilliseconds: "\(PrometheusText.number((duration.milliseconds * 100).rounded() / 100))",
        ]
        if let bytes { metadata[LogKeys.responseBytes] = "\(bytes)" }
        if let account = record.accountID { metadata[LogKeys.accountID] = "\(account.text)" }
        if let slug = record.problemSlug { metadata[LogKeys.problem] = "\(slug)" }
        context.logger.log(level: level, "request", metadata: metadata)
    }
}
