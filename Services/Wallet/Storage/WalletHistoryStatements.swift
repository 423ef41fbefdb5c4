import Contracts
import Foundation
import LiveMarkets
import Postgres

/// A part of the history of a wallet, the newest first, with what a payment provider has taken from a card marked so:
/// top-ups, prices that went to the wallet instead of back to the card, and what could not go back there.
struct ListWalletHistory: Statement {
    struct Row: Sendable {
        let id: Int
        /// Of the wallet, before it.
        let before: Int
        let entry: CardMoney.Entry
    }

    static let sql: StaticString = """
        SELECT history.id, history.balance - history.amount, history.amount, transfers.at, transfers.kind,
            coalesce(refunds.order_id, transfers.subject),
            coalesce(top_ups.market, payments.market, subscription_periods.market)
        FROM (
            SELECT id, transfer, amount, balance FROM entries
            WHERE account = (SELECT id FROM accounts
                    WHERE owner = $1 AND kind = 'wallet' AND currency = $2 AND shard = 0)
                AND ($3::bigint IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        ) AS history
        JOIN transfers ON transfers.id = history.transfer
        LEFT JOIN refunds ON transfers.kind = 'refund' AND refunds.id = transfers.subject
        LEFT JOIN top_ups ON history.amount > 0 AND transfers.kind IN ('topUp', 'refundReturn')
            AND top_ups.id = transfers.subject
        LEFT JOIN subscription_periods ON history.amount > 0 AND transfers.kind = 'refundReturn'
            AND subscription_periods.id = transfers.subject
        LEFT JOIN payments ON history.amount > 0 AND transfers.kind IN ('release', 'capture', 'refund', 'refundReturn')
            AND payments.order_id = coalesce(refunds.order_id, transfers.subject) AND payments.customer = $1
            AND payments.method IN ('card', 'applePay', 'googlePay', 'payPal')
        ORDER BY history.id DESC
        """
    let account: UUID
    let currency: String
    /// The entry before which the page ends; nil for the newest.
    let before: Int?
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(account)
        bindings.append(currency)
        bindings.append(before)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (id, before, amount): (Int, Int, Int) = (try row.next(), try row.next(), try row.next())
        let at: Date = try row.next()
        let kind: String = try row.next()
        return Row(
            id: id, before: before,
            entry: CardMoney.Entry(
                amount: amount, at: at, kind: Transfer.Kind(rawValue: kind), subject: try row.next(),
                cardMarket: try row.next()))
    }
}

/// The history of a wallet back to a time, read in parts.
enum WalletHistory {
    static let page = 500
    /// A transfer's time is the beginning of its transaction, so entries are not quite in the order of their times.
    static let slackSeconds = 3_600.0

    /// - Parameter limit: how many entries at most, or a few more; nil for as many as there are.
    /// - Returns: the newest first, and the newest of all, which may be older.
    static func since(
        _ beginning: Date, of account: UUID, _ currency: String, limit: Int? = nil,
        in transaction: PostgresTransaction
    ) async throws -> (rows: [ListWalletHistory.Row], newest: ListWalletHistory.Row?) {
        var newest: ListWalletHistory.Row?
        var rows: [ListWalletHistory.Row] = []
        let end = beginning.addingTimeInterval(-slackSeconds)
        while true {
            let part = try await transaction.query(
                ListWalletHistory(account: account, currency: currency, before: rows.last?.id, limit: page))
            let isOver = part.count < page || part.last.map { $0.entry.at < end } == true
            newest = newest ?? part.first
            rows += part.prefix { $0.entry.at >= end }
            if isOver || rows.count >= limit ?? .max { return (rows, newest) }
        }
    }
}

extension CardMoney {
    /// - Parameter passing: the subject of the newest entry where that does not count, as if it had not happened.
    static func of(
        _ account: UUID, _ currency: String, _ holds: CardHolds, at now: Date, passing: UUID? = nil,
        in transaction: PostgresTransaction
    ) async throws -> CardMoney {
        let (rows, newest) = try await WalletHistory.since(
            holds.beginning(before: now), of: account, currency, in: transaction)
        let after = newest.map { $0.before + ($0.entry.subject == passing ? 0 : $0.entry.amount) }
        return CardMoney(
            opening: rows.last?.before ?? after ?? 0,
            rows.reversed().lazy.map(\.entry).filter { $0.subject != passing })
    }
}

extension CardHolds {
    /// As the markets have them now.
    init(_ markets: LiveMarkets) {
        for market in Market.all { days[market.id] = (markets.settings(of: market.id) ?? market.defaults).cardHoldDays }
    }
}
