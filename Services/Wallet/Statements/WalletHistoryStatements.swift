import Contracts
import Foundation
import LiveMarkets
import Postgres
import SeraiJSON

/// Lists a part of a wallet's history, newest first. Marks credits that came from a card: top-ups, card prices that
/// were credited to the wallet, and failed refunds to cards. For money returned to a card it also names the subject
/// with which that card's money came. A refund that waited for its debtor counts as a refund of its order. Credits by
/// others that keep the times of card money have its parts.
struct ListWalletHistory: Statement {
    struct Row: Sendable {
        let id: Int
        /// The wallet's balance before the entry.
        let before: Int
        let entry: CardMoney.Entry
    }

    static let sql: SQL = """
        SELECT history.id, history.balance - history.amount, history.amount, transfers.at,
            CASE WHEN waited.order_id IS NULL THEN transfers.kind ELSE 'refund' END,
            coalesce(refunds.order_id, waited.order_id, transfers.subject),
            coalesce(top_ups.market, payments.market, subscription_periods.market),
            coalesce(returned.id, CASE disputed.purpose WHEN 'payment' THEN disputes.order_id ELSE disputed.subject END),
            coalesce(returned.made_at, disputed.made_at),
            CASE WHEN earned.order_id IS NOT NULL THEN json_build_array(json_build_object(
                    'at', extract(epoch FROM transfers.at), 'market', earned.market, 'amount', 1, 'whole', 1))
                ELSE passed.parts END::text
        FROM (
            SELECT id, transfer, amount, balance FROM entries
            WHERE account = (SELECT id FROM accounts
                    WHERE owner = $1 AND kind = 'wallet' AND currency = $2 AND shard = 0)
                AND ($3::bigint IS NULL OR id < $3)
            ORDER BY id DESC LIMIT $4
        ) AS history
        JOIN transfers ON transfers.id = history.transfer
        LEFT JOIN refunds ON transfers.kind = 'refund' AND refunds.id = transfers.subject
        LEFT JOIN LATERAL (
            SELECT owed.order_id FROM entries AS paying
            JOIN accounts ON accounts.id = paying.account AND accounts.kind = 'debt'
            JOIN transfers AS owing ON owing.id = accounts.owner AND owing.kind = 'refund'
            JOIN refunds AS owed ON owed.id = owing.subject
            WHERE paying.transfer = history.transfer LIMIT 1
        ) AS waited ON history.amount > 0 AND transfers.kind = 'debtPaid'
        LEFT JOIN top_ups ON history.amount > 0 AND transfers.kind IN ('topUp', 'refundReturn')
            AND top_ups.id = transfers.subject
        LEFT JOIN subscription_periods ON history.amount > 0 AND transfers.kind = 'refundReturn'
            AND subscription_periods.id = transfers.subject
        LEFT JOIN payments ON history.amount > 0
            AND (transfers.kind IN ('release', 'capture', 'refund', 'refundReturn') OR waited.order_id IS NOT NULL)
            AND payments.order_id = coalesce(refunds.order_id, waited.order_id, transfers.subject)
            AND payments.customer = $1
            AND payments.method IN ('card', 'applePay', 'googlePay', 'payPal')
        LEFT JOIN payments AS earned ON history.amount > 0 AND transfers.kind = 'capture'
            AND earned.order_id = transfers.subject AND earned.customer <> $1 AND earned.customer_priced
            AND earned.method IN ('card', 'applePay', 'googlePay', 'payPal')
        LEFT JOIN LATERAL (
            SELECT json_agg(json_build_object(
                'at', extract(epoch FROM given.at), 'market', given.market, 'amount', given.amount,
                'whole', given.whole)) AS parts
            FROM passed_card_money AS given
            WHERE given.subject = transfers.subject AND given.kind = transfers.kind
        ) AS passed ON history.amount > 0 AND transfers.kind IN ('capture', 'tip', 'depositForfeit')
        LEFT JOIN top_ups AS returned ON transfers.kind = 'topUpReturn' AND returned.id = transfers.subject
        LEFT JOIN disputes ON transfers.kind = 'dispute' AND disputes.id = transfers.subject
        LEFT JOIN charges AS disputed ON disputed.id = disputes.charge
        ORDER BY history.id DESC
        """
    let account: UUID
    let currency: String
    /// Only entries before this one are listed; nil starts with the newest.
    let before: Int?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(account, currency, before, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        let (id, before, amount): (Int, Int, Int) = (try row.next(), try row.next(), try row.next())
        let at: Date = try row.next()
        let kind: String = try row.next()
        var entry = CardMoney.Entry(
            amount: amount, at: at, kind: Transfer.Kind(rawValue: kind), subject: try row.next(),
            cardMarket: try row.next(), source: try row.next(), sourceSince: try row.next())
        if let given = try row.next(GivenCardMoney?.self) {
            entry.passed = CardMoney.Passed.parts(of: amount, given.parts)
        }
        return Row(id: id, before: before, entry: entry)
    }
}

/// The card money within a credit by another account. Unreadable JSON is a decoding error, so that no held money is taken
/// for free money.
private struct GivenCardMoney: PostgresDecodable {
    private struct Part: Decodable {
        /// Seconds since 1970.
        let at: Double
        let market: String
        let amount: Int
        let whole: Int
    }

    let parts: [CardMoney.Given]

    static func decode(_ cell: PostgresCell) -> GivenCardMoney? {
        // try?: nil becomes the decoding error.
        guard let text = String.decode(cell),
            let parts = try? JSON.stored.decode([Part].self, Array(text.utf8))
        else { return nil }
        return GivenCardMoney(
            parts: parts.map { part in
                CardMoney.Given(
                    at: Date(timeIntervalSince1970: part.at), market: part.market, amount: part.amount,
                    whole: part.whole)
            })
    }
}

/// Locks wallets and reads their balances in minor units. Call it after locking a charge and before posting, once for
/// all wallets that the transaction posts to; the locks follow the ledger's order.
struct LockWallets: Statement {
    struct Row: Sendable {
        let account: UUID
        let balance: Int
    }

    static let sql: SQL = """
        SELECT owner, balance FROM accounts WHERE owner = ANY ($1) AND kind = 'wallet' AND currency = $2 AND shard = 0
        ORDER BY id FOR NO KEY UPDATE
        """
    let accounts: [UUID]
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(accounts, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), balance: try row.next())
    }
}

/// Reads a wallet's history back to a time, page by page.
enum WalletHistory {
    static let page = 500
    /// A transfer's time is the start of its transaction, so entries are only roughly ordered by time; this slack
    /// covers the difference.
    static let slackSeconds = 3_600.0

    /// - Parameter limit: the number of entries after which reading stops, rounded up to a page; nil for no limit.
    /// - Returns: the entries since `beginning`, newest first, and the newest entry of all, which may be older.
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

extension WalletHistory {
    /// Decides how far back a wallet's history must be read. Older entries do not matter once they are before every
    /// holding time, before the arrival of any card money that was later returned to its card, and at a point where
    /// nothing was owed.
    struct Reach: Sendable {
        private let holds: CardHolds
        private var begins: Date
        /// The number of relevant rows, newest first.
        private(set) var kept = 0

        /// - Parameter since: card money that came from this time on must be told apart; nil for only what may not
        ///   leave yet.
        init(_ holds: CardHolds, since: Date? = nil, at now: Date) {
            self.holds = holds
            begins = now
            reach(holds.beginning(before: now))
            if let since { reach(since) }
        }

        /// When markets have different holding times, older money may still have been held when newer money left.
        private mutating func reach(_ moment: Date) {
            begins = min(begins, holds.areEqual ? moment : holds.beginning(before: moment))
        }

        /// - Parameter rows: all rows read so far, newest first.
        mutating func look(at rows: [ListWalletHistory.Row]) {
            while kept < rows.count {
                let isOwed = kept > 0 && rows[kept - 1].before < 0
                guard isOwed || rows[kept].entry.at >= begins.addingTimeInterval(-slackSeconds) else { return }
                if let source = rows[kept].entry.sourceSince { reach(source) }
                kept += 1
            }
        }
    }
}

extension CardMoney {
    /// - Parameters:
    ///   - since: tells card money from this time on apart even when it may leave; by default only what may not leave
    ///     yet.
    ///   - passing: the subject of the newest entry, if that entry must be ignored.
    ///   - asksForTaken: whether the taken money matters, too, and not only what the wallet has.
    static func of(
        _ account: UUID, _ currency: String, _ holds: CardHolds, at now: Date, since: Date? = nil, passing: UUID? = nil,
        asksForTaken: Bool = false, in transaction: PostgresTransaction
    ) async throws -> CardMoney {
        var reach = WalletHistory.Reach(holds, since: since, at: now)
        var rows: [ListWalletHistory.Row] = []
        while true {
            let part = try await transaction.query(
                ListWalletHistory(
                    account: account, currency: currency, before: rows.last?.id, limit: WalletHistory.page))
            rows += part
            reach.look(at: rows)
            // An empty wallet needs no more history.
            let isEmpty = !asksForTaken && rows.first.map { $0.after(passing) <= 0 } == true
            if reach.kept < rows.count || part.count < WalletHistory.page || isEmpty { break }
        }
        let counting = rows.prefix(reach.kept)
        return CardMoney(
            opening: counting.last?.before ?? rows.first?.after(passing) ?? 0,
            counting.reversed().lazy.map(\.entry).filter { $0.subject != passing }, holds: holds)
    }
}

extension ListWalletHistory.Row {
    /// The balance after the entry.
    fileprivate func after(_ passing: UUID?) -> Int { before + (entry.subject == passing ? 0 : entry.amount) }
}

extension CardHolds {
    /// The current holding times of all markets where something is paid. Of markets with the same currency the longest
    /// counts, since they share a wallet, and the request names the market.
    init(_ markets: LiveMarkets) {
        let all = Market.paying.map {
            (id: $0.id, settings: markets.settings(of: $0.id) ?? $0.defaults)
        }
        for market in all {
            days[market.id] = all.filter { $0.settings.currency == market.settings.currency }
                .map(\.settings.cardHoldDays).max()
        }
    }
}
