import Contracts
import Foundation
import Postgres

/// Lists payments with at least one attempt, ordered by order id after a given one, with the times at which they were
/// first published as held, captured and released.
struct ListPaymentsToTell: Statement {
    struct Row: Sendable {
        let payment: Payment
        let heldAt: Date?
        let capturedAt: Date?
        let releasedAt: Date?
    }

    static let sql: SQL = """
        SELECT id, order_id, market, customer, customer_name, currency, provider, provider_name, title::text, amount,
            commission_basis_points, merchant_commission_basis_points, payees::text, total, promised_code,
            promised_discount, customer_priced, order_version, order_state, order_deadline, state, method, charge,
            refusal, version,
            settled, tipped, refunded, refunded_to_card, promo_use, discount, promo_code,
            held_at, coalesce(captured_at, CASE WHEN state = 'captured' THEN changed_at END),
            coalesce(released_at, CASE WHEN state IN ('released', 'credited') THEN changed_at END)
        FROM payments
        WHERE ($1::uuid IS NULL OR order_id > $1) AND (method IS NOT NULL OR refusal IS NOT NULL)
        ORDER BY order_id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            payment: try Payment(row: &row), heldAt: try row.next(), capturedAt: try row.next(),
            releasedAt: try row.next())
    }
}

/// Lists accounts that other services know something about, ordered by id after a given one.
struct ListStandingsToTell: Statement {
    static let sql: SQL = """
        (SELECT DISTINCT account FROM blocks WHERE $1::uuid IS NULL OR account > $1 ORDER BY account LIMIT $2)
        UNION (SELECT account FROM account_methods WHERE $1::uuid IS NULL OR account > $1 ORDER BY account LIMIT $2)
        UNION (SELECT DISTINCT account FROM subscriptions
            WHERE ($1::uuid IS NULL OR account > $1) AND ends_at IS NOT NULL ORDER BY account LIMIT $2)
        ORDER BY account LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

struct ListBlocksToTell: Statement {
    static let sql: SQL = """
        SELECT account, market, is_blocked, version FROM blocks WHERE account = ANY ($1::uuid[]) ORDER BY account, market
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, block: StandingsTold.Block) {
        (
            try row.next(),
            StandingsTold.Block(market: try row.next(), isBlocked: try row.next(), version: try row.next())
        )
    }
}

struct ListMethodsToTell: Statement {
    static let sql: SQL = """
        SELECT account, has_method, version, \(ToldCards.ofVersion)::text
        FROM account_methods WHERE account = ANY ($1::uuid[])
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, method: StandingsTold.Method) {
        let account: UUID = try row.next()
        let told = try ToldMethod(&row)
        return (account, StandingsTold.Method(hasMethod: told.hasMethod, version: told.version, cards: told.cards))
    }
}

struct ListSubscriptionsToTell: Statement {
    static let sql: SQL = """
        SELECT account, market, version, ends_at FROM subscriptions
        WHERE account = ANY ($1::uuid[]) AND ends_at IS NOT NULL ORDER BY account, market
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(
        _ row: inout RowReader
    ) throws(PostgresError) -> (account: UUID, subscription: StandingsTold.Subscription) {
        (
            try row.next(),
            StandingsTold.Subscription(market: try row.next(), version: try row.next(), endsAt: try row.next())
        )
    }
}
