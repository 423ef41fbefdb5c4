import Contracts
import Foundation
import Postgres

/// An endpoint as stored in its row.
struct WebhookEndpoint: Sendable {
    static let maximum = 10

    let id: UUID
    let account: UUID
    let market: String
    let url: String
    let events: [String]
    let createdAt: Date
    let failingSince: Date?
    let disabledAt: Date?
    let disabledBecause: String?

    static let columns: SQL = """
        id, account, market, url, events, created_at, failing_since, disabled_at, disabled_because
        """

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        account = try row.next()
        market = try row.next()
        url = try row.next()
        events = try row.next()
        createdAt = try row.next()
        failingSince = try row.next()
        disabledAt = try row.next()
        disabledBecause = try row.next()
    }
}

/// Inserts an endpoint unless its account has the maximum, or is deleted. Exact under ``LockOwnRows``.
struct InsertWebhook: Statement {
    static let sql: SQL = """
        INSERT INTO webhook_endpoints (id, account, market, url, events, sealed, created_at)
        SELECT $1, $2, $3, $4, $5, $6, $7
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE account = $2) < $8
            AND NOT EXISTS (SELECT FROM streams WHERE account = $2 AND is_gone)
        RETURNING \(WebhookEndpoint.columns)
        """
    let id: UUID
    let account: UUID
    let market: String
    let url: String
    let events: [String]
    let sealed: String
    let now: Date
    func bind(_ bindings: inout Bindings) {
        bindings.append(id, account, market, url, events, sealed, now, WebhookEndpoint.maximum)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

struct ListWebhooks: Statement {
    static let sql: SQL = """
        SELECT \(WebhookEndpoint.columns) FROM webhook_endpoints
        WHERE account = $1 AND ($2::text IS NULL OR market = $2) ORDER BY id
        """
    let account: UUID
    /// Nil means all.
    let market: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, market) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

struct FindWebhook: Statement {
    static let sql: SQL = """
        SELECT \(WebhookEndpoint.columns) FROM webhook_endpoints WHERE id = $1 AND account = $2
        """
    let id: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

/// Changes an endpoint as a whole; no row if the account has no such one. Switched on, it has a clean record.
struct UpdateWebhook: Statement {
    static let sql: SQL = """
        UPDATE webhook_endpoints SET url = $3, events = $4,
            disabled_at = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_at, $6) END,
            disabled_because = CASE WHEN $5 THEN NULL ELSE coalesce(disabled_because, 'owner') END,
            failing_since = CASE WHEN $5 THEN NULL ELSE failing_since END
        WHERE id = $1 AND account = $2
        RETURNING \(WebhookEndpoint.columns)
        """
    let id: UUID
    let account: UUID
    let url: String
    let events: [String]
    let isOn: Bool
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, url, events, isOn, now) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

/// Gives an endpoint another secret; the former one signs as well until a time.
struct ReplaceWebhookSecret: Statement {
    static let sql: SQL = """
        UPDATE webhook_endpoints SET previous_sealed = sealed, previous_until = $4, sealed = $3
        WHERE id = $1 AND account = $2
        RETURNING \(WebhookEndpoint.columns)
        """
    let id: UUID
    let account: UUID
    let sealed: String
    let until: Date
    func bind(_ bindings: inout Bindings) { bindings.append(id, account, sealed, until) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

struct DeleteWebhook: Statement {
    static let sql: SQL = "DELETE FROM webhook_endpoints WHERE id = $1 AND account = $2"
    let id: UUID
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id, account) }
}

/// Deletes the endpoints of a deleted account, with what was sent there.
struct DeleteWebhooksOfAccount: Statement {
    static let sql: SQL = "DELETE FROM webhook_endpoints WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Switches an endpoint off that takes nothing; no row if it is off already.
struct GiveUpWebhook: Statement {
    static let sql: SQL = """
        UPDATE webhook_endpoints SET disabled_at = $2, disabled_because = $3 WHERE id = $1 AND disabled_at IS NULL
        RETURNING \(WebhookEndpoint.columns)
        """
    let id: UUID
    let now: Date
    let reason: String
    func bind(_ bindings: inout Bindings) { bindings.append(id, now, reason) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> WebhookEndpoint { try WebhookEndpoint(&row) }
}

/// Switches off the endpoints of accounts that are no customers of their market any more, by the newest word about each.
struct StopWebhooksOfLostRoles: Statement {
    static let sql: SQL = """
        UPDATE webhook_endpoints AS endpoint SET disabled_at = $5, disabled_because = 'role-lost'
        FROM unnest($1::uuid[], $2::bigint[]) AS told (account, version)
        WHERE endpoint.account = told.account AND endpoint.disabled_at IS NULL
            AND NOT EXISTS (SELECT FROM people WHERE account = told.account AND people.version > told.version)
            AND NOT EXISTS (
                SELECT FROM unnest($3::uuid[], $4::text[]) AS kept (account, market)
                WHERE kept.account = endpoint.account AND kept.market IN (endpoint.market, '*'))
        """
    let people: [AccountSnapshot]
    let now: Date
    func bind(_ bindings: inout Bindings) {
        // Of several words about one account in a batch the newest counts.
        let newest = Dictionary(people.map { ($0.account, $0) }) { $0.version > $1.version ? $0 : $1 }.values
            .sorted { $0.account.uuidString < $1.account.uuidString }
        let kept = newest.flatMap { person in
            person.roles.filter { $0.role == "customer" }.map { (account: person.account, market: $0.market) }
        }
        bindings.append(columnsOf: newest, \.account, \.version)
        bindings.append(columnsOf: kept, \.account, \.market)
        bindings.append(now)
    }
}

/// Switches off the endpoints of a banned account, in a market or in all (`*`).
struct StopWebhooksOfBanned: Statement {
    static let sql: SQL = """
        UPDATE webhook_endpoints SET disabled_at = $3, disabled_because = 'banned'
        WHERE account = $1 AND $2 IN (market, '*') AND (disabled_at IS NULL OR disabled_because = 'role-lost')
        """
    let account: UUID
    let market: String
    let now: Date
    func bind(_ bindings: inout Bindings) { bindings.append(account, market, now) }
}
