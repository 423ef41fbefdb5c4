public import Logging
public import PollThread

/// A limited set of connections to one database, shared by the whole process.
///
/// Connections are lent exclusively and only for the length of a call, so none can be kept by mistake.
public final class PostgresPool: Sendable {
    public struct Configuration: Sendable {
        public var connection: PostgresConfiguration
        /// At least 1. More than three times the database's cores rarely helps.
        public var maximumConnections: Int = 10
        /// Kept open even when idle.
        public var minimumConnections: Int = 1
        /// How long a caller waits for a connection before ``PostgresError/Code/poolTimeout``.
        public var acquireTimeout: Duration = .seconds(5)
        /// Connections that are idle for longer are closed, down to the minimum.
        public var idleTimeout: Duration = .seconds(120)
        /// Tries of a transaction that conflicts with another, or whose connection is lost before the commit was sent.
        public var maximumAttempts: Int = 5

        public init(_ connection: PostgresConfiguration) { self.connection = connection }
    }

    public let thread: PollThread
    public let logger: Logger
    let configuration: Configuration
    let connections: ConnectionPool
    /// Raised in this process after commits; see ``PostgresTransaction/raiseAfterCommit(_:)``.
    let signals = LocalSignals()

    public init(_ configuration: Configuration, thread: PollThread, logger: Logger) {
        precondition(configuration.maximumConnections >= 1, "a pool needs at least one connection")
        self.configuration = configuration
        self.thread = thread
        self.logger = logger
        self.connections = ConnectionPool(configuration, thread: thread, logger: logger)
    }

    /// The pool's connection settings, for separate connections such as ``PostgresListener``.
    public var connectionConfiguration: PostgresConfiguration { configuration.connection }

    /// The number of open connections, leased ones, and waiting callers.
    public var counts: (total: Int, leased: Int, waiting: Int) {
        get async { await connections.counts }
    }

    /// Refuses new work, closes idle connections, and closes each leased one when it comes back.
    public func close() async { await connections.close() }

    // MARK: Single statements, each its own transaction

    /// Runs the statement and returns its rows.
    public func query<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        let encoded = EncodedStatement(statement)
        var tries = 0
        while true {
            do {
                return try await connections.query(encoded, S.self)
            } catch {
                // Each connection may have an invalid plan of its own.
                guard error.isStalePlan, tries < configuration.maximumConnections else { throw error }
                tries += 1
            }
        }
    }

    /// Runs the statement and returns its first row.
    public func first<S: Statement>(_ statement: S) async throws(PostgresError) -> S.Row? {
        try await query(statement).first
    }

    /// Runs the statement and returns the number of affected rows.
    @discardableResult
    public func execute(_ statement: some Statement) async throws(PostgresError) -> Int {
        let encoded = EncodedStatement(statement)
        var tries = 0
        while true {
            do {
                return try await connections.execute(encoded)
            } catch {
                guard error.isStalePlan, tries < configuration.maximumConnections else { throw error }
                tries += 1
            }
        }
    }

    // MARK: Transactions

    /// Runs `body` in one transaction: commits when it returns, rolls back when it throws.
    ///
    /// Statements of ``PostgresTransaction/send(_:)`` are kept and go out with the next statement whose rows are
    /// needed, or with the commit: a transaction whose statements are all known takes one round trip.
    ///
    /// The whole transaction is repeated after a serialization failure, a deadlock, or a connection lost before the
    /// commit was sent, up to the pool's `maximumAttempts`. `body` must therefore have no effect outside.
    /// - Throws: the errors of `body`, or ``PostgresError``. With ``PostgresError/Code/commitUnknown`` the transaction
    ///   may have been committed; with any other error nothing of it remains.
    @discardableResult
    public func withTransaction<R>(
        _ isolation: PostgresTransaction.Isolation = .readCommitted,
        _ body: (PostgresTransaction) async throws -> R
    ) async throws -> R {
        var attempt = 1
        while true {
            let transaction = PostgresTransaction(connections, isolation)
            do {
                let value = try await body(transaction)
                try await transaction.commit()
                for signal in transaction.signalNames { signals.raise(signal) }
                return value
            } catch {
                await transaction.abandon()
                guard let failure = transaction.cause(of: error), failure.allowsAnotherAttempt,
                    attempt < configuration.maximumAttempts, !Task.isCancelled
                else { throw error }
                PostgresMetrics.retried()
                // Full jitter, so that two transactions that conflicted do not conflict again.
                let pause = Duration.milliseconds(Int.random(in: 0...(5 << min(attempt, 6))))
                try await thread.sleep(until: .now + pause)
                attempt += 1
            }
        }
    }

    // MARK: Signals

    /// An in-process signal; see ``PostgresTransaction/raiseAfterCommit(_:)``. The same name gives the same signal.
    public func signal(_ name: String) -> Signal { signals.named(name) }
}

extension PostgresError {
    /// Whether a migration has changed a table of a prepared statement: PostgreSQL then refuses the kept plan once. It
    /// has no error code of its own for that.
    var isStalePlan: Bool {
        sqlState == .invalidStatementName
            || (sqlState == .featureNotSupported && message.hasPrefix("cached plan must not change"))
    }

    var allowsAnotherAttempt: Bool {
        code == .connectionLost || isStalePlan || (sqlState?.isConflict ?? false)
    }
}

extension ConnectionPool {
    func query<S: Statement>(_ statement: EncodedStatement, _: S.Type) async throws(PostgresError) -> [S.Row] {
        try await exchange(statement) { (_, result) throws(PostgresError) in try result.rows(S.self) } ?? []
    }

    func execute(_ statement: EncodedStatement) async throws(PostgresError) -> Int {
        try await exchange(statement) { _, result in result.affectedRows } ?? 0
    }
}
