import Foundation
import Postgres

/// The one table of these tests.
let accountsMigration = Migration(
    component: "test", version: 1, name: "accounts",
    sql: """
        CREATE TABLE accounts (
            id bigint PRIMARY KEY,
            owner text NOT NULL CONSTRAINT accounts_owner_unique UNIQUE,
            balance bigint NOT NULL DEFAULT 0 CONSTRAINT accounts_balance_floor CHECK (balance >= 0)
        );
        CREATE INDEX accounts_balance ON accounts (balance);
        """)

struct InsertAccount: Statement {
    static let sql: SQL = "INSERT INTO accounts (id, owner, balance) VALUES ($1, $2, $3)"
    let id: Int
    var owner: String?
    var balance = 0
    func bind(_ bindings: inout Bindings) { bindings.append(id, owner ?? "owner \(id)", balance) }
}

struct InsertAccounts: Statement {
    static let sql: SQL =
        "INSERT INTO accounts (id, owner, balance) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])"
    let ids: [Int]
    func bind(_ bindings: inout Bindings) { bindings.append(ids, ids.map { "owner \($0)" }, ids.map { _ in 100 }) }
}

struct AddToBalance: Statement {
    static let sql: SQL = "UPDATE accounts SET balance = balance + $2 WHERE id = $1 RETURNING balance"
    let id: Int
    let amount: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id, amount) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct SetBalance: Statement {
    static let sql: SQL = "UPDATE accounts SET balance = $2 WHERE id = $1"
    let id: Int
    let balance: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id, balance) }
}

struct BalanceOf: Statement {
    static let sql: SQL = "SELECT balance FROM accounts WHERE id = $1"
    let id: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct TotalBalance: Statement {
    static let sql: SQL = "SELECT coalesce(sum(balance), 0)::bigint FROM accounts"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountAccounts: Statement {
    static let sql: SQL = "SELECT count(*) FROM accounts"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct Owner: Statement {
    static let sql: SQL = "SELECT owner FROM accounts WHERE id = $1"
    let id: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct AllOfAccount: Statement {
    static let sql: SQL = "SELECT * FROM accounts WHERE id = $1"
    let id: Int
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct SleepSeconds: Statement {
    static let sql: SQL = "SELECT pg_sleep($1)::text"
    let seconds: Double
    func bind(_ bindings: inout Bindings) { bindings.append(seconds) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct BackendPID: Statement {
    static let sql: SQL = "SELECT pg_backend_pid()"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct SleepingSessions: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct NotExistingTable: Statement { static let sql: SQL = "SELECT 1 FROM no_such_table" }

struct AddColumn: Statement { static let sql: SQL = "ALTER TABLE accounts ADD COLUMN note text" }

struct NotifyOrders: Statement { static let sql: SQL = "NOTIFY \"order events\", 'woken'" }

struct LargeText: Statement {
    static let sql: SQL = "SELECT repeat('x', $1::int)"
    let length: Int32
    func bind(_ bindings: inout Bindings) { bindings.append(length) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

struct CopyAccounts: CopyStatement {
    static let sql: SQL = "COPY accounts (id, owner, balance) FROM STDIN (FORMAT binary)"
    static func bind(_ row: (id: Int, owner: String), _ bindings: inout Bindings) {
        bindings.append(row.id, row.owner, 1)
    }
}

/// One value of every type that can be bound and read.
struct Values: Sendable, Equatable {
    var integer = Int64.min
    var word: Int32 = -7
    var short: Int16 = 12
    var isTrue = true
    var real = -0.1
    var text = "قافلة\n'\"\\ 🐪"
    var id = UUID()
    var time = Date(timeIntervalSinceReferenceDate: 762_345_678.123456)
    var bytes: [UInt8] = [0, 1, 255]
    var missing: String?
    var integers = [1, -1, Int.max]
    var texts = ["", "a,b", "{}", "\"", "NULL"]
    var gaps: [Int?] = [nil, 3]
    var ids = [UUID(), UUID()]
    var none: [String] = []
    var json = PostgresJSON(Array(#"{"amount": 12345}"#.utf8))
}

struct RoundTrip: Statement {
    static let sql: SQL =
        "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16"
    let values: Values
    func bind(_ bindings: inout Bindings) {
        bindings.append(
            values.integer, values.word, values.short, values.isTrue, values.real, values.text, values.id, values.time,
            values.bytes, values.missing, values.integers, values.texts, values.gaps, values.ids, values.none,
            values.json)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Values {
        Values(
            integer: try row.next(), word: try row.next(), short: try row.next(), isTrue: try row.next(),
            real: try row.next(), text: try row.next(), id: try row.next(), time: try row.next(),
            bytes: try row.next(), missing: try row.next(), integers: try row.next(), texts: try row.next(),
            gaps: try row.next(), ids: try row.next(), none: try row.next(), json: try row.next())
    }
}
