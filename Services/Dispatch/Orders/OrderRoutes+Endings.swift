import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Routes for endings before the work is done: cancellation with its price, and reports.
extension OrderRoutes {
    private var quotes: QuoteCancellation {
        QuoteCancellation(pool: reader.pool, markets: operations.cancel.change.markets)
    }

    private var seals: QuoteSealer { QuoteSealer(cursors: cursors) }

    /// `GET {id}/cancellation`
    func quoteCancellation(_ request: Request, _ context: AuthenticatedContext) async throws -> CancellationView {
        let account = context.caller.accountID
        let answer = try await quotes(try context.uuid("id"), for: account, at: clock())
        return CancellationView(answer, seal: try seals.seal(answer.quote, of: answer.order.id, for: account))
    }

    /// `POST {id}/cancel`
    func cancel(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let account = context.caller.accountID
        var input = CancelOrder.Input()
        if let form = try await once.request.optionalForm(context: context) {
            input = try CancelOrder.Input(form, not: markets.reasons) { seals.open($0, of: order, for: account) }
        }
        return try await answer(once, .ok, context) { transaction in
            do {
                return try await operations.cancel(order, by: account, input, at: clock(), in: transaction)
            } catch let refusal as CancelOrder.FineNotAccepted {
                throw try problem(refusal, of: order, for: account)
            }
        }
    }

    /// Problem with a new quote, so that the customer can agree at once.
    private func problem(_ refusal: CancelOrder.FineNotAccepted, of order: UUID, for account: UUID) throws -> Problem {
        let quote = CancellationQuote(
            fine: refusal.fine, until: clock().addingTimeInterval(CancellationQuote.seconds))
        let fine = Money(amount: refusal.fine.amount, currency: refusal.currency)
        return Problem(
            refusal.hasGrown ? "fine-grown" : "fine-not-accepted", status: .conflict,
            arguments: [
                "amount": String(fine.amount), "currency": fine.currency, "metres": String(refusal.fine.metres),
            ],
            extensions: [
                "fine": .object(["amount": .integer(Int64(fine.amount)), "currency": .string(fine.currency)]),
                "metres": .integer(Int64(refusal.fine.metres)),
                "validUntil": .string(Timestamp.text(quote.until)),
                "quote": .string(try seals.seal(quote, of: order, for: account)),
            ])
    }

    /// `POST {id}/reports`
    func report(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (order, once) = try await order(request, context)
        let input = try ReportOrder.Input(try await once.request.form(context: context))
        let account = context.caller.accountID
        return try await idempotency.answer(once) { transaction in
            let (report, details) = try await operations.report(
                order, by: account, input, at: clock(), in: transaction)
            try context.caller.require(report.by.roleInMarket, in: details.order.market)
            let view = ReportView(
                report, of: details.order, in: markets.named(details.order.market), language: context.language.rawValue)
            return try .json(.created, view, at: "/dispatch/v1/orders/\(order.text)/reports")
        }
    }

    /// `GET {id}/reports`: the caller's own reports, and the one that an admin decides about, whoever made it. Admins
    /// read reports in the admin service.
    func reports(_ request: Request, _ context: AuthenticatedContext) async throws -> ReportListView {
        let id = try context.uuid("id")
        let (rows, reports) = try await reader.pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(FindOrder(order: id), ListReports(order: id))
        }
        guard let order = try rows.first?.details().order, let role = order.role(of: context.caller.accountID) else {
            throw OrderNotFound()
        }
        let visible = reports.filter { $0.by == role || $0.id == order.report }
        let market = markets.named(order.market)
        return ReportListView(
            items: visible.map { ReportView($0, of: order, in: market, language: context.language.rawValue) })
    }
}
