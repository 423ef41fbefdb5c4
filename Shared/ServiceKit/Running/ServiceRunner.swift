import Glibc
public import Logging
import ServiceLifecycle
import UnixSignals

/// Starts the components of a service in order, runs them until SIGTERM or SIGINT, and stops them in reverse.
///
/// The whole shutdown takes at most `grace`: after four fifths of it what still runs is cancelled, at its end the
/// process ends with a log line that names what did not stop. A second signal changes nothing.
public struct ServiceRunner: Sendable {
    /// The exit code of the process.
    public enum Outcome: Int32, Sendable {
        case success = 0
        /// A component failed, or had to be cancelled at the end.
        case failure = 1
    }

    private let components: [ServiceComponent]
    private let health: Health
    private let grace: Duration
    private let logger: Logger
    private let terminate: @Sendable () -> Void

    /// - Parameters:
    ///   - components: within a stage they start in this order.
    ///   - grace: for the whole shutdown, at most 10 s.
    public init(components: [ServiceComponent], health: Health, grace: Duration, logger: Logger) {
        // Nothing is flushed or awaited: this is for when waiting has not helped.
        self.init(components: components, health: health, grace: min(grace, .seconds(10)), logger: logger) {
            _exit(Outcome.failure.rawValue)
        }
    }

    /// For tests, whose machine may be too busy for ten seconds.
    init(
        components: [ServiceComponent], health: Health, grace: Duration, logger: Logger,
        terminate: @escaping @Sendable () -> Void
    ) {
        // Sorting keeps the order within a stage, which `sorted` does not promise; so each stage is taken in turn.
        self.components = ServiceComponent.Stage.allCases.flatMap { stage in components.filter { $0.stage == stage } }
        self.health = health
        self.grace = grace
        self.logger = logger
        self.terminate = terminate
    }

    /// Returns when everything has stopped.
    public func run() async -> Outcome {
        let states = ComponentStates()
        let shutdown = ShutdownState(grace: grace) { [logger, terminate] in
            logger.critical(
                "shutdown not finished in time, ending the process",
                metadata: [
                    LogKeys.components: "\((states.names(.running) + states.names(.waiting)).joined(separator: ", "))"
                ])
            terminate()
        }
        var services: [any Service] = []
        var gate = StartGate()
        gate.open()
        for component in components {
            let next = StartGate()
            services.append(
                StagedService(
                    component: component, turn: gate, next: next, states: states, shutdown: shutdown, logger: logger))
            gate = next
        }
        services.append(ShutdownWatch(turn: gate, shutdown: shutdown, health: health, logger: logger))
        let outcome = await run(services, shutdown)
        shutdown.end()
        let cancelled = states.names(.cancelled)
        guard cancelled.isEmpty || outcome == .failure else {
            logger.error(
                "components did not stop by themselves",
                metadata: [LogKeys.components: "\(cancelled.joined(separator: ", "))"])
            return .failure
        }
        logger.notice("stopped")
        return outcome
    }

    private func run(_ services: [any Service], _ shutdown: ShutdownState) async -> Outcome {
        // The watch returns at once when it is told to shut down, which is what it is for.
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = grace * 0.8
        do {
            try await ServiceGroup(configuration: configuration).run()
            return .success
        } catch {
            logger.error("service failed", metadata: [LogKeys.error: "\(String(describing: error).prefix(500))"])
            return .failure
        }
    }
}
