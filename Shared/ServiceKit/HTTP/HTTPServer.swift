public import Hummingbird
import HummingbirdCore
public import Logging
public import Metrics
import NIOCore
public import PollThread
public import ServiceLifecycle
import Locks

/// A service's HTTP server: Hummingbird with the layers that all services share.
///
/// From the outside in: request deadline; request id, trace and language; access log and metrics; closing of
/// connections while draining and after requests for another protocol; security headers; cross-origin; problems; the
/// text of the address; methods, entity tags and accepted types; the language of answers; rate limit by address; body
/// limit; authentication; rate limit by caller; `100 Continue`; the service's routes.
///
/// On shutdown `/health/ready` turns 503 and answers close their connections at once. After ``HTTPSettings/drain`` the
/// server stops accepting connections, closes idle ones and finishes running requests. ``run()`` returns after the last
/// answer.
public final class HTTPServer: Service {
    /// The ports on which the server listens.
    public struct Addresses: Sendable, Equatable {
        public let port: Int
        /// The same as `port` without an admin port.
        public let adminPort: Int
    }

    private let settings: HTTPSettings
    private let health: Health
    private let logger: Logger
    private let deadlines = RequestDeadlines()
    private let application: Application<DeadlineResponder<RouterResponder<SeraiRequestContext>>>
    private let adminApplication: Application<DeadlineResponder<RouterResponder<SeraiRequestContext>>>?
    private let listening: Listening
    private let thread: PollThread?

    /// - Parameters:
    ///   - verifier: nil when no route of the service needs a caller.
    ///   - thread: the thread of requests, that of the service's pool: a statement then changes no threads. Routes must
    ///     not block it. Nil for the global executor.
    ///   - routes: adds the service's routes. Called once, here.
    public init(
        settings: HTTPSettings, health: Health, registry: PrometheusRegistry, catalogue: ProblemCatalogue,
        verifier: TokenVerifier?, logger: Logger, metrics: (any MetricsFactory)? = nil,
        thread: PollThread? = nil,
        routes: (Router<SeraiRequestContext>) -> Void
    ) {
        self.settings = settings
        self.health = health
        self.logger = logger
        let layers = Layers(
            settings: settings, health: health, catalogue: catalogue, verifier: verifier, factory: metrics ?? registry,
            instruments: HTTPMetrics(factory: metrics ?? registry))
        let operations = OperationsRoutes(health: health, registry: registry)
        let router = layers.router()
        if settings.adminPort == nil { operations.add(to: router) }
        routes(router)
        layers.table.fill(from: router)
        let listening = Listening(expected: settings.adminPort == nil ? 1 : 2)
        self.listening = listening
        self.thread = thread
        let deadlines = deadlines
        application = Self.application(
            router, settings, port: settings.port, deadlines, thread, logger, listening.mark(isAdmin: false))
        adminApplication = settings.adminPort.map { port in
            let router = layers.adminRouter()
            operations.add(to: router)
            return Self.application(router, settings, port: port, deadlines, nil, logger, listening.mark(isAdmin: true))
        }
    }

    /// Waits until the server listens.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func addresses() async throws -> Addresses { try await listening.addresses() }

    /// For tests that answer requests without sockets: pass it to `HummingbirdTesting`.
    public var testApplication: some ApplicationProtocol { application }

    public func run() async throws {
        // In a task of its own, where Hummingbird does not see the shutdown: otherwise it would stop listening at once.
        let group = ServiceGroup(configuration: groupConfiguration())
        // Connections are served on the requests' thread too: otherwise each request would change threads twice more.
        let serving = Task.detached(executorPreference: thread) { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await serving.value
            } onGracefulShutdown: { [health, settings, logger] in
                health.enter(.draining)
                Task {
                    logger.info("http: draining")
                    // Cannot be cancelled: no code holds this task.
                    try? await Task.sleep(for: settings.drain)
                    await group.triggerGracefulShutdown()
                }
            }
        } onCancel: {
            serving.cancel()
        }
    }

    /// Connections that wait to be accepted. A connection beyond this waits for the client's second try, a second
    /// later. The kernel has a limit of its own, `net.core.somaxconn`.
    private static let backlog = 4_096

    /// Shut down in reverse: the public server, then the admin one, so that readiness can be requested to the end.
    private func groupConfiguration() -> ServiceGroupConfiguration {
        var services: [any Service] = [deadlines]
        if let certificate = settings.certificate {
            services.append(ServerCertificateReload(certificate: certificate, logger: logger))
        }
        if let adminApplication { services.append(adminApplication) }
        services.append(application)
        return ServiceGroupConfiguration(services: services, logger: logger)
    }

    private static func application(
        _ router: Router<SeraiRequestContext>, _ settings: HTTPSettings, port: Int, _ deadlines: RequestDeadlines,
        _ thread: PollThread?, _ logger: Logger, _ onListening: @escaping @Sendable (Int) -> Void
    ) -> Application<DeadlineResponder<RouterResponder<SeraiRequestContext>>> {
        let pace = settings.pace
        var http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [SlowRequestHandler(pace), HeadAnswerHandler()],
            idleTimeout: TimeAmount(settings.idleLimit))
        // Above the limits of ``AddressTextMiddleware`` and of Caddy, so that a client beyond those gets a readable
        // answer.
        http1.httpDecoder = .init(
            maxHeaderFieldSize: 65_536, maxHeaderListSize: 98_304, maxHeaderFieldCount: 20_000)
        return Application(
            responder: DeadlineResponder(
                base: router.buildResponder(), limit: settings.requestLimit, deadlines: deadlines,
                thread: thread),
            server: Self.connections(http1, settings.certificate),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: port), backlog: Self.backlog,
                availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
            logger: logger)
    }

    private static func connections(
        _ http1: HTTP1Channel.Configuration, _ certificate: ServerCertificate?
    ) -> HTTPServerBuilder {
        guard let certificate else { return .http1(configuration: http1) }
        return HTTPServerBuilder { responder in
            EncryptedChannel(
                base: HTTP1Channel(responder: responder, configuration: http1), certificate: certificate)
        }
    }
}

/// Builds routers with the common layers.
private struct Layers {
    let settings: HTTPSettings
    let health: Health
    let catalogue: ProblemCatalogue
    let verifier: TokenVerifier?
    let factory: any MetricsFactory
    let instruments: HTTPMetrics
    /// The public routes; filled when all are known.
    let table = RouteTable()

    func router() -> Router<SeraiRequestContext> {
        let router = adminRouter()
        router.add(middleware: MethodMiddleware(table: table))
        router.add(middleware: ConditionalMiddleware())
        router.add(middleware: AcceptMiddleware())
        router.add(middleware: LanguageMiddleware())
        router.add(
            middleware: RateLimitMiddleware(
                group: "address", settings.addressRate, by: .address, exemptRoutes: OperationsRoutes.templates,
                metrics: factory))
        router.add(
            middleware: BodyLimitMiddleware(
                defaultLimitBytes: settings.bodyLimitBytes, routeLimitBytes: settings.routeBodyLimitBytes))
        if let verifier { router.add(middleware: AuthenticationMiddleware(verifier: verifier)) }
        router.add(
            middleware: RateLimitMiddleware(
                group: "caller", settings.callerRate, by: .caller, exemptRoutes: OperationsRoutes.templates,
                metrics: factory))
        router.add(middleware: ExpectMiddleware())
        return router
    }

    func adminRouter() -> Router<SeraiRequestContext> {
        let router = Router(context: SeraiRequestContext.self, options: [.autoGenerateHeadEndpoints])
        router.add(
            middleware: IdentityMiddleware(
                trustedProxies: settings.trustedProxies, languages: catalogue.languages))
        router.add(middleware: AccessLogMiddleware(metrics: instruments, quietRoutes: OperationsRoutes.templates))
        router.add(middleware: DrainingMiddleware(health: health))
        router.add(middleware: UpgradeMiddleware())
        router.add(middleware: UnreadBodyMiddleware())
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: CrossOriginMiddleware(origins: settings.crossOrigins))
        router.add(middleware: ProblemMiddleware(catalogue: catalogue))
        router.add(middleware: AddressTextMiddleware())
        return router
    }
}

/// Lets tasks wait until all sockets listen.
private final class Listening: Sendable {
    private struct State {
        var port: Int?
        var adminPort: Int?
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())
    private let expected: Int

    init(expected: Int) {
        self.expected = expected
    }

    func mark(isAdmin: Bool) -> @Sendable (Int) -> Void {
        { port in
            self.state.withLock { state in
                if isAdmin { state.adminPort = port } else { state.port = port }
                guard self.isComplete(state) else { return }
                for continuation in state.waiting { continuation.finish() }
                state.waiting = []
            }
        }
    }

    func addresses() async throws -> HTTPServer.Addresses {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if isComplete(state) { continuation.finish() } else { state.waiting.append(continuation) }
        }
        for await _ in stream {}
        return try state.withLock { state in
            guard let port = state.port, isComplete(state) else { throw CancellationError() }
            return HTTPServer.Addresses(port: port, adminPort: state.adminPort ?? port)
        }
    }

    private func isComplete(_ state: State) -> Bool {
        (state.port == nil ? 0 : 1) + (state.adminPort == nil ? 0 : 1) == expected
    }
}
