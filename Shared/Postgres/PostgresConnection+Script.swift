import CLibPQ

/// The simple query protocol: several statements in one text, no parameters, no pipeline mode.
extension PostgresConnection {
    /// Runs a script of any number of statements without parameters. For migrations.
    func runScript(_ sql: String, timeout: Duration) async throws(PostgresError) {
        guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
        var wait = AnswerWait(deadline: .now + timeout)
        try leavePipeline(handle)
        var failure: PostgresError?
        do throws(PostgresError) {
            try await send(simple: sql, handle, &wait)
            try await readSimple(handle, &wait) { _ in }
        } catch {
            failure = error
        }
        _ = await settle(wait)
        if self.handle != nil { try enterPipeline(handle) }
        if let failure { throw failure }
    }

    func send(simple sql: String, _ handle: OpaquePointer, _ wait: inout AnswerWait) async throws(PostgresError) {
        guard PQsendQuery(handle, sql) == 1 else { throw lost(handle) }
        try await flush(handle, &wait)
    }

    func readSimple(
        _ handle: OpaquePointer, _ wait: inout AnswerWait, _ receive: (OpaquePointer) -> Void
    ) async throws(PostgresError) {
        var failure: PostgresError?
        while let result = try await nextResult(handle, &wait) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: receive(result)
            case PGRES_COPY_IN: return receive(result)
            default: failure = failure ?? PostgresError(result, statement: nil)
            }
        }
        if PQstatus(handle) == CONNECTION_BAD { throw failure ?? lost(handle) }
        if let failure { throw failure }
    }

    func leavePipeline(_ handle: OpaquePointer) throws(PostgresError) {
        guard PQexitPipelineMode(handle) == 1 else { throw lost(handle) }
    }

    func enterPipeline(_ handle: OpaquePointer) throws(PostgresError) {
        guard PQenterPipelineMode(handle) == 1 else { throw lost(handle) }
    }
}

extension PostgresPool {
    /// Runs a script of statements that PostgreSQL refuses inside a transaction, such as `CREATE DATABASE` or `VACUUM`.
    /// For administration: the text is not a literal, so never build it from input.
    package func runOutsideTransaction(_ sql: String) async throws(PostgresError) {
        let connection = try await PostgresConnection.connect(connectionConfiguration, on: thread)
        do {
            try await connection.runScript(sql, timeout: connectionConfiguration.answerTimeout)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}
