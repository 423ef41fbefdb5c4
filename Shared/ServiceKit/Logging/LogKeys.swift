/// The names of log metadata that mean the same in all services, so that one search finds all lines.
///
/// `Messaging` is a lower layer and writes `message.id`, `message.name` and `correlation.id` itself.
public enum LogKeys {
    public static let requestID = "request.id"
    public static let traceID = "trace.id"
    public static let spanID = "span.id"
    public static let accountID = "account.id"
    public static let orderID = "order.id"
    public static let attempt = "attempt"
    public static let method = "http.method"
    /// The route's template, never the raw path.
    public static let route = "http.route"
    public static let status = "http.status"
    public static let responseBytes = "http.response.bytes"
    public static let clientAddress = "client.address"
    public static let problem = "problem"
    public static let durationMilliseconds = "duration.ms"
    public static let error = "error"
    public static let errorType = "error.type"
    public static let component = "component"
    public static let components = "components"
    public static let port = "port"
    public static let count = "count"
}
