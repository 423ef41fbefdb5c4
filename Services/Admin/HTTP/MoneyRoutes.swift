import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

extension AdminRoutes {
    /// `GET markets/{market}/money`
    @Sendable func money(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        if request.acceptsOnlyCSV { return try await moneyCSV(request, context) }
        let view = try await SumMoney(pool: pool)(market, try days(request, market))
        return try context.responseEncoder.encode(view, from: request, context: context)
    }

    /// `GET markets/{market}/money.csv`
    @Sendable func moneyCSV(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let view = try await SumMoney(pool: pool)(market, try days(request, market))
        return .csv(name: "money-\(market.id)", body: ResponseBody(byteBuffer: ByteBuffer(string: view.csv)))
    }

    /// `GET markets/{market}/statistics`
    @Sendable func statistics(_ request: Request, _ context: AuthenticatedContext) async throws -> StatisticsView {
        let market = try market(context)
        return try await CollectStatistics(pool: pool)(market, try days(request, market))
    }

    private func days(_ request: Request, _ market: Market) throws(Problem) -> DayRange {
        var query = QueryReader(request)
        let days = query.days(timeZone: market.timeZone, now: now())
        try query.finish()
        guard let days else { throw Problem("invalid-query", status: .badRequest) }
        return days
    }
}
