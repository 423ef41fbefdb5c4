public import Contracts
public import Hummingbird
public import Messaging
public import Postgres

/// One part of what a service does: its routes, message handlers, deadlines and background work.
///
/// The root of a service is the list of its features (``FeatureService``). ``ServiceAssembly`` makes everything that is the
/// same for all services.
public struct Feature: Sendable {
    /// For logs and component names: `fines`.
    let name: String
    let routes: @Sendable (ServiceRoutes) -> Void
    let handlers: @Sendable (inout MessageHandlers) -> Void
    let deadlines: [String: DeadlineRunner.Operation]
    let commands: CommandHandling?
    let components: [ServiceComponent]
    let serving: [ServiceComponent]
    let working: [ServiceComponent]
    let uploads: [String: Int]
    let keyOwners: [KeySubject.Kind: KeyOwner]
    let sessionsEnded: @Sendable (SessionsEnded, PostgresTransaction) -> Void

    /// - Parameters:
    ///   - routes: adds the feature's routes; not called in a process that only works.
    ///   - handlers: registers handlers of other services' events.
    ///   - deadlines: by kind. They are fired by a runner of this feature, in transactions that it shares with no other.
    ///   - commands: handles what other services ask of this one; one feature of a service at most.
    ///   - components: run in every process of the service.
    ///   - serving: run in processes that serve HTTP; those of the stage `http` stop before the server does.
    ///   - working: run in processes that do the work in the background.
    ///   - uploads: larger body limits in bytes, by the template of the route.
    ///   - keyOwners: says of the things that paths name whether they are an API key's.
    ///   - sessionsEnded: what goes with sessions that have ended; in the transaction that remembers them. Not called in
    ///     identity, which ends them itself.
    public init(
        _ name: String, routes: @escaping @Sendable (ServiceRoutes) -> Void = { _ in },
        handlers: @escaping @Sendable (inout MessageHandlers) -> Void = { _ in },
        deadlines: [String: DeadlineRunner.Operation] = [:], commands: CommandHandling? = nil,
        components: [ServiceComponent] = [], serving: [ServiceComponent] = [], working: [ServiceComponent] = [],
        uploads: [String: Int] = [:], keyOwners: [KeySubject.Kind: KeyOwner] = [:],
        sessionsEnded: @escaping @Sendable (SessionsEnded, PostgresTransaction) -> Void = { _, _ in }
    ) {
        self.name = name
        self.routes = routes
        self.handlers = handlers
        self.deadlines = deadlines
        self.commands = commands
        self.components = components
        self.serving = serving
        self.working = working
        self.uploads = uploads
        self.keyOwners = keyOwners
        self.sessionsEnded = sessionsEnded
    }
}

/// Where the features of a service add their routes.
public struct ServiceRoutes {
    /// Paths are whole: `wallet/v1/webhooks`. Callers may be anonymous.
    public let router: Router<SeraiRequestContext>
    /// Everything under `<service>/v1`, for callers with an access token.
    public let signedIn: RouterGroup<AuthenticatedContext>

    public init(_ router: Router<SeraiRequestContext>, service: String) {
        self.router = router
        signedIn = router.group("\(service)/v1", context: AuthenticatedContext.self)
    }
}

/// How a service handles its queue of commands.
public struct CommandHandling: Sendable {
    let handlers: MessageHandlers
    let configuration: ConsumerRunner.Configuration
    /// Commands that the broker hands over before the first is acknowledged.
    let prefetch: Int

    public init(_ handlers: MessageHandlers, configuration: ConsumerRunner.Configuration, prefetch: Int) {
        self.handlers = handlers
        self.configuration = configuration
        self.prefetch = prefetch
    }
}
