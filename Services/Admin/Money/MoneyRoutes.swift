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
        let view = try await SumMoney(pool: late)(try await span(QueryForm(request), market))
        return try .json(.ok, view)
    }

    /// `GET markets/{market}/money.csv`
    @Sendable func moneyCSV(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let view = try await SumMoney(pool: late)(try await span(QueryForm(request), market))
        return .csv(
            name: "money-\(market.id)",
            body: ResponseBody(byteBuffer: ByteBuffer(string: view.csv(in: context.language))))
    }

    /// `GET markets/{market}/statistics`
    @Sendable func statistics(_ request: Request, _ context: AuthenticatedContext) async throws -> StatisticsView {
        let market = try market(context)
        return try await CollectStatistics(pool: late)(try await span(QueryForm(request), market))
    }

    /// `GET markets/{market}/statistics.csv`: with the money of the same days.
    @Sendable func statisticsCSV(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try market(context)
        let query = QueryForm(request)
        let period = query.choice("by", of: StatisticsPeriod.self) ?? .day
        let days = try await span(query, market)
        let file = StatisticsFile(
            statistics: try await CollectStatistics(pool: late)(days), money: try await SumMoney(pool: late)(days),
            period: period)
        return .csv(
            name: "statistics-\(market.id)",
            body: ResponseBody(byteBuffer: ByteBuffer(string: file.text(in: context.language, market: market))))
    }

    /// The requested days in the market's zone, and the currency: the market's by default.
    private func span(_ query: QueryForm, _ market: Market) async throws -> MarketDays {
        let settings = try await inForce(in: market)
        let days = query.days(timeZone: settings.timeZone, now: clock())
        let currency = query.currency() ?? settings.currency
        try query.finish()
        guard let days else { throw Problem("invalid-query", status: .badRequest) }
        return MarketDays(market: market.id, currency: currency, range: days)
    }
}
