import Foundation
import Postgres

/// Sums what a wallet has earned since a time from accounts that paid by card, or whose wallets were topped up by card
/// since then, among the wallet's newest entries. Such a payer may be the earner's accomplice, or the earner.
struct SumEarningsFromCards: Statement {
    struct Row: Sendable, Hashable {
        /// Minor units.
        let amount: Int
        let payers: Int
    }

    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint, count(DISTINCT payer) FROM (
            SELECT history.amount, coalesce(payments.customer, deposits.provider) AS payer, transfers.at,
                transfers.kind = 'capture' AND payments.method IN ('card', 'applePay', 'googlePay', 'payPal') AS is_by_card
            FROM (
                SELECT transfer, amount FROM entries
                WHERE account = (SELECT id FROM accounts
                        WHERE owner = $1 AND kind = 'wallet' AND currency = $2 AND shard = 0)
                ORDER BY id DESC LIMIT $5
            ) AS history
            JOIN transfers ON transfers.id = history.transfer
            LEFT JOIN payments ON transfers.kind <> 'depositForfeit' AND payments.order_id = transfers.subject
            LEFT JOIN deposits ON transfers.kind = 'depositForfeit' AND deposits.id = transfers.subject
            WHERE history.amount > 0 AND transfers.at >= $3 AND transfers.at <= $4
                AND transfers.kind IN ('capture', 'tip', 'fine', 'debtPaid', 'depositForfeit')
        ) AS earned
        WHERE payer <> $1 AND (is_by_card OR EXISTS (
            SELECT FROM top_ups
            WHERE top_ups.account = earned.payer AND top_ups.currency = $2 AND top_ups.state = 'completed'
                AND top_ups.made_at >= $3 AND top_ups.made_at <= earned.at))
        """
    let account: UUID
    let currency: String
    let since: Date
    let until: Date
    /// The number of entries that are read.
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, since, until, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(amount: try row.next(), payers: try row.next())
    }
}
