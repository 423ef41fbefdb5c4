import Foundation
import Postgres
import ServiceKit

/// What left a market's takings on one day, and what its fines came to. Amounts are minor units of one currency.
struct DayFigures: Sendable, Hashable {
    struct Sum: Sendable, Hashable {
        var count = 0
        var amount = 0
    }

    struct Fines: Sendable, Hashable {
        var count = 0
        var amount = 0
        /// The part of it that is paid by now.
        var paid = 0
        /// The part of it that admins have given back by now.
        var waived = 0
    }

    var refunds = Sum()
    var cashOuts = Sum()
    var fines = Fines()
}

/// Sums a market's refunds, payouts and fines by day of its zone: refunds by when they were made, cash-outs by when the payment
/// provider had paid them, fines by when they were charged.
struct SumDayFigures: Statement {
    struct Row: Sendable {
        let day: String
        let kind: String
        let count: Int
        let amount: Int
        let paid: Int
        let waived: Int
    }

    static let sql: SQL = """
        SELECT to_char(found.at AT TIME ZONE $2, 'YYYY-MM-DD'), found.kind, count(*), sum(found.amount)::bigint,
            sum(found.paid)::bigint, sum(found.waived)::bigint
        FROM (
            SELECT at, 'refunds' AS kind, amount, 0 AS paid, 0 AS waived FROM refunds
            WHERE market = $1 AND currency = $5 AND at >= $3 AND at < $4
            UNION ALL
            SELECT transfers.at, 'cashOuts', cash_outs.amount, 0, 0
            FROM transfers JOIN cash_outs ON cash_outs.id = transfers.subject
            WHERE transfers.kind = 'payout' AND transfers.at >= $3 AND transfers.at < $4
                AND cash_outs.market = $1 AND cash_outs.currency = $5
            UNION ALL
            SELECT fines.charged_at, 'fines', fines.amount,
                CASE WHEN fines.paid_at IS NULL THEN 0 ELSE fines.amount END,
                -- What was given back of the order beyond its price and tip was of its fine.
                least(fines.amount, greatest(coalesce(payments.refunded - CASE WHEN payments.state = 'captured'
                    THEN coalesce(payments.settled, payments.amount) - payments.discount + payments.tipped
                    ELSE 0 END, 0), 0))
            FROM fines LEFT JOIN payments ON payments.order_id = fines.order_id
            WHERE fines.market = $1 AND fines.currency = $5 AND fines.charged_at >= $3 AND fines.charged_at < $4
        ) AS found
        GROUP BY 1, 2
        """
    let market: String
    let currency: String
    let range: DayRange
    func bind(_ bindings: inout Bindings) {
        bindings.append(market, range.timeZone, range.start, range.end, currency)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            day: try row.next(), kind: try row.next(), count: try row.next(), amount: try row.next(),
            paid: try row.next(), waived: try row.next())
    }
}

extension DayFigures {
    /// Every day of the range, in order.
    static func of(_ range: DayRange, _ rows: [SumDayFigures.Row]) -> [(day: String, figures: DayFigures)] {
        var byDay: [String: DayFigures] = [:]
        for row in rows {
            var figures = byDay[row.day] ?? DayFigures()
            switch row.kind {
            case "refunds": figures.refunds = Sum(count: row.count, amount: row.amount)
            case "cashOuts": figures.cashOuts = Sum(count: row.count, amount: row.amount)
            default:
                figures.fines = Fines(count: row.count, amount: row.amount, paid: row.paid, waived: row.waived)
            }
            byDay[row.day] = figures
        }
        return range.days.map { ($0, byDay[$0] ?? DayFigures()) }
    }
}
