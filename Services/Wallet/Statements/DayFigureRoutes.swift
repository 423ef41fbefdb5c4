import Contracts
import Foundation
import Hummingbird
import NIOCore
import Postgres
import ServiceKit

/// Serves a market's refunds, payouts and fines by day to its admins.
struct DayFigureRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/day-figures") { request, context in
            DayFiguresView(try await found(request, try context.administeredMarket()))
        }
        group.get("markets/{market}/day-figures.csv") { request, context in
            let market = try context.administeredMarket()
            let found = try await found(request, market)
            let head = DayFigures.columns.map { CSVLine.Cell.text($0.text(in: context.language.rawValue)) }
            let lines = found.days.map { day, figures -> [CSVLine.Cell] in
                [
                    .text(day), .number(figures.refunds.count), .number(figures.refunds.amount),
                    .number(figures.cashOuts.count), .number(figures.cashOuts.amount),
                    .number(figures.fines.count), .number(figures.fines.amount), .number(figures.fines.paid),
                    .number(figures.fines.waived), .text(found.currency),
                ]
            }
            let text = CSVLine.byteOrderMark + ([head] + lines).map(CSVLine.text).joined()
            return Response.csv(
                name: "day-figures-\(market.id)", body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }

    struct Found {
        let range: DayRange
        let currency: String
        let days: [(day: String, figures: DayFigures)]
    }

    /// `?from=2026-03-01&to=2026-03-31`, both days included, in the market's zone; the last thirty days by default.
    private func found(_ request: Request, _ market: Market) async throws -> Found {
        let settings = parts.settings(of: market)
        let query = QueryForm(request)
        let range = query.days(timeZone: settings.timeZone, now: parts.clock())
        let currency = query.currency() ?? settings.currency
        try query.finish()
        guard let range else { throw query.problem }
        let rows = try await parts.pool.query(SumDayFigures(market: market.id, currency: currency, range: range))
        return Found(range: range, currency: currency, days: DayFigures.of(range, rows))
    }
}

struct DayFiguresView: ResponseEncodable, Sendable {
    struct Sum: Encodable, Sendable {
        let count: Int
        /// Minor units.
        let amount: Int
    }

    struct Fines: Encodable, Sendable {
        let count: Int
        /// Minor units, like the next two.
        let amount: Int
        let paid: Int
        let waived: Int
    }

    struct Day: Encodable, Sendable {
        let day: String
        let refunds: Sum
        let cashOuts: Sum
        let fines: Fines

        init(_ day: String, _ figures: DayFigures) {
            self.day = day
            refunds = Sum(count: figures.refunds.count, amount: figures.refunds.amount)
            cashOuts = Sum(count: figures.cashOuts.count, amount: figures.cashOuts.amount)
            fines = Fines(
                count: figures.fines.count, amount: figures.fines.amount, paid: figures.fines.paid,
                waived: figures.fines.waived)
        }
    }

    let currency: String
    let timeZone: String
    /// Every day of the range.
    let items: [Day]

    init(_ found: DayFigureRoutes.Found) {
        currency = found.currency
        timeZone = found.range.timeZone
        items = found.days.map { Day($0.day, $0.figures) }
    }
}
