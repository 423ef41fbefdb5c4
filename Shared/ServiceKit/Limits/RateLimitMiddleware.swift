public import Hummingbird
import Messaging
public import Metrics

/// Refuses requests that come too often with a 429 and `Retry-After`. Counts by account or by client address, in this
/// process alone.
///
/// Give groups of routes that are costly or need protection (login, codes) a limit of their own.
public struct RateLimitMiddleware: RouterMiddleware {
    public typealias Context = SeraiRequestContext

    public enum Subject: Sendable {
        /// The client's address (an IPv6 /64), even when the caller is known.
        case address
        /// The account. Requests without a caller are not counted: an address stands for many people, and has a limit
        /// of its own.
        case caller
    }

    private let buckets: KeyedRateLimit
    private let subject: Subject
    private let group: String
    private let refused: Counter
    private let exemptRoutes: Set<String>

    /// - Parameters:
    ///   - group: the limit's name in metrics.
    ///   - maximumKeys: the most callers that are remembered at once; about 100 bytes each.
    ///   - exemptRoutes: templates of routes that are never refused.
    public init(
        group: String, _ limit: RateLimit, by subject: Subject = .caller, maximumKeys: Int = 100_000,
        exemptRoutes: Set<String> = [], metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        buckets = KeyedRateLimit(limit, maximumKeys: maximumKeys)
        self.subject = subject
        self.group = group
        self.exemptRoutes = exemptRoutes
        refused = Counter(label: HTTPMetrics.refusedLabel, dimensions: [("group", group)], factory: metrics)
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let route = context.endpointPath, exemptRoutes.contains(route) { return try await next(request, context) }
        guard let key = key(context) else { return try await next(request, context) }
        guard let seconds = buckets.take(key) else { return try await next(request, context) }
        refused.increment()
        throw Problem.tooManyRequests(retryAfterSeconds: seconds)
    }

    private func key(_ context: Context) -> String? {
        switch subject {
        case .caller: context.caller?.accountID.text
        case .address: context.clientLimitKey
        }
    }
}
