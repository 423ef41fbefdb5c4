import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The desk and series of callers: it lists them, and changes them as their customer asks on the phone.
extension SeriesRoutes {
    /// The series in a market, for its admins; of one customer where the query names one. Each look is in the audit log.
    func listOfMarket(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<SeriesView> {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let query = QueryForm(lenient: request)
        let customer = query.uuid("customer")
        let state = query.choice("state", of: ["active", "ended"])
        let name = query.text("name", isSearch: true).map(SearchName.folded)
        let page = try query.page(
            of: "series of a customer", .descending, where: ["market": market.id], owner: context.caller.accountID,
            sealedBy: cursors)
        let filter = SeriesFilter(market: market.id, customer: customer, state: state, name: name)
        let (after, limit, now) = (page.lastID, page.fetchLimit, clock())
        let rows =
            if customer != nil {
                try await reader.pool.query(
                    ListSeriesOfCustomer(filter: filter, after: after, limit: limit, now: now))
            } else {
                try await reader.pool.query(ListSeriesOfMarket(filter: filter, after: after, limit: limit, now: now))
            }
        let found = try rows.map { row in
            let series = try row.series.series()
            let next = try row.nextAt(of: series, on: reader.clock(series.market), at: now)
            return (series: series, desk: SeriesView.Desk(customer: row.customer, nextAt: next))
        }
        return try page.answer(found, id: { $0.series.id }, item: { view($0.series, context, $0.desk) })
    }

    /// What the desk sees of a series besides what its customer does.
    func desk(of series: Series) async throws -> SeriesView.Desk {
        let now = clock()
        let visits = try await reader.visits(
            of: series, from: nil, limit: Self.maximumVisits, at: now
        ).map { (at: $0.order?.scheduledAt ?? $0.visit.startsAt, state: $0.visit.state) }
        let name = try await reader.pool.first(FindCustomerName(account: series.customer)) ?? ""
        return SeriesView.Desk(
            customer: Order.Party(account: series.customer, name: name),
            nextAt: visits.filter { $0.at > now && ($0.state == .planned || $0.state == .requested) }.map(\.at).min())
    }

    /// Whether the caller is an admin who acts for the series' customer.
    func isByPhone(_ id: UUID, _ context: AuthenticatedContext) async throws -> Bool {
        guard let series = try await reader.pool.first(FindSeries(series: id)) else { return false }
        guard series.customer != context.caller.accountID else { return false }
        return try context.caller.isAdmin(in: series.market)
    }
}
