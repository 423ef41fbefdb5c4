import Contracts
import Foundation
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiAdmin
@testable import SeraiDispatch
@testable import SeraiIdentity
@testable import SeraiNotifications
@testable import SeraiWallet

/// What holds for the tables of all services.
@Suite("Schemas", .timeLimit(.minutes(15)))
struct SchemaTests {
    struct Schema: Sendable, CustomTestStringConvertible {
        let service: String
        let migrations: [Migration]
        var testDescription: String { service }
    }

    static let schemas = [
        Schema(service: "identity", migrations: IdentityService.migrations),
        Schema(service: "dispatch", migrations: DispatchService.migrations),
        Schema(service: "wallet", migrations: WalletService.migrations),
        Schema(service: "notifications", migrations: NotificationsService.migrations),
        Schema(service: "admin", migrations: AdminService.migrations),
    ]

    /// Columns whose names say a table less plainly than `order_id` says `orders`.
    private static let aliases: [String: [String: String]] = [
        "wallet": ["order_id": "payments", "code": "promo_codes", "plan": "subscription_plans"],
        "dispatch": ["picture": "photos", "returned_to": "racks"],
        "notifications": ["account": "streams"],
    ]

    /// Columns that name a row of another table and have no key, with the reason.
    private static let withoutKey: [String: [String: String]] = [
        "identity": [
            "banned_hashes.account": "the account goes and the ban stays",
            "deletions.account": "the account goes and the outcome of its deletion stays",
            "ended_sessions.session": "a table of every service; the session may be gone already",
            "friend_group_refusals.account": "groups are locked before; a key would lock accounts the other way round",
        ],
        "dispatch": [
            "courier_trips.restaurant": "a copy of the order's; rounds that give out meals wait for no restaurant",
            "offers.restaurant": "a copy of the order's; rounds that give out meals wait for no restaurant",
            "offers.provider": "who leaves is gone, and the order's offers stay with it",
            "order_odometers.order_id": "a batch of positions looks each order up itself, and skips what is locked",
            "order_trails.order_id": "a batch of positions looks each order up itself, and skips what is locked",
            "order_trails.provider": "who leaves is gone, and the order's trail stays with it",
            "orders.met_provider": "who leaves is gone, and the orders stay",
            "orders.provider": "who leaves is gone, and the orders stay",
            "orders.report": "the report has a key to its order; one back would need an index on orders",
            "parcel_sharing.provider": "a copy of the order's",
            "promo_uses.promo_code": "both are copies of the wallet's, heard in any order",
            "provider_positions.provider": "positions are written in batches that wait for nobody",
            "providers.current_order": "orders are locked before providers; a key would lock the other way round",
        ],
        "wallet": [
            "debts.order_id": "of a deposit, a fine or a command whose payment may never be heard of",
            "debts.transfer": "no role may lock rows of transfers, which never change; verify checks them",
            "deposits.order_id": "taken by command, before or without a payment",
            "entries.transfer": "half of what a transfer costs; verify checks them",
            "fines.order_id": "heard with the order's end, before or without a payment",
            "report_decisions.order_id": "a decision may be heard before the payment",
            "statement_lines.order_id": "lines of commands and deposits have orders without a payment",
            "subscription_periods.subscription": "the account's subscription goes and its paid periods stay",
            "subscriptions.card": "a card may go while a payment with it is made; the renewal then says so",
            "subscriptions.wish_card": "a card may go while a payment with it is made; the renewal then says so",
            "unattended_payments.card": "null would mean any card that its owner agreed to have charged",
        ],
        "notifications": [
            "account": "a stream begins with the first event; its row is locked by the statement that writes these"
        ],
        "admin": [
            "order_events.order_id": "events come in any order, also before their order",
            "payments.order_id": "events come in any order, also before their order",
            "ratings.order_id": "events come in any order, also before their order",
            "reports.order_id": "events come in any order, also before their order",
        ],
    ]

    @Test("W1, P5: every column that holds a currency is of the type that takes nothing else", arguments: schemas)
    func currencies(_ schema: Schema) async throws {
        try await Self.withPool(schema) { pool async throws in
            let columns = try await pool.query(CurrencyColumns())
            #expect(columns.filter { $0.domain != "currency" }.map(\.table) == [])
            guard !columns.isEmpty else { return }
            for word in ["sar", "SA", "SARR", "S1R", ""] {
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await pool.query(AsCurrency(word: word))
                }
                #expect(error?.sqlState == .checkViolation, "\(word)")
            }
            #expect(try await pool.first(AsCurrency(word: "SAR")) == "SAR")
        }
    }

    @Test("Q7: every table says what it holds", arguments: schemas)
    func comments(_ schema: Schema) async throws {
        try await Self.withPool(schema) { pool async throws in
            #expect(try await pool.query(TablesWithoutComment()) == [])
        }
    }

    @Test("W7, O1: a column that names another table's row has a key, or there is a reason", arguments: schemas)
    func keys(_ schema: Schema) async throws {
        try await Self.withPool(schema) { pool async throws in
            let aliases = Self.aliases[schema.service] ?? [:]
            let reasons = Self.withoutKey[schema.service] ?? [:]
            let found = try await pool.query(ColumnsWithoutKey(aliases: aliases))
            let wrong = found.filter { reasons["\($0.table).\($0.column)"] == nil && reasons[$0.column] == nil }
            #expect(wrong.map { "\($0.table).\($0.column)" } == [])
            // A reason goes with its column.
            let names = Set(found.map { "\($0.table).\($0.column)" } + found.map(\.column))
            #expect(reasons.keys.filter { !names.contains($0) } == [])
        }
    }

    @Test("P9: the rows of before are compared with keys and conditions, too", arguments: schemas)
    func validated(_ schema: Schema) async throws {
        try await Self.withPool(schema) { pool async throws in
            // Weaker than the conditions that they replaced, so no row had to be looked at.
            let known: Set = ["payments_fined_check", "payments_refunded_check"]
            #expect(try await pool.query(UnvalidatedConstraints()).filter { !known.contains($0) } == [])
        }
    }

    private static func withPool(_ schema: Schema, _ body: @Sendable (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.withDatabase(schema.migrations) { database in
            try await database.withPool { pool in try await body(pool) }
        }
    }
}

private struct CurrencyColumns: Statement {
    static let sql: SQL = """
        SELECT table_name::text, domain_name::text FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'currency' ORDER BY 1
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (table: String, domain: String?) {
        (try row.next(), try row.next())
    }
}

private struct AsCurrency: Statement {
    static let sql: SQL = "SELECT ($1::text::currency)::text"
    let word: String
    func bind(_ bindings: inout Bindings) { bindings.append(word) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

private struct TablesWithoutComment: Statement {
    static let sql: SQL = """
        SELECT relname::text FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            AND length(coalesce(obj_description(oid, 'pg_class'), '')) < 15
        ORDER BY 1
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Columns of ids that are named like another table with such ids (`rack`, `order_id`, `met_provider`), without a key.
private struct ColumnsWithoutKey: Statement {
    static let sql: SQL = """
        WITH tables AS (
            SELECT oid, relname::text AS name,
                CASE
                    WHEN relname LIKE '%ies' AND relname <> 'series' THEN regexp_replace(relname::text, 'ies$', 'y')
                    WHEN relname LIKE '%s' AND relname <> 'series' THEN left(relname::text, -1)
                    ELSE relname::text
                END AS one,
                EXISTS (
                    SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
                    WHERE indrelid = pg_class.oid AND indisprimary AND indnkeyatts = 1 AND atttypid = 'uuid'::regtype
                ) AS has_ids
            FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
        ), columns AS (
            SELECT tables.oid, tables.name, attname::text AS name_of_column, attnum
            FROM tables JOIN pg_attribute ON attrelid = tables.oid
            WHERE attnum > 0 AND NOT attisdropped AND atttypid = 'uuid'::regtype
        )
        SELECT DISTINCT columns.name, name_of_column
        FROM columns JOIN tables AS target ON target.oid <> columns.oid
        LEFT JOIN unnest($1::text[], $2::text[]) AS alias (name, target)
            ON alias.name = name_of_column AND alias.target = target.name
        WHERE (alias.target IS NOT NULL OR target.has_ids AND (
                name_of_column IN (target.one, target.one || '_id') OR name_of_column LIKE '%\\_' || target.one))
            AND NOT EXISTS (
                SELECT FROM pg_constraint
                WHERE contype = 'f' AND conrelid = columns.oid AND columns.attnum = ANY (conkey))
        ORDER BY 1, 2
        """
    let aliases: [String: String]
    func bind(_ bindings: inout Bindings) {
        bindings.append(columnsOf: aliases.sorted { $0.key < $1.key }, \.key, \.value)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (table: String, column: String) {
        (try row.next(), try row.next())
    }
}

private struct UnvalidatedConstraints: Statement {
    static let sql: SQL = """
        SELECT conname::text FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND NOT convalidated AND conrelid <> 0 ORDER BY 1
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
