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
            OR EXISTS (SELECT FROM holds WHERE owner = $1 AND state = 'open')
            OR EXISTS (SELECT FROM statement_lines WHERE account = $1 AND kind = 'share' AND state = 'waiting')
            OR EXISTS (SELECT FROM cash_outs WHERE account = $1 AND state IN ('waiting', 'paying'))
            OR EXISTS (SELECT FROM disputes WHERE account = $1 AND state IN ('inquiry', 'open'))
            OR EXISTS (SELECT FROM subscriptions WHERE account = $1 AND pending IS NOT NULL),
            EXISTS (SELECT FROM debts WHERE receiver = $1 AND unpaid > 0),
            EXISTS (SELECT FROM top_ups WHERE account = $1 AND state = 'waiting')
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> [DeletionObstacle] {
        var open: [DeletionObstacle] = []
        for obstacle in [DeletionObstacle.balance, .unpaid, .heldMoney, .waitingMoney, .topUp]
        where try row.next(Bool.self) {
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

/// Removes what customers of a market in which they name the goods have written: the title of their own orders, in the
/// payments and in the statements of others.
struct ForgetOwnTitles: Statement {
    static let sql: SQL = """
        WITH own AS (
            UPDATE payments SET title = '{}' WHERE customer = $1 AND customer_priced RETURNING order_id
        )
        UPDATE statement_lines SET title = '{}' FROM own WHERE statement_lines.order_id = own.order_id
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes what admins have written about the person: why they decided about refunds, reports and what waited for a
/// second admin. The decisions and amounts stay.
struct ForgetInDecisions: Statement {
    static let sql: SQL = """
        WITH orders AS MATERIALIZED (
            SELECT order_id FROM payments WHERE customer = $1
            UNION SELECT order_id FROM payments WHERE provider = $1
            UNION SELECT order_id FROM statement_lines WHERE account = $1 AND order_id IS NOT NULL
        ), refunded AS (
            UPDATE refunds SET reason = '' FROM orders WHERE refunds.order_id = orders.order_id
        ), reported AS (
            UPDATE report_decisions SET reason = '' FROM orders WHERE report_decisions.order_id = orders.order_id
        )
        UPDATE approvals SET reason = CASE WHEN reason IS NOT NULL THEN '' END,
            wish = CASE WHEN wish ? 'refund' THEN jsonb_set(wish, '{refund,_0,reason}', '""')
                WHEN wish ? 'writeOff' THEN jsonb_set(wish, '{writeOff,_0,reason}', '""') ELSE wish END
        WHERE kind = 'refund' AND subject IN (SELECT order_id FROM orders)
            OR kind = 'writeOff' AND subject = $1
            OR kind = 'cashOut' AND subject IN (SELECT id FROM cash_outs WHERE account = $1)
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes the words about the person's disputes; states and amounts stay.
struct ForgetInDisputes: Statement {
    static let sql: SQL = """
        UPDATE disputes SET reason = NULL, unfreeze_reason = CASE WHEN unfreeze_reason IS NOT NULL THEN '' END
        WHERE account = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes what the person agreed to for payments in absence. Their orders are over.
struct DeleteUnattendedPayments: Statement {
    static let sql: SQL = """
        DELETE FROM unattended_payments USING payments
        WHERE payments.order_id = unattended_payments.order_id AND payments.customer = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
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
