/// The statements of one transaction. Created by ``PostgresPool/withTransaction(_:_:)`` and not usable after it.
///
/// Not `Sendable`: one task uses it, one statement after the other.
public final class PostgresTransaction {
    public enum Isolation: Sendable {
        case readCommitted, repeatableRead, serializable
        /// A read-only snapshot that does not change.
        case readOnly
    }

    private let pool: ConnectionPool
    private var lease: ConnectionPool.Lease?
    /// Sent with the next exchange. Starts with `BEGIN`.
    private var queued: [EncodedStatement]
    /// Conditions on rows, by the statement's index in ``queued``.
    private var conditions: [Int: ResultCondition] = [:]
    private(set) var failure: PostgresError?
    private var isFinished = false
    private(set) var signalNames: Set<String> = []
    /// In the order in which they were created.
    private var participants: [any CommitParticipant] = []

    init(_ pool: ConnectionPool, _ isolation: Isolation) {
        self.pool = pool
        self.queued = [isolation.begin]
    }

    // MARK: Statements

    /// Queues a statement whose rows are not needed. It goes out with the next exchange, in order; an error of it is
    /// thrown there. Costs no round trip.
    public func send(_ statement: some Statement) {
        queued.append(EncodedStatement(statement))
    }

    /// Makes the server plan each further statement of this transaction for its parameters: for statements with a limit
    /// of rows as a parameter, which a generic plan estimates as a tenth of all rows.
    public func planAnew() { send(PlanAnew()) }

    /// As ``send(_:)``, for a statement whose rows decide whether the transaction may go on. They are checked when they
    /// arrive. If the condition does not hold, the call with which they came throws ``PostgresError/Code/declined``,
    /// and the transaction has no effect. Statements after it have been executed by then, and are rolled back.
    ///
    /// It never goes out together with `COMMIT`: without a later exchange it costs a round trip.
    public func require<S: Statement>(_ statement: S, _ holds: @escaping @Sendable ([S.Row]) -> Bool) {
        let condition: ResultCondition = { (result) throws(PostgresError) in
            guard holds(try result.rows(S.self)) else {
                throw PostgresError(.declined, "a condition does not hold", statement: String(describing: S.self))
            }
        }
        conditions[queued.count] = condition
        send(statement)
    }

    /// Runs the queued statements and this one in one round trip, and returns its rows.
    public func query<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        send(statement)
        let last = queued.count - 1
        let results = try await flush { (index, result) throws(PostgresError) in
            index == last ? try result.rows(S.self) : nil
        }
        return results.first ?? []
    }

    /// As ``query(_:)``, and returns the first row.
    public func first<S: Statement>(_ statement: S) async throws(PostgresError) -> S.Row? {
        try await query(statement).first
    }

    /// As ``query(_:)``, and returns the number of affected rows.
    @discardableResult
    public func execute(_ statement: some Statement) async throws(PostgresError) -> Int {
        send(statement)
        let last = queued.count - 1
        return try await flush { index, result in index == last ? result.affectedRows : nil }.first ?? 0
    }

    /// Runs several statements in one round trip and returns the rows of each.
    public func queryAll<each S: Statement>(
        _ statement: repeat each S
    ) async throws(PostgresError) -> (repeat [(each S).Row]) {
        let first = queued.count
        repeat send(each statement)
        var types: [any Statement.Type] = []
        repeat types.append((each S).self)
        var results = try await flush { [types] (index, result) throws(PostgresError) in
            index >= first ? try result.anyRows(types[index - first]) : nil
        }.makeIterator()
        return (repeat takeRows(of: (each S).self, &results))
    }

    /// Streams rows into a table with `COPY`; returns their number. Queued statements run first.
    public func copy<C: CopyStatement>(_: C.Type, _ rows: some Sequence<C.Row>) async throws(PostgresError) -> Int {
        _ = try await flush(ignoreResult)
        guard let lease else { throw PostgresError(.transactionFailed, "no connection") }
        do {
            return try await lease.connection.copy(C.sql, C.encode(rows))
        } catch {
            failure = error
            throw error
        }
    }

    // MARK: Commit

    /// Raises the signal in this process after the commit; see ``PostgresPool/signal(_:)``.
    public func raiseAfterCommit(_ name: String) { signalNames.insert(name) }

    /// The transaction's only participant of a type, created at the first call.
    public func participant<P: CommitParticipant>(_ type: P.Type, _ make: () -> P) -> P {
        for participant in participants { if let known = participant as? P { return known } }
        let made = make()
        participants.append(made)
        return made
    }

    /// The process's only object of a type beside the pool, created at the first call. For hints about the database,
    /// which may be wrong after any new connection: it may be another server, or one restored from a backup.
    public func hints<Hints: AnyObject & Sendable>(_ type: Hints.Type, _ make: () -> Hints) -> Hints {
        pool.memory.object(type, make)
    }

    func commit() async throws {
        if let failure {
            throw failure.code == .server
                ? PostgresError(.transactionFailed, "an error was ignored: \(failure.description)") : failure
        }
        try await prepareParticipants()
        // Nothing was sent to the database, so there is nothing to commit.
        if lease == nil && queued.count == 1 { return isFinished = true }
        if Task.isCancelled { throw PostgresError(.cancelled, "cancelled before the commit") }
        if !conditions.isEmpty { _ = try await flush(ignoreResult) }

        queued.append(EncodedStatement(Commit()))
        let statements = queued
        queued = []
        do {
            lease = try await pool.commit(lease, statements)
        } catch {
            failure = error
            throw error.code == .connectionLost ? error.withUnknownCommit : error
        }
        guard lease == nil else { throw PostgresError(.transactionFailed, "the server rolled back") }
        isFinished = true
        for participant in participants { participant.didCommit() }
    }

    /// A participant may create another one, which is then called too.
    private func prepareParticipants() async throws {
        var index = 0
        while index < participants.count {
            if !participants[index].goesLast { try await participants[index].willCommit(self) }
            index += 1
        }
        for participant in participants where participant.goesLast { try await participant.willCommit(self) }
    }

    /// Rolls back and returns the connection. Does nothing after a commit.
    func abandon() async {
        isFinished = true
        queued.removeAll()
        guard let lease else { return }
        self.lease = nil
        await pool.settle(lease)
    }

    /// The transaction's error behind an error of the body; nil for the body's own errors.
    func cause(of error: any Error) -> PostgresError? { (error as? PostgresError) ?? failure }

    private func flush<Value: Sendable>(
        _ decode: ResultDecoder<Value>
    ) async throws(PostgresError) -> [Value] {
        if isFinished { throw PostgresError(.transactionFailed, "the transaction is over") }
        if let failure {
            throw PostgresError(.transactionFailed, "after an error: \(failure.description)")
        }
        let statements = queued
        let conditions = self.conditions
        queued.removeAll(keepingCapacity: true)
        self.conditions = [:]
        do {
            let (lease, values) = try await pool.exchange(lease, statements) {
                (index, result) throws(PostgresError) -> Value? in
                guard let condition = conditions[index] else { return try decode(index, result) }
                try condition(result)
                return nil
            }
            self.lease = lease
            return values
        } catch {
            failure = error
            throw error
        }
    }
}

/// An object that adds statements right before the commit, after all other statements of the transaction.
public protocol CommitParticipant: AnyObject {
    /// Whether it is called after all others, which may still give it work. False by default.
    var goesLast: Bool { get }
    /// Adds statements with ``PostgresTransaction/send(_:)``, or queries first. An error rolls the transaction back.
    func willCommit(_ transaction: PostgresTransaction) async throws
    /// Called after the commit, for wake-ups in this process. At most once; not when the commit's outcome is unknown.
    func didCommit()
}

extension CommitParticipant {
    public var goesLast: Bool { false }
    public func didCommit() {}
}

/// Throws when a statement's rows do not satisfy its condition.
typealias ResultCondition = @Sendable (borrowing StatementResult) throws(PostgresError) -> Void

/// For statements whose results are not needed.
@Sendable func ignoreResult(_: Int, _: borrowing StatementResult) throws(PostgresError) -> Never? { nil }

struct Begin: Statement { static let sql: SQL = "BEGIN ISOLATION LEVEL READ COMMITTED" }
struct BeginRepeatableRead: Statement { static let sql: SQL = "BEGIN ISOLATION LEVEL REPEATABLE READ" }
struct BeginSerializable: Statement { static let sql: SQL = "BEGIN ISOLATION LEVEL SERIALIZABLE" }
struct BeginReadOnly: Statement { static let sql: SQL = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" }
struct PlanAnew: Statement { static let sql: SQL = "SET LOCAL plan_cache_mode = force_custom_plan" }
struct Commit: Statement { static let sql: SQL = "COMMIT" }
struct Rollback: Statement { static let sql: SQL = "ROLLBACK" }

extension PostgresTransaction.Isolation {
    var begin: EncodedStatement {
        switch self {
        case .readCommitted: EncodedStatement(Begin())
        case .repeatableRead: EncodedStatement(BeginRepeatableRead())
        case .serializable: EncodedStatement(BeginSerializable())
        case .readOnly: EncodedStatement(BeginReadOnly())
        }
    }
}
