import Foundation
import Postgres

/// Removes names and titles from a batch of a market's ended payments that were made before a given time. Amounts, ids
/// and the ledger stay.
struct ForgetOldPayments: Statement {
    static let sql: SQL = """
        UPDATE payments
        SET customer_name = '', provider_name = CASE WHEN provider_name IS NOT NULL THEN '' END, title = '{}',
            payees = (
                SELECT coalesce(jsonb_agg(jsonb_set(payee, '{name}', '""') ORDER BY place), '[]')
                FROM jsonb_array_elements(payees) WITH ORDINALITY AS part (payee, place)),
            is_forgotten = true
        WHERE id IN (
            SELECT id FROM payments
            WHERE market = $1 AND made_at < $2 AND NOT is_forgotten
                AND state IN ('captured', 'released', 'credited', 'closed')
            ORDER BY made_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Removes names from a batch of a market's ended deposits that were made before a given time.
struct ForgetOldDeposits: Statement {
    static let sql: SQL = """
        UPDATE deposits SET customer_name = '', provider_name = '', is_forgotten = true
        WHERE id IN (
            SELECT id FROM deposits
            WHERE market = $1 AND made_at < $2 AND NOT is_forgotten AND state <> 'locked'
            ORDER BY made_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Removes names from a batch of a market's ended top-ups that were made before a given time.
struct ForgetOldTopUps: Statement {
    static let sql: SQL = """
        UPDATE top_ups SET holder = '', is_forgotten = true
        WHERE id IN (
            SELECT id FROM top_ups
            WHERE market = $1 AND made_at < $2 AND NOT is_forgotten AND state <> 'waiting'
            ORDER BY made_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Removes names from a batch of a market's ended cash-outs that were made before a given time.
struct ForgetOldCashOuts: Statement {
    static let sql: SQL = """
        UPDATE cash_outs SET holder = '', bank_name = NULL, country = NULL, last_four = '', destination = '',
            is_forgotten = true
        WHERE id IN (
            SELECT id FROM cash_outs
            WHERE market = $1 AND made_at < $2 AND NOT is_forgotten AND state NOT IN ('waiting', 'paying')
            ORDER BY made_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}

/// Deletes a batch of a market's old statement lines, except lines that still wait.
struct DeleteOldLines: Statement {
    static let sql: SQL = """
        DELETE FROM statement_lines
        WHERE (account, source) IN (
            SELECT account, source FROM statement_lines
            WHERE market = $1 AND at < $2 AND changed_at < $2 AND state <> 'waiting' AND waiting = 0
            ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    let market: String
    let before: Date
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, before, limit) }
}
