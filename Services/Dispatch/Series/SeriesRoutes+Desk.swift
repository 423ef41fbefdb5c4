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
        let query = QueryForm(request)
        let text = query.text("customer", upTo: 36, required: true)
        let customer = UUID(uuidString: text)
        if !text.isEmpty, customer == nil { query.reject("customer", "not-an-id") }
        guard let customer, query.isValid else { throw query.problem }
        let scope = CursorScope(
            list: "series of a customer", filters: ["market": market.id, "customer": customer.text],
            owner: context.caller.accountID.uuidString)
        let page = try PageRequest(request, scope: scope, sealer: cursors)
        let rows = try await reader.pool.query(
            ListSeriesInMarket(
                market: market.id, customer: customer, after: page.cursor?.values.first?.uuid, limit: page.fetchLimit)
        ).map { try $0.series() }
        return try Page(
            rows: rows, request: page, direction: .descending, scope: scope, sealer: cursors,
            position: { [.uuid($0.id)] }, item: { view($0, context) })
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
