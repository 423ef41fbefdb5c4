import Crypto
import Foundation
public import Logging
import PollThread

/// One forward step of a schema: numbered, plain SQL, never changed once released.
public struct Migration: Sendable, Equatable {
    /// The owner of the tables: a service, or a shared layer such as messaging. Each has its own numbers.
    public let component: String
    /// 1, 2, 3, … without gaps.
    public let version: Int
    public let name: String
    /// Any number of statements. They run in one transaction, unless ``runsOutsideTransaction``.
    public let sql: String

    public init(component: String, version: Int, name: String, sql: String) {
        self.component = component
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// SHA-256 of the text.
    var checksum: [UInt8] { Array(SHA256.hash(data: Data(sql.utf8))) }

    public var label: String { "\(component)/\(version)_\(name)" }
}

public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The versions of a component are not 1, 2, 3, …
    case notConsecutive(component: String)
    /// Migrations that were applied with another text.
    case changed([String])
    case failed(migration: String, PostgresError)
    /// A migration outside a transaction has a statement that is not allowed there or not repeatable.
    case notForOutside(migration: String, statement: String)
    case database(PostgresError)

    public var description: String {
        switch self {
        case .notConsecutive(let component): "the migrations of \(component) are not numbered 1, 2, 3, …"
        case .changed(let labels): "already applied with another text: \(labels.joined(separator: ", "))"
        case .failed(let label, let error): "migration \(label) failed: \(error)"
        case .notForOutside(let label, let statement):
            "migration \(label) may not do this outside a transaction, or could not be repeated: \(statement)"
        case .database(let error): "\(error)"
        }
    }
}

/// Brings one schema to the state that a program needs, while programs of the previous version use it.
///
/// Forward only. A migration runs in a transaction together with its mark in `schema_migrations`, or step by step
/// outside one (``Migration/runsOutsideTransaction``). A session advisory lock for each schema lets any number of
/// processes start at once; one migrates, the others wait.
///
/// A change of a table waits for its readers, and later readers wait for the change. So a migration waits for a lock
/// only for ``lockTimeout``, lets the others pass, and tries again.
public struct Migrator: Sendable {
    private let pool: PostgresPool
    private let logger: Logger
    private let migrations: [Migration]
    /// How long others may have to wait behind a migration.
    private let lockTimeout: Duration
    /// How long a migration without its locks is tried again.
    private let patience: Duration
    /// Long, because building an index may take long.
    private static let timeout: Duration = .seconds(3600)
    private static let pauses: (first: Duration, longest: Duration) = (.milliseconds(250), .seconds(8))

    public init(
        _ pool: PostgresPool, _ migrations: [Migration], lockTimeout: Duration = .seconds(2),
        patience: Duration = .seconds(900), logger: Logger
    ) {
        self.pool = pool
        self.migrations = migrations
        self.lockTimeout = lockTimeout
        self.patience = patience
        self.logger = logger
    }

    /// Applies missing migrations and returns their number. A database ahead of this program is left alone, so that the
    /// old version can run beside the new one during a deployment.
    @discardableResult
    public func migrate() async throws(MigrationError) -> Int {
        try checkNumbers()
        for migration in migrations where migration.runsOutsideTransaction { _ = try migration.outsideStatements() }
        var configuration = pool.connectionConfiguration
        configuration.statementTimeout = Self.timeout
        configuration.lockTimeout = lockTimeout
        let connection: PostgresConnection
        do {
            connection = try await PostgresConnection.connect(configuration, on: pool.thread)
        } catch {
            throw .database(error)
        }
        do throws(MigrationError) {
            let count = try await migrate(connection)
            await connection.close()
            return count
        } catch {
            // Closing rolls back and releases the advisory lock.
            await connection.close()
            throw error
        }
    }

    /// The migrations that `migrate` would apply, for readiness checks.
    public func pending() async throws(MigrationError) -> [Migration] {
        let applied: [AppliedMigration]
        do throws(PostgresError) {
            guard try await pool.first(FindMigrationTable()) ?? false else { return migrations }
            applied = try await pool.query(AppliedMigrations())
        } catch {
            throw .database(error)
        }
        return try missing(applied)
    }

    private func migrate(_ connection: PostgresConnection) async throws(MigrationError) -> Int {
        let applied: [AppliedMigration]
        do throws(PostgresError) {
            try await takeTurn(connection)
            try await connection.runScript(
                Self.prepare(schema: pool.connectionConfiguration.schema), timeout: Self.timeout)
            applied = try await connection.query(AppliedMigrations())
        } catch {
            throw .database(error)
        }
        let pending = try missing(applied)
        for migration in pending { try await apply(migration, connection) }
        return pending.count
    }

    /// Tries the lock again and again. A statement that waited for the lock would hold up an index that the lock's
    /// holder builds concurrently: a deadlock.
    private func takeTurn(_ connection: PostgresConnection) async throws(PostgresError) {
        let end = ContinuousClock.now + Self.timeout
        let turn = TryMigrationLock(schema: pool.connectionConfiguration.schema ?? "")
        while try await connection.query(turn).first != true {
            guard ContinuousClock.now < end else { throw PostgresError(.poolTimeout, "another process migrates") }
            try await pause(.milliseconds(200))
        }
    }

    /// Tries until it has its locks.
    private func apply(_ migration: Migration, _ connection: PostgresConnection) async throws(MigrationError) {
        logger.info("migrating", metadata: ["migration": "\(migration.label)"])
        let outside = migration.runsOutsideTransaction ? try migration.outsideStatements() : []
        let end = ContinuousClock.now + patience
        var wait = Self.pauses.first
        while true {
            do throws(PostgresError) {
                if migration.runsOutsideTransaction {
                    for statement in outside {
                        try await runOutside(statement, connection)
                    }
                    _ = try await connection.execute(MarkMigration(migration: migration))
                } else {
                    try await connection.runScript("BEGIN;\n\(migration.sql)\n;", timeout: Self.timeout)
                    let mark = [EncodedStatement(MarkMigration(migration: migration)), EncodedStatement(Commit())]
                    _ = try await connection.exchange(mark, ignoreResult)
                }
                return
            } catch {
                guard error.sqlState == .lockNotAvailable || error.sqlState == .deadlockDetected,
                    ContinuousClock.now < end
                else { throw .failed(migration: migration.label, error) }
                logger.warning(
                    "a migration lets others pass and tries again", metadata: ["migration": "\(migration.label)"])
                do throws(PostgresError) {
                    try await connection.runScript("ROLLBACK;\nRESET lock_timeout", timeout: Self.timeout)
                    try await pause(wait)
                } catch {
                    throw .failed(migration: migration.label, error)
                }
                wait = min(wait * 2, Self.pauses.longest)
            }
        }
    }

    /// Waits for transactions that are older than itself, however long they take; no other transaction waits behind it.
    private func runOutside(_ statement: String, _ connection: PostgresConnection) async throws(PostgresError) {
        try await connection.runScript("SET lock_timeout = 0", timeout: Self.timeout)
        try await connection.runScript(statement, timeout: Self.timeout)
        try await connection.runScript("RESET lock_timeout", timeout: Self.timeout)
    }

    private func pause(_ duration: Duration) async throws(PostgresError) {
        do { try await pool.thread.sleep(until: .now + duration) } catch {
            throw PostgresError(.cancelled, "cancelled while migrating")
        }
    }

    private func checkNumbers() throws(MigrationError) {
        for (component, steps) in Dictionary(grouping: migrations, by: \.component)
        where steps.map(\.version) != Array(1...steps.count) {
            throw .notConsecutive(component: component)
        }
    }

    private func missing(_ applied: [AppliedMigration]) throws(MigrationError) -> [Migration] {
        let known = Dictionary(applied.map { ("\($0.component)/\($0.version)", $0.checksum) }) { first, _ in first }
        let changed = migrations.filter { migration in
            known["\(migration.component)/\(migration.version)"].map { $0 != migration.checksum } ?? false
        }
        guard changed.isEmpty else { throw .changed(changed.map(\.label)) }
        return migrations.filter { known["\($0.component)/\($0.version)"] == nil }
    }

    private static func prepare(schema: String?) -> String {
        let key = (schema ?? "").replacing("'", with: "''")
        // Checked first, because CREATE SCHEMA IF NOT EXISTS needs the right to create even when the schema exists.
        let create = schema.map { schema in
            """
            DO $body$ BEGIN
                IF to_regnamespace(quote_ident('\(key)')) IS NULL THEN
                    CREATE SCHEMA \(PostgresConfiguration.quoteIdentifier(schema));
                END IF;
            END $body$;
            """
        }
        return """
            \(create ?? "")
            CREATE TABLE IF NOT EXISTS schema_migrations (
                component text NOT NULL,
                version int NOT NULL,
                name text NOT NULL,
                checksum bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (component, version)
            );
            DO $body$ BEGIN
                IF obj_description('schema_migrations'::regclass) IS NULL THEN
                    COMMENT ON TABLE schema_migrations IS
                        'The migrations that were applied, with the checksums of their texts.';
                END IF;
            END $body$;
            """
    }
}

struct AppliedMigration: Sendable {
    let component: String
    let version: Int
    let checksum: [UInt8]
}

struct AppliedMigrations: Statement {
    static let sql: SQL = "SELECT component, version, checksum FROM schema_migrations"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AppliedMigration {
        AppliedMigration(component: try row.next(), version: try row.next(), checksum: try row.next())
    }
}

/// The session holds the lock until it closes. The key is the schema's name, so services do not wait for each other.
struct TryMigrationLock: Statement {
    static let sql: SQL = "SELECT pg_try_advisory_lock(hashtext('serai.migrations'), hashtext($1))"
    let schema: String
    func bind(_ bindings: inout Bindings) { bindings.append(schema) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct FindMigrationTable: Statement {
    static let sql: SQL = "SELECT to_regclass('schema_migrations') IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct MarkMigration: Statement {
    static let sql: SQL =
        "INSERT INTO schema_migrations (component, version, name, checksum) VALUES ($1, $2, $3, $4)"
    let migration: Migration
    func bind(_ bindings: inout Bindings) {
        bindings.append(migration.component, Int32(migration.version), migration.name, migration.checksum)
    }
}
