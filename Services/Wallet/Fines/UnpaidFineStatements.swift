import Foundation
import Postgres

/// Lists the changes of a debtor's wallet from an order's fine on, oldest first, until the wallet is not below zero again.
/// Amounts that receivers gave up are listed by the debts, since one transfer may give up those of several orders.
struct ListSinceFine: Statement {
    struct Row: Sendable {
        /// The wallet's balance before the change; exact in the first row.
        let before: Int
        let entry: UnpaidFine.Entry
    }

    static let sql: SQL = """
        WITH wallet AS (
            SELECT id FROM accounts WHERE owner = $1 AND kind = 'wallet' AND currency = $2 AND shard = 0
        ), beginning AS (
            SELECT min(entries.id) AS id FROM transfers JOIN entries ON entries.transfer = transfers.id
            WHERE transfers.key = 'fine:' || $3::uuid AND entries.account = (SELECT id FROM wallet)
        ), ending AS (
            SELECT coalesce((
                SELECT entries.id FROM entries
                WHERE entries.account = (SELECT id FROM wallet) AND entries.id >= (SELECT id FROM beginning)
                    AND entries.balance >= 0 AND entries.amount > 0
                ORDER BY entries.id LIMIT 1), 9223372036854775807) AS id
        ), changes AS (
            SELECT entries.id, entries.balance - entries.amount AS before, entries.amount, transfers.subject, transfers.kind,
                entries.transfer, transfers.kind = 'debtCancelled'
                    AND NOT EXISTS (SELECT FROM refunds WHERE refunds.id = transfers.subject) AS is_given_up
            FROM entries JOIN transfers ON transfers.id = entries.transfer
            WHERE entries.account = (SELECT id FROM wallet)
                AND entries.id >= (SELECT id FROM beginning) AND entries.id <= (SELECT id FROM ending)
        )
        SELECT before, amount, CASE WHEN kind = 'writeOff' THEN kind ELSE 'other' END, subject, id
        FROM changes WHERE NOT is_given_up
        UNION ALL
        SELECT 0, -entries.amount, 'givenUp', debts.order_id, entries.id
        FROM entries
        JOIN accounts ON accounts.id = entries.account AND accounts.kind = 'debt'
        JOIN debts ON debts.transfer = accounts.owner AND debts.place = accounts.shard AND debts.debtor = $1
        WHERE entries.amount < 0 AND entries.transfer IN (SELECT transfer FROM changes WHERE is_given_up)
        ORDER BY 5
        """
    let account: UUID
    let currency: String
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, order) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (before, amount): (Int, Int) = (try row.next(), try row.next())
        let kind: String = try row.next()
        let subject: UUID? = try row.next()
        let entry: UnpaidFine.Entry.Kind =
            switch kind {
            case "writeOff": .writeOff
            case "givenUp": .givenUp(order: subject)
            default: .other(order: subject ?? AccountReference.nobody)
            }
        return Row(before: before, entry: UnpaidFine.Entry(amount: amount, kind: entry))
    }
}

extension UnpaidFine {
    /// Reads it from the ledger. The debtor's wallet must be locked for an answer that stays valid.
    static func read(_ fine: Fine, in transaction: PostgresTransaction) async throws -> UnpaidFine {
        let rows = try await transaction.query(
            ListSinceFine(account: fine.account, currency: fine.currency, order: fine.order))
        return UnpaidFine(of: fine.order, before: rows.first?.before ?? 0, rows.map(\.entry))
    }
}
