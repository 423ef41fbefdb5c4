/// Settings of the HTTP server. ``init(_:)`` reads them from the configuration; tests set them.
public struct HTTPSettings: Sendable {
    public var host = "127.0.0.1"
    /// 0 takes a free port.
    public var port = 0
    /// With it the server speaks TLS 1.3 alone, on the admin port too; nil serves HTTP in the open.
    public var certificate: ServerCertificate?
    /// Nil serves /health and /metrics on the public port. 0 takes a free port.
    public var adminPort: Int?
    public var bodyLimitBytes = 262_144
    /// By the route's template: `/identity/v1/documents`.
    public var routeBodyLimitBytes: [String: Int] = [:]
    public var requestLimit: Duration = .seconds(15)
    public var idleLimit: Duration = .seconds(75)
    public var pace = PaceLimits()
    /// Origins whose pages may call the service: `https://app.example.org`.
    public var crossOrigins: Set<String> = []
    public var connectionLimit = 8_192
    public var trustedProxies: Set<String> = ["127.0.0.1", "::1"]
    public var addressRate = RateLimit(perSecond: 200, burst: 400)
    public var callerRate = RateLimit(perSecond: 20, burst: 60)
    /// How long /health/ready answers 503 before the server stops accepting connections.
    public var drain: Duration = .zero

    public init() {}

    /// - Throws: when the service has not declared ``CommonKeys``.
    public init(_ configuration: ServiceConfiguration) throws(ConfigurationError) {
        host = try configuration[CommonKeys.httpHost]
        port = try configuration[CommonKeys.httpPort]
        adminPort = try configuration[CommonKeys.httpAdminPort]
        certificate = try ServerCertificate(configuration)
        bodyLimitBytes = try configuration[CommonKeys.httpBodyLimitBytes]
        requestLimit = .seconds(try configuration[CommonKeys.httpRequestSeconds])
        idleLimit = .seconds(try configuration[CommonKeys.httpIdleSeconds])
        pace.head = .seconds(try configuration[CommonKeys.httpHeadSeconds])
        pace.body = .seconds(try configuration[CommonKeys.httpBodySeconds])
        pace.bytesPerSecond = try configuration[CommonKeys.httpBodyBytesPerSecond]
        crossOrigins = Set(try configuration[CommonKeys.httpCrossOrigins])
        connectionLimit = try configuration[CommonKeys.httpConnectionLimit]
        trustedProxies = Set(try configuration[CommonKeys.httpTrustedProxies])
        addressRate = RateLimit(
            perSecond: try configuration[CommonKeys.rateAddressPerSecond],
            burst: try configuration[CommonKeys.rateAddressBurst])
        callerRate = RateLimit(
            perSecond: try configuration[CommonKeys.rateCallerPerSecond],
            burst: try configuration[CommonKeys.rateCallerBurst])
        drain = .milliseconds(try configuration[CommonKeys.shutdownDrainMilliseconds])
    }
}
