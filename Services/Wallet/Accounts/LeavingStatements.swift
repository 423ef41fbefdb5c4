import Contracts
import Foundation
import Postgres
import ServiceKit

/// Finds the open money matters of an account. The answer stays valid, since nothing new begins afterwards.
struct FindOpenMoney: Statement {
    static let sql: SQL = """
        SELECT
            EXISTS (SELECT FROM accounts WHERE owner = $1 AND kind = 'wallet' AND balance > 0),
            EXISTS (SELECT FROM accounts WHERE owner = $1 AND kind = 'wallet' AND balance < 0),
            EXISTS (SELECT FROM payments WHERE customer = $1
                AND state IN ('authorising', 'held', 'frozen', 'capturing', 'releasing', 'crediting'))
            OR EXISTS (SELECT FROM payments WHERE provider = $1
                AND state IN ('authorising', 'held', 'frozen', 'capturing', 'releasing', 'crediting'))
            OR EXISTS (SELECT FROM deposits WHERE provider = $1 AND state = 'locked')
            OR EXISTS (SELECT FROM debts WHERE receiver = $1 AND unpaid > 0)
            OR EXISTS (SELECT FROM holds WHERE owner = $1 AND state = 'open')
            OR EXISTS (SELECT FROM statement_lines WHERE account = $1 AND kind = 'share' AND state = 'waiting')
            OR EXISTS (SELECT FROM cash_outs WHERE account = $1 AND state IN ('waiting', 'paying'))
            OR EXISTS (SELECT FROM disputes WHERE account = $1 AND state IN ('inquiry', 'open'))
            OR EXISTS (SELECT FROM subscriptions WHERE account = $1 AND pending IS NOT NULL),
            EXISTS (SELECT FROM top_ups WHERE account = $1 AND state = 'waiting')
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> [DeletionObstacle] {
        var open: [DeletionObstacle] = []
        for obstacle in [DeletionObstacle.balance, .unpaid, .heldMoney, .topUp] where try row.next(Bool.self) {
            open.append(obstacle)
        }
        return open
    }
}

/// Replaces the person's name in the statements of others. Must run before the names in payments and the person's own
/// lines are removed; the latter tell which orders a merchant was paid for.
struct ForgetInStatements: Statement {
    static let sql: SQL = """
        UPDATE statement_lines AS l
        SET payer = CASE WHEN l.payer = ANY (p.names) THEN $2 ELSE l.payer END,
            beneficiary = CASE WHEN l.beneficiary = ANY (p.names) THEN $2 ELSE l.beneficiary END
        FROM (
            SELECT order_id, array_agg(name) AS names FROM (
                SELECT order_id, customer_name AS name FROM payments WHERE customer = $1
                UNION ALL SELECT order_id, provider_name FROM payments WHERE provider = $1
                UNION ALL SELECT order_id, payee->>'name' FROM payments CROSS JOIN jsonb_array_elements(payees) AS payee
                WHERE order_id IN (SELECT order_id FROM statement_lines WHERE account = $1 AND order_id IS NOT NULL)
                    AND lower(payee->>'account') = $1::uuid::text
            ) AS named GROUP BY order_id
        ) AS p
        WHERE l.order_id = p.order_id AND l.account <> $1
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

/// Deletes the person's own statement; the ledger keeps the amounts.
struct DeleteStatement: Statement {
    static let sql: SQL = "DELETE FROM statement_lines WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

struct ForgetInPayments: Statement {
    static let sql: SQL = """
        UPDATE payments SET customer_name = CASE WHEN customer = $1 THEN $2 ELSE customer_name END,
            provider_name = CASE WHEN provider = $1 THEN $2 ELSE provider_name END
        WHERE customer = $1 OR provider = $1
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

/// Replaces the person's name among an order's several payees.
struct ForgetInPayees: Statement {
    static let sql: SQL = """
        UPDATE payments SET payees = (
            SELECT jsonb_agg(CASE WHEN lower(payee->>'account') = $1::uuid::text
                THEN jsonb_set(payee, '{name}', to_jsonb($2::text)) ELSE payee END ORDER BY place)
            FROM jsonb_array_elements(payees) WITH ORDINALITY AS part (payee, place))
        WHERE order_id IN (SELECT order_id FROM statement_lines WHERE account = $1 AND order_id IS NOT NULL)
            AND payees <> '[]'
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

struct ForgetInDeposits: Statement {
    static let sql: SQL = """
        UPDATE deposits SET customer_name = CASE WHEN customer = $1 THEN $2 ELSE customer_name END,
            provider_name = CASE WHEN provider = $1 THEN $2 ELSE provider_name END
        WHERE customer = $1 OR provider = $1
        """
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

struct ForgetInTopUps: Statement {
    static let sql: SQL = "UPDATE top_ups SET holder = $2 WHERE account = $1"
    let account: UUID
    let name: String

    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}

/// Must run after ``RemoveAccountAtProvider``.
struct DeleteCards: Statement {
    static let sql: SQL = "DELETE FROM cards WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Returns a row when the account was deleted.
struct FindGoneAccount: Statement {
    static let sql: SQL = "SELECT account FROM leaving_accounts WHERE account = $1 AND state = 'gone'"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// Finds the owner of a top-up's or subscription's charge.
struct FindOwnerOfCharge: Statement {
    struct Owner: Sendable {
        /// Nil when the owner is no longer known here.
        let account: UUID?

        /// Must run before any row lock: an account's deletion locks the account first.
        func isGone(in transaction: PostgresTransaction) async throws -> Bool {
            guard let account else { return true }
            return try await !AccountDeletionGuard.deleted(among: [account], in: transaction).isEmpty
        }
    }

    static let sql: SQL = """
        SELECT coalesce(top_ups.account, subscription_periods.account)
        FROM charges LEFT JOIN top_ups ON top_ups.id = charges.subject
            LEFT JOIN subscription_periods ON subscription_periods.id = charges.subject
        WHERE charges.id = $1 AND charges.purpose IN ('topUp', 'subscription')
        """
    let charge: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(charge) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Owner { Owner(account: try row.next()) }
}
