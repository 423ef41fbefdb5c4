import Crypto
import Foundation
public import Logging

/// One forward step of a schema: numbered, plain SQL, never changed once released.
public struct Migration: Sendable, Equatable {
    /// Whose tables: a service's own, or a shared layer's such as messaging. Each has numbers of its own.
    public let component: String
    /// 1, 2, 3, … without gaps.
    public let version: Int
    public let name: String
    /// Any number of statements; they run in one transaction.
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
    /// Versions of a component are not 1, 2, 3, …
    case notConsecutive(component: String)
    /// Migrations that ran once and have another text now.
    case changed([String])
    case failed(migration: String, PostgresError)
    case database(PostgresError)

    public var description: String {
        switch self {
        case .notConsecutive(let component): "the migrations of \(component) are not numbered 1, 2, 3, …"
        case .changed(let labels): "already applied with another text: \(labels.joined(separator: ", "))"
        case .failed(let label, let error): "migration \(label) failed and left nothing: \(error)"
        case .database(let error): "\(error)"
        }
    }
}

/// Brings one schema to the state that a program needs.
///
/// Forward only. Each migration runs in a transaction of its own together with its mark in `schema_migrations`. A
/// session advisory lock per schema lets any number of processes start at once; one migrates, the others wait.
public struct Migrator: Sendable {
    private let pool: PostgresPool
    private let logger: Logger
    private let migrations: [Migration]
    /// A long index build is no reason to fail.
    private static let timeout: Duration = .seconds(3600)

    public init(_ pool: PostgresPool, _ migrations: [Migration], logger: Logger) {
        self.pool = pool
        self.migrations = migrations
        self.logger = logger
    }

    /// Applies what is missing and returns how many that were. A database ahead of this program is left alone, so
    /// that the old version can run beside the new one during a deployment.
    @discardableResult
    public func migrate() async throws(MigrationError) -> Int {
        try checkNumbers()
        var configuration = pool.connectionConfiguration
        configuration.statementTimeout = Self.timeout
        configuration.lockTimeout = Self.timeout
        configuration.idleInTransactionTimeout = Self.timeout
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

    /// What `migrate` would apply, for readiness checks.
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
        let applied: [[AppliedMigration]]
        do throws(PostgresError) {
            try await connection.runScript(
                Self.prepare(schema: pool.connectionConfiguration.schema), timeout: Self.timeout)
            applied = try await connection.exchange([EncodedStatement(AppliedMigrations())]) {
                (_, result) throws(PostgresError) in try result.rows(AppliedMigrations.self)
            }
        } catch {
            throw .database(error)
        }
        let pending = try missing(applied.first ?? [])
        for migration in pending { try await apply(migration, connection) }
        return pending.count
    }

    private func apply(_ migration: Migration, _ connection: PostgresConnection) async throws(MigrationError) {
        logger.info("migrating", metadata: ["migration": "\(migration.label)"])
        do throws(PostgresError) {
            try await connection.runScript("BEGIN;\n\(migration.sql)\n;", timeout: Self.timeout)
            let mark = [EncodedStatement(MarkMigration(migration: migration)), EncodedStatement(Commit())]
            _ = try await connection.exchange(mark, ignoreResult)
        } catch {
            throw .failed(migration: migration.label, error)
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

    /// The lock is held by the session until it closes. Its key is the schema's name, so services do not wait for
    /// each other.
    private static func prepare(schema: String?) -> String {
        let key = (schema ?? "").replacing("'", with: "''")
        // Asked first, since CREATE SCHEMA IF NOT EXISTS needs the right to create even when it has nothing to do.
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
            SELECT pg_advisory_lock(hashtext('serai.migrations'), hashtext('\(key)'));
            \(create ?? "")
            CREATE TABLE IF NOT EXISTS schema_migrations (
                component text NOT NULL,
                version int NOT NULL,
                name text NOT NULL,
                checksum bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (component, version)
            );
            """
    }
}

struct AppliedMigration: Sendable {
    let component: String
    let version: Int
    let checksum: [UInt8]
}

struct AppliedMigrations: Statement {
    static let sql: StaticString = "SELECT component, version, checksum FROM schema_migrations"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AppliedMigration {
        AppliedMigration(component: try row.next(), version: try row.next(), checksum: try row.next())
    }
}

struct FindMigrationTable: Statement {
    static let sql: StaticString = "SELECT to_regclass('schema_migrations') IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

struct MarkMigration: Statement {
    static let sql: StaticString =
        "INSERT INTO schema_migrations (component, version, name, checksum) VALUES ($1, $2, $3, $4)"
    let migration: Migration
    func bind(_ bindings: inout Bindings) {
        bindings.append(migration.component)
        bindings.append(Int32(migration.version))
        bindings.append(migration.name)
        bindings.append(migration.checksum)
    }
}
