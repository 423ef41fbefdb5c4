import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres

/// Records a customer's tip in the order and in the provider's sums, once. An order that retention has removed is ignored.
struct RecordTip: Sendable {
    let markets: LiveMarkets

    func callAsFunction(_ tip: TipGiven, at now: Date, in transaction: PostgresTransaction) async throws {
        let set = SetTip(
            order: tip.order, market: tip.market, provider: tip.provider, amount: tip.amount.amount,
            currency: tip.amount.currency)
        guard let order = try await transaction.first(set),
            let settings = markets.settings(of: tip.market),
            let day = ZonedClock(settings.timeZone)?.wall(at: order.endedAt ?? now).day
        else { return }
        OrderSums.of(transaction).add(
            tip: AddEarningsOfDays.Part(
                market: tip.market, account: tip.provider, day: day, kind: order.kind, currency: tip.amount.currency,
                tips: tip.amount.amount))
    }
}

/// Sets the tip of an order that has none. Returns no row for another order.
struct SetTip: Statement {
    static let sql: SQL = """
        UPDATE orders SET tip = $4
        WHERE id = $1 AND market = $2 AND provider = $3 AND currency = $5 AND tip IS NULL RETURNING kind, ended_at
        """
    let order: UUID
    let market: String
    let provider: UUID
    /// Minor units.
    let amount: Int
    let currency: String
    func bind(_ bindings: inout Bindings) { bindings.append(order, market, provider, amount, currency) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (kind: String, endedAt: Date?) {
        (try row.next(), try row.next())
    }
}
