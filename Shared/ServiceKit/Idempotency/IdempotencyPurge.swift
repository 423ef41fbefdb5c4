public import Logging
public import ServiceLifecycle

/// Deletes expired keys every ten minutes. Any number of processes may run it.
public struct IdempotencyPurge: Service {
    private let store: IdempotencyStore
    private let logger: Logger
    private let interval: Duration

    public init(_ store: IdempotencyStore, logger: Logger, interval: Duration = .seconds(600)) {
        self.store = store
        self.logger = logger
        self.interval = interval
    }

    public func run() async throws {
        await repeatedly(every: interval, logger: logger, orLog: "idempotency purge failed") { try await store.purge() }
    }
}
