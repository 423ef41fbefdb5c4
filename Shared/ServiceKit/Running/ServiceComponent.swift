public import ServiceLifecycle

/// A part of a service that runs for as long as the service does: the pool, the relay, the HTTP server.
public struct ServiceComponent: Sendable {
    /// Components start stage by stage and stop in the reverse order, so that each finds below it what it needs.
    public enum Stage: Int, Sendable, Comparable, CaseIterable {
        case database, publisher, relay, consumers, background, http

        public static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    public let name: String
    public let stage: Stage
    let service: any Service
    let whenStarted: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - service: its `run` returns when it is asked to shut down gracefully and its work is done. To return sooner
    ///     is a failure of the whole service.
    ///   - whenStarted: returns when the component is of use; the next one starts then. It may wait as long as it
    ///     takes.
    public init(
        _ name: String, stage: Stage, _ service: any Service,
        whenStarted: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.name = name
        self.stage = stage
        self.service = service
        self.whenStarted = whenStarted
    }
}

/// A component whose only work is to be closed at the end, such as a connection pool.
public struct ClosingService: Service {
    private let close: @Sendable () async -> Void

    public init(close: @escaping @Sendable () async -> Void) {
        self.close = close
    }

    public func run() async throws {
        // Ends by graceful shutdown or by cancellation; both mean to close.
        try? await gracefulShutdown()
        await close()
    }
}
