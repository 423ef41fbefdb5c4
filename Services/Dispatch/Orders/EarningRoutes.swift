import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Postgres
import ServiceKit

/// A provider's own earnings in a market: of all time, and by day or week (O11).
struct EarningRoutes: Sendable {
    static let maximumDays = 92

    /// The length of the periods in which earnings are added up.
    enum Period: String, CaseIterable { case day, week }

    let markets: LiveMarkets
    let pool: PostgresPool
    let clock: @Sendable () -> Date

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/earnings") { try await list($0, $1) }
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> EarningsView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let account = context.caller.accountID
        let query = QueryForm(lenient: request)
        let period = query.choice("by", of: Period.self)
        let today = ZonedClock(settings.timeZone)?.wall(at: clock()).day ?? LocalDay(number: 0)
        let last = query.day("to") ?? today
        let first = query.day("from") ?? last.advanced(by: period == .week ? -83 : -29)
        if !(0..<Self.maximumDays).contains(last.number - first.number) {
            query.reject("from", "out-of-range", ["minimum": "1", "maximum": "\(Self.maximumDays)"])
        }
        guard query.isValid else { throw query.problem }
        let (totals, days, since) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListEarnings(market: market.id, account: account),
                ListEarningsOfDays(market: market.id, account: account, first: first, last: last),
                FindFirstEarningDay(market: market.id, account: account))
        }
        return EarningsView(
            totals, days: days, by: period, since: since.first ?? nil, of: market, in: context.language)
    }
}

/// Earnings of a provider.
struct EarningsView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let kind: String
        /// The market's name of the kind, in the reader's language.
        let kindName: String
        let orders: Int
        let amount: Money
        let returned: Money
        /// Beside the amount.
        let tips: Money

        init(_ earnings: Earnings, of market: Market, in language: Language) {
            kind = earnings.kind
            kindName = market.kind(earnings.kind)?.name.text(in: language.rawValue) ?? earnings.kind
            orders = earnings.count
            amount = Money(amount: earnings.amount, currency: earnings.currency)
            returned = Money(amount: earnings.returned, currency: earnings.currency)
            tips = Money(amount: earnings.tips, currency: earnings.currency)
        }
    }

    struct Period: Encodable, Sendable {
        /// The first and last day, both included, in the market's zone; a week is Monday to Sunday (ISO 8601).
        let from: String
        let to: String
        let items: [Item]
    }

    /// Sums since the beginning.
    let items: [Item]
    /// The first day that is known apart; nil before the first.
    let since: String?
    /// Sums of days or weeks, newest first, without those in which nothing was earned; nil where not asked for.
    let periods: [Period]?

    init(
        _ totals: [Earnings], days: [ListEarningsOfDays.Row], by period: EarningRoutes.Period?, since: String?,
        of market: Market, in language: Language
    ) {
        items = totals.map { Item($0, of: market, in: language) }
        self.since = since
        periods = period.map { period in
            EarningPeriod.grouped(days, byWeek: period == .week).map { group in
                Period(
                    from: group.first.text, to: group.last.text,
                    items: group.sums.map { Item($0, of: market, in: language) })
            }
        }
    }
}

/// The earnings of a day or of a week.
struct EarningPeriod: Sendable, Equatable {
    let first: LocalDay
    let last: LocalDay
    /// Sums of each kind and currency.
    let sums: [Earnings]

    /// Newest first.
    static func grouped(_ rows: [ListEarningsOfDays.Row], byWeek: Bool) -> [EarningPeriod] {
        let groups = Dictionary(grouping: rows) { row in
            byWeek ? row.day.advanced(by: -row.day.weekday.days(since: .monday)) : row.day
        }
        return groups.keys.sorted(by: >).map { first in
            let sums = Dictionary(grouping: groups[first] ?? []) { "\($0.sums.kind) \($0.sums.currency)" }
            return EarningPeriod(
                first: first, last: byWeek ? first.advanced(by: 6) : first,
                sums: sums.keys.sorted().compactMap { key in Earnings(adding: (sums[key] ?? []).map(\.sums)) })
        }
    }
}

extension Earnings {
    /// The sum of earnings of one kind in one currency; nil for none.
    init?(adding all: [Earnings]) {
        guard let one = all.first else { return nil }
        self.init(
            kind: one.kind, currency: one.currency, count: all.reduce(0) { $0 + $1.count },
            amount: all.reduce(0) { $0 + $1.amount }, returned: all.reduce(0) { $0 + $1.returned },
            tips: all.reduce(0) { $0 + $1.tips })
    }
}
