/// The statements of one transaction. Made by ``PostgresPool/withTransaction(_:_:)`` and useless after it.
///
/// Not `Sendable`: one task uses it, one statement after the other.
public final class PostgresTransaction {
    public enum Isolation: Sendable {
        case readCommitted, repeatableRead, serializable
        /// A snapshot that does not change, without the right to write.
        case readOnly
    }

    private let pool: ConnectionPool
    private var lease: ConnectionPool.Lease?
    /// Sent with the next exchange. Starts with `BEGIN`.
    private var queued: [EncodedStatement]
    /// What their rows have to be like, by their place in ``queued``.
    private var conditions: [Int: ResultCondition] = [:]
    private(set) var failure: PostgresError?
    private var isFinished = false
    private(set) var signalNames: Set<String> = []
    /// In the order in which they were made.
    private var participants: [any CommitParticipant] = []

    init(_ pool: ConnectionPool, _ isolation: Isolation) {
        self.pool = pool
        self.queued = [isolation.begin]
    }

    // MARK: Statements

    /// Queues a statement whose rows do not matter. It goes out with the next exchange, in order; an error of it
    /// appears there. Costs no round trip.
    public func send(_ statement: some Statement) {
        queued.append(EncodedStatement(statement))
    }

    /// From here on each statement of this transaction is planned for what it is asked: for those that touch as many rows as
    /// they are told to, of which a plan made once believes that it is a tenth of all.
    public func planAnew() { send(PlanAnew()) }

    /// As ``send(_:)``, for a statement whose rows say whether the transaction may go on. They are looked at when they
    /// come. If they do not hold, the call that they came with throws ``PostgresError/Code/declined``, and nothing of
    /// the transaction stands. What was queued or asked after it has been executed by then, and is rolled back.
    ///
    /// It never goes out together with `COMMIT`: where nothing is asked after it, it costs a round trip.
    public func require<S: Statement>(_ statement: S, _ holds: @escaping @Sendable ([S.Row]) -> Bool) {
        let condition: ResultCondition = { (result) throws(PostgresError) in
            guard holds(try result.rows(S.self)) else {
                throw PostgresError(.declined, "a condition does not hold", statement: String(describing: S.self))
            }
        }
        conditions[queued.count] = condition
        send(statement)
    }

    /// Runs what is queued and this statement in one round trip, and returns its rows.
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

    /// As ``query(_:)``, and returns how many rows were touched.
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

    /// Streams rows into a table with `COPY`; returns how many. What is queued runs first.
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

    /// The one participant of a type in this transaction, made when first asked for.
    public func participant<P: CommitParticipant>(_ type: P.Type, _ make: () -> P) -> P {
        for participant in participants { if let known = participant as? P { return known } }
        let made = make()
        participants.append(made)
        return made
    }

    /// The one object of a type that this process keeps beside the pool, made when first asked for. For hints about the
    /// database, which may be wrong after any new connection: it may be another server, or one that was set back.
    public func hints<Hints: AnyObject & Sendable>(_ type: Hints.Type, _ make: () -> Hints) -> Hints {
        pool.memory.object(type, make)
    }

    func commit() async throws {
        if let failure {
            throw failure.code == .server
                ? PostgresError(.transactionFailed, "an error was ignored: \(failure.description)") : failure
        }
        try await prepareParticipants()
        // Nothing was asked of the database, so there is nothing to commit.
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

    /// One may make another, which then has its turn too.
    private func prepareParticipants() async throws {
        var index = 0
        while index < participants.count {
            if !participants[index].goesLast { try await participants[index].willCommit(self) }
            index += 1
        }
        for participant in participants where participant.goesLast { try await participant.willCommit(self) }
    }

    /// Rolls back and gives the connection back. Does nothing after a commit.
    func abandon() async {
        isFinished = true
        queued.removeAll()
        guard let lease else { return }
        self.lease = nil
        await pool.settle(lease)
    }

    /// Whether a body's error comes from this transaction's own failure. An error of the body's own is none.
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

/// Something that adds statements of its own right before the commit, after all of the transaction's others.
public protocol CommitParticipant: AnyObject {
    /// Whether its turn comes after all others', so that these may still give it something. False by default.
    var goesLast: Bool { get }
    /// Adds statements with ``PostgresTransaction/send(_:)``, or asks something first. What it throws undoes the
    /// transaction.
    func willCommit(_ transaction: PostgresTransaction) async throws
    /// The transaction is committed: for wake-ups in this process. At most once; not when the commit's outcome is unknown.
    func didCommit()
}

extension CommitParticipant {
    public var goesLast: Bool { false }
    public func didCommit() {}
}

/// Throws when a statement's rows are not what they have to be.
typealias ResultCondition = @Sendable (borrowing StatementResult) throws(PostgresError) -> Void

/// For statements whose results nobody needs.
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
