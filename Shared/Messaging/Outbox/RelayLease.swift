import Postgres

// The active relay holds a lock of its session, and a lease by the database's clock.
//
// The lock ends with the session: at once when a process ends or is killed. The lease ends when the process stands
// still, stopped or blocked, with its session open. Then a standby relay ends that session, and with it the lock and
// all pending writes: when the stopped relay goes on, its statements fail. A relay of an earlier version has the lock
// without a lease, and is left alone.

/// Takes the lock and begins the lease, both or neither.
struct TakeRelay: Statement {
    static let sql: SQL = """
        WITH lock AS MATERIALIZED (
            SELECT pg_try_advisory_lock(hashtext('serai.relay'), hashtext(current_schema())) AS is_taken)
        INSERT INTO relay_lease (holder, since, until)
        SELECT pg_backend_pid(), session.backend_start, clock_timestamp() + make_interval(secs => $1)
        FROM lock, pg_stat_activity AS session
        WHERE lock.is_taken AND session.pid = pg_backend_pid()
        ON CONFLICT (single) DO UPDATE SET holder = excluded.holder, since = excluded.since, until = excluded.until
        RETURNING true
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Renews the lease of this session.
struct RenewRelay: Statement {
    static let sql: SQL = """
        UPDATE relay_lease SET until = clock_timestamp() + make_interval(secs => $1)
        WHERE holder = pg_backend_pid() RETURNING true
        """
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Ends the session whose lease is over, if it still exists. All sessions of a service have one role, so this is
/// permitted.
struct EndStoppedRelay: Statement {
    static let sql: SQL = """
        WITH stopped AS MATERIALIZED (
            SELECT session.pid FROM relay_lease AS lease
            JOIN pg_stat_activity AS session ON session.pid = lease.holder AND session.backend_start = lease.since
            WHERE lease.until < clock_timestamp())
        SELECT pid FROM stopped WHERE pg_terminate_backend(pid)
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

/// Another relay has the lease: this one stood still for longer than its own.
struct RelayLeaseLost: Error {}
