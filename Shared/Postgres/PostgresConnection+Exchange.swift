import CLibPQ
import PollThread

/// The result of one statement: its rows, still in libpq's memory, and the number of affected rows.
struct StatementResult: ~Copyable {
    let handle: OpaquePointer

    var affectedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    var commandTag: String { String(cString: PQcmdStatus(handle)) }

    /// The rows of a statement whose type is known only at run time.
    func anyRows(_ type: any Statement.Type) throws(PostgresError) -> any Sendable {
        func open<S: Statement>(_ type: S.Type) throws(PostgresError) -> any Sendable { try rows(type) }
        return try open(type)
    }

    func rows<S: Statement>(_: S.Type) throws(PostgresError) -> [S.Row] {
        let count = PQntuples(handle)
        let columns = PQnfields(handle)
        var rows: [S.Row] = []
        rows.reserveCapacity(Int(count))
        for row in 0..<count {
            var reader = RowReader(result: handle, row: row, columnCount: columns)
            do {
                rows.append(try S.decode(&reader))
            } catch {
                var error = error
                error.statement = String(describing: S.self)
                throw error
            }
        }
        return rows
    }
}

/// Turns the result of the statement at an index into a value; nil when it is not needed.
typealias ResultDecoder<Value> = @Sendable (Int, borrowing StatementResult) throws(PostgresError) -> Value?

extension PostgresConnection {
    /// Sends the statements in one pipeline and reads every result: one round trip.
    ///
    /// The first error ends the exchange; the server skips the statements after it. Outside a transaction block the
    /// statements of one exchange are one transaction. Cancelling the task cancels the statement on the server, and the
    /// session is idle again when this returns, so a late cancel cannot hit the next statement.
    /// - Parameter decode: called on this thread with the index and the result of each statement that succeeded.
    /// - Returns: the results of `decode`, in order, without nils.
    func exchange<Value: Sendable>(
        _ statements: [EncodedStatement], _ decode: ResultDecoder<Value>
    ) async throws(PostgresError) -> [Value] {
        var values: [Value] = []
        guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
        var wait = AnswerWait(deadline: .now + configuration.answerTimeout)
        exchangeCount += 1
        PostgresMetrics.exchange(statements: statements.count)

        var newlyPrepared: [ObjectIdentifier: String] = [:]
        var steps: [Step] = []
        steps.reserveCapacity(statements.count)
        for (index, statement) in statements.enumerated() {
            if try enqueue(statement, handle, newlyPrepared: &newlyPrepared) { steps.append(.prepare(index)) }
            steps.append(.run(index))
        }
        guard PQpipelineSync(handle) == 1 else { throw lost(handle) }

        var failure: PostgresError?
        do {
            try await flush(handle, &wait)
            for step in steps {
                try await readStep(step, statements, handle, &wait, newlyPrepared, &failure, decode, &values)
            }
            try await readSync(handle, &wait)
        } catch {
            _ = await settle(wait)
            throw error
        }
        guard await settle(wait) else { throw PostgresError(.connectionLost, "the server did not end a cancellation") }
        guard let failure else { return values }
        throw wait.cancellation != nil && failure.sqlState == .queryCanceled
            ? PostgresError(.cancelled, "the task was cancelled", statement: failure.statement) : failure
    }

    private enum Step {
        case prepare(Int)
        case run(Int)
    }

    /// Reads one statement's results up to the NULL that ends them.
    private func readStep<Value: Sendable>(
        _ step: Step, _ statements: [EncodedStatement], _ handle: OpaquePointer, _ wait: inout AnswerWait,
        _ newlyPrepared: [ObjectIdentifier: String], _ failure: inout PostgresError?,
        _ decode: ResultDecoder<Value>, _ values: inout [Value]
    ) async throws(PostgresError) {
        while let result = try await nextResult(handle, &wait) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                switch step {
                case .prepare(let index):
                    let key = statements[index].key
                    if let name = newlyPrepared[key] { remember(key, name) }
                case .run(let index):
                    guard failure == nil else { continue }
                    do {
                        if let value = try decode(index, StatementResult(handle: result)) { values.append(value) }
                    } catch {
                        failure = error
                    }
                }
            case PGRES_PIPELINE_ABORTED:
                continue
            default:
                let index =
                    switch step {
                    case .prepare(let index), .run(let index): index
                    }
                let error = PostgresError(result, statement: statements[index].typeName())
                // The server no longer has the prepared statement, or its plan is no longer valid.
                if error.sqlState == .invalidStatementName || error.sqlState == .featureNotSupported {
                    prepared.removeAll()
                }
                if failure == nil { failure = error }
            }
        }
        if PQstatus(handle) == CONNECTION_BAD { throw connectionEnd(handle, failure) }
    }

    private func readSync(_ handle: OpaquePointer, _ wait: inout AnswerWait) async throws(PostgresError) {
        while true {
            guard let result = try await nextResult(handle, &wait) else {
                if PQstatus(handle) == CONNECTION_BAD { throw lost(handle) }
                continue
            }
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
        }
    }

    /// The server's last message (57P01 and others) says more than libpq's message about the closed socket.
    private func connectionEnd(_ handle: OpaquePointer, _ failure: PostgresError?) -> PostgresError {
        let error = lost(handle)
        guard let failure else { return error }
        return PostgresError(.connectionLost, failure.message, sqlState: failure.sqlState, statement: failure.statement)
    }

    // MARK: Waiting

    /// The deadline of an answer, and the cancel request, if one was sent.
    struct AnswerWait {
        var deadline: ContinuousClock.Instant
        var cancellation: CancelRequest?

        /// The deadline, or the time to send another cancel request.
        var next: ContinuousClock.Instant {
            cancellation == nil ? deadline : min(deadline, .now + .milliseconds(500))
        }
    }

    /// Waits for the end of a cancel request, which must not hit the session's next statement. If the request does not
    /// end in time, the session is closed.
    /// - Returns: whether no request is pending.
    func settle(_ wait: AnswerWait) async -> Bool {
        guard let cancellation = wait.cancellation, handle != nil else { return true }
        if await cancellation.ends(by: wait.deadline, on: thread) { return true }
        close()
        return false
    }

    /// Sends what libpq has buffered. Reads at the same time: a server whose answers are not read stops reading too.
    func flush(_ handle: OpaquePointer, _ wait: inout AnswerWait) async throws(PostgresError) {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                let ready = try await waitReady(handle, [.read, .write], &wait)
                if ready.contains(.read), PQconsumeInput(handle) == 0 { throw lost(handle) }
            default: throw lost(handle)
            }
        }
    }

    func nextResult(_ handle: OpaquePointer, _ wait: inout AnswerWait) async throws(PostgresError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            _ = try await waitReady(handle, .read, &wait)
            // After a failure, results that arrived before it are still there; PQgetResult returns them first.
            if PQconsumeInput(handle) == 0 { break }
        }
        return PQgetResult(handle)
    }

    /// The connection may have been closed during a wait.
    private var openHandle: OpaquePointer {
        get throws(PostgresError) {
            guard let handle else { throw PostgresError(.connectionLost, "the connection was closed") }
            return handle
        }
    }

    private func waitReady(
        _ handle: OpaquePointer, _ interest: PollThread.Interest, _ wait: inout AnswerWait
    ) async throws(PostgresError) -> PollThread.Interest {
        while true {
            do throws(PollThread.WaitError) {
                let ready = try await thread.readiness(
                    of: PQsocket(handle), for: interest, until: wait.next, isCancellable: wait.cancellation == nil)
                if self.handle != nil { return ready }
                throw .descriptorClosed
            } catch {
                switch error {
                case .cancelled:
                    wait.cancellation = CancelRequest(of: try openHandle)
                case .deadlineExceeded where wait.deadline > .now:
                    // The server ignores a cancel request that arrives before its statement has begun, so it is sent
                    // again.
                    let handle = try openHandle
                    if wait.cancellation?.hasEnded == true { wait.cancellation = CancelRequest(of: handle) }
                case .deadlineExceeded:
                    close()
                    throw PostgresError(.connectionLost, "the server did not answer in time")
                case .descriptorClosed:
                    throw PostgresError(.connectionLost, "the connection was closed")
                }
            }
        }
    }
}

extension PostgresError {
    /// The server's error result as an error.
    init(_ result: OpaquePointer, statement: String?) {
        func field(_ code: some BinaryInteger) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        let state = field(SERAI_DIAG_SQLSTATE).map { SQLState(rawValue: $0) }
        self.init(
            state == nil ? .connectionLost : .server,
            field(SERAI_DIAG_MESSAGE) ?? String(cString: PQresultErrorMessage(result)),
            sqlState: state, detail: field(SERAI_DIAG_DETAIL),
            constraint: field(SERAI_DIAG_CONSTRAINT), table: field(SERAI_DIAG_TABLE),
            column: field(SERAI_DIAG_COLUMN), statement: statement)
    }
}

/// For connections outside the pool, such as a session that holds a lock. Pooled connections are not handed out.
extension PostgresConnection {
    /// Runs the statement in a transaction of its own and returns its rows.
    public func query<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        let results = try await exchange([EncodedStatement(statement)]) { (_, result) throws(PostgresError) in
            try result.rows(S.self)
        }
        return results.first ?? []
    }

    /// Runs the statement in a transaction of its own and returns the number of affected rows.
    @discardableResult
    public func execute(_ statement: some Statement) async throws(PostgresError) -> Int {
        try await exchange([EncodedStatement(statement)]) { _, result in result.affectedRows }.first ?? 0
    }

    /// Runs the statements in one transaction and one round trip, and returns the rows of each.
    public nonisolated func queryAll<each S: Statement>(
        _ statement: repeat each S
    ) async throws(PostgresError) -> (repeat [(each S).Row]) {
        var statements: [EncodedStatement] = []
        var types: [any Statement.Type] = []
        repeat statements.append(EncodedStatement(each statement))
        repeat types.append((each S).self)
        var results = try await exchange(statements) { [types] (index, result) throws(PostgresError) in
            try result.anyRows(types[index])
        }.makeIterator()
        return (repeat takeRows(of: (each S).self, &results))
    }
}

/// The next result as decoded rows; `exchange` returns them in the order of the statements.
func takeRows<S: Statement>(of _: S.Type, _ results: inout IndexingIterator<[any Sendable]>) -> [S.Row] {
    results.next() as? [S.Row] ?? []
}
