import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The desk and series of callers: it lists them, and changes them as their customer asks on the phone.
extension SeriesRoutes {
    /// A customer's series in a market, for its admins. Each look is in the audit log.
    func listOfCustomer(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<SeriesView> {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let query = QueryForm(lenient: request)
        let customer = query.uuid("customer", isRequired: true)
        let page = try query.page(
            of: "series of a customer", .descending, where: ["market": market.id], owner: context.caller.accountID,
            sealedBy: cursors)
        guard let customer else { throw query.problem }
        let rows = try await reader.pool.query(
            ListSeriesInMarket(
                market: market.id, customer: customer, after: page.lastID, limit: page.fetchLimit)
        ).map { try $0.series() }
        return try page.answer(rows, id: { $0.id }, item: { view($0, context) })
    }

    /// Whether the caller is an admin who acts for the series' customer.
    func isByPhone(_ id: UUID, _ context: AuthenticatedContext) async throws -> Bool {
        guard let series = try await reader.pool.first(FindSeries(series: id)) else { return false }
        return series.customer != context.caller.accountID && context.caller.has("admin", in: series.market)
    }
}

/// Lists a customer's series in one market, newest first.
struct ListSeriesInMarket: Statement {
    static let sql: SQL = """
        SELECT id, market, customer, services, latitude, longitude, description, preferred, recipient, rule,
            to_char(first_day, 'YYYY-MM-DD'), minute, exceptions, to_char(planned_through, 'YYYY-MM-DD'), state,
            created_at, ended_at, ended_reason, currency, method, card, agreed_at, agreed_total, ordered_by, parcel
        FROM series WHERE market = $1 AND customer = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4
        """
    let market: String
    let customer: UUID
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, customer, after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> SeriesRow { try SeriesRow(&row) }
}
