/// The configuration keys of every service.
public enum CommonKeys {
    public static let all: [AnyConfigurationKey] = http + database + broker + logging + tokens + running

    static let http: [AnyConfigurationKey] = [
        httpHost.erased, httpPort.erased, httpAdminPort.erased, httpCertificateFile.erased, httpKeyFile.erased,
        httpBodyLimitBytes.erased,
        httpRequestSeconds.erased, httpIdleSeconds.erased, httpConnectionLimit.erased, httpTrustedProxies.erased,
        httpHeadSeconds.erased, httpBodySeconds.erased, httpBodyBytesPerSecond.erased, httpCrossOrigins.erased,
        rateAddressPerSecond.erased, rateAddressBurst.erased, rateCallerPerSecond.erased, rateCallerBurst.erased,
        signingKey.erased,
    ]
    static let database: [AnyConfigurationKey] = [databaseURL.erased, databasePoolSize.erased]
    static let broker: [AnyConfigurationKey] = [amqpURL.erased, amqpAuthorityFile.erased]
    static let logging: [AnyConfigurationKey] = [logLevel.erased, logFormat.erased]
    static let tokens: [AnyConfigurationKey] = [
        tokensKeysFile.erased, tokensKeys.erased, tokensIssuer.erased, tokensAudience.erased,
    ]
    static let running: [AnyConfigurationKey] = [shutdownGraceSeconds.erased, shutdownDrainMilliseconds.erased]

    // HTTP

    public static let httpHost = ConfigurationKey<String>(
        "http.host", "The address that the service listens on.", default: "127.0.0.1")
    public static let httpPort = ConfigurationKey<Int>(
        "http.port", "The port that the service listens on. 0 takes a free one.", default: 8080, in: 0...65535)
    public static let httpAdminPort = ConfigurationKey<Int?>(
        "http.admin.port",
        "Serves /health and /metrics on a port of their own, so that they need not be public. 0 takes a free one.",
        range: "0...65535", isAllowed: { (0...65535).contains($0 ?? 0) })
    public static let httpCertificateFile = ConfigurationKey<String?>(
        "http.certificate.file",
        "The certificate (PEM) that the service shows: it then speaks TLS 1.3 alone. Goes with http.key.file.")
    public static let httpKeyFile = ConfigurationKey<String?>(
        "http.key.file",
        "The key (PEM) of http.certificate.file. Both files are read anew within ten seconds when they change.")
    public static let httpBodyLimitBytes = ConfigurationKey<Int>(
        "http.body.limit.bytes", "The largest request body. Routes for uploads have limits of their own.",
        default: 262_144, in: 1_024...67_108_864)
    public static let httpRequestSeconds = ConfigurationKey<Int>(
        "http.request.seconds", "How long a request may take, once its body is here, before it is cancelled.",
        default: 15, in: 1...120)
    public static let httpHeadSeconds = ConfigurationKey<Int>(
        "http.head.seconds", "How long a client may take to send the head of a request.", default: 10, in: 1...300)
    public static let httpBodySeconds = ConfigurationKey<Int>(
        "http.body.seconds", "How long a client may take to send any body, however short.", default: 10, in: 1...300)
    public static let httpBodyBytesPerSecond = ConfigurationKey<Int>(
        "http.body.bytes.per.second", "The least rate of a body: it has a second more for each so many bytes.",
        default: 1_024, in: 1...1_048_576)
    public static let httpCrossOrigins = ConfigurationKey<[String]>(
        "http.cross.origins", "Origins whose pages may call the service, such as https://app.example.org.", default: [])
    public static let httpIdleSeconds = ConfigurationKey<Int>(
        "http.idle.seconds", "How long a connection may be silent before it is closed.", default: 75, in: 1...3600)
    public static let httpConnectionLimit = ConfigurationKey<Int>(
        "http.connection.limit", "How many connections are served at once; more wait in the backlog.",
        default: 8_192, in: 1...100_000)
    public static let httpTrustedProxies = ConfigurationKey<[String]>(
        "http.trusted.proxies",
        "Addresses of proxies whose X-Forwarded-For is believed.", default: ["127.0.0.1", "::1"])

    // Limits

    public static let rateAddressPerSecond = ConfigurationKey<Double>(
        "http.rate.address.per.second", "Requests a second that one address may make in the long run.",
        default: 200, in: 0.01...1_000_000)
    public static let rateAddressBurst = ConfigurationKey<Int>(
        "http.rate.address.burst", "Requests that one address may make at once.", default: 400, in: 1...1_000_000)
    public static let rateCallerPerSecond = ConfigurationKey<Double>(
        "http.rate.caller.per.second", "Requests a second that one account may make in the long run.",
        default: 20, in: 0.01...1_000_000)
    public static let rateCallerBurst = ConfigurationKey<Int>(
        "http.rate.caller.burst", "Requests that one account may make at once.", default: 60, in: 1...1_000_000)

    /// At least 32 characters, so that it cannot be guessed.
    public static let signingKey = ConfigurationKey<Redacted<String>>(
        "http.signing.key",
        "Signs paging cursors and seals answers kept for Idempotency-Key. The same for all processes of the service.",
        range: "at least 32 characters", isAllowed: { $0.revealed.utf8.count >= 32 })

    // Database and broker

    public static let databaseURL = ConfigurationKey<Redacted<String>>(
        "database.url", "PostgreSQL connection string of the service's own role.",
        range: "postgresql://… or key=value pairs", isAllowed: { isDSN($0.revealed) })
    /// Of services that have such reads.
    public static let lateDatabaseURL = ConfigurationKey<Redacted<String>?>(
        "database.late.url",
        "Where reads go that may be a moment behind, such as statistics: a replica. By default database.url.",
        range: "postgresql://… or key=value pairs", isAllowed: { $0.map { isDSN($0.revealed) } ?? true })

    private static func isDSN(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") || text.contains("=")
    }

    public static let databasePoolSize = ConfigurationKey<Int>(
        "database.pool.size", "Connections to the database at most.", default: 8, in: 1...200)
    public static let amqpURL = ConfigurationKey<Redacted<String>>(
        "amqp.url", "RabbitMQ address of the service's own user; several hosts are separated by commas.",
        range: "amqp://… or amqps://…",
        isAllowed: { $0.revealed.hasPrefix("amqp://") || $0.revealed.hasPrefix("amqps://") })

    public static let amqpAuthorityFile = ConfigurationKey<String?>(
        "amqp.authority.file",
        "The authorities (PEM) that the broker's certificate is checked by: with it TLS alone is spoken, "
            + "also where amqp.url begins with amqp://.")

    // Logs

    public static let logLevel = ConfigurationKey<LogLevel>(
        "log.level", "The least severe level that is written.", default: .info)
    public static let logFormat = ConfigurationKey<LogFormat>(
        "log.format", "JSON lines, text for people, or text when standard error is a terminal.", default: .auto)

    // Tokens

    public static let tokensKeysFile = ConfigurationKey<String?>(
        "tokens.keys.file", "A file with the JSON Web Key Set that access tokens are checked with.")
    public static let tokensKeys = ConfigurationKey<String?>(
        "tokens.keys", "The JSON Web Key Set itself. Goes before the file.")
    public static let tokensIssuer = ConfigurationKey<String>(
        "tokens.issuer", "Who must have issued an access token (iss).", default: "https://serai.example/identity")
    public static let tokensAudience = ConfigurationKey<String>(
        "tokens.audience", "Whom an access token must be meant for (aud).", default: "serai")

    // Running

    public static let shutdownGraceSeconds = ConfigurationKey<Int>(
        "shutdown.grace.seconds", "How long the whole shutdown may take before the process ends anyway.",
        default: 10, in: 1...10)
    public static let shutdownDrainMilliseconds = ConfigurationKey<Int>(
        "shutdown.drain.milliseconds",
        "How long /health/ready says 503 before the service stops taking connections.", default: 500, in: 0...5_000)
}
