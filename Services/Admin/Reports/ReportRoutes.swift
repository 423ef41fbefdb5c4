import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension AdminRoutes {
    /// `GET markets/{market}/reports`: oldest first; open ones by default.
    @Sendable func reports(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<ReportView> {
        let market = try market(context)
        let query = QueryForm(request)
        let state = query.choice("state", of: ReportRow.State.self) ?? .open
        let awaits = query.choice("awaits", of: ["decision", "answer"])
        let isOverdue = query.bool("overdue")
        let page = try query.page(
            of: "reports", where: ["market": market.id], owner: context.caller.accountID, sealedBy: sealer)
        let rows = try await pool.query(
            ListReports(
                market: market.id, state: state, awaitsDecision: awaits.map { $0 == "decision" },
                isOverdue: isOverdue, after: page.position(first: .oldest), limit: page.fetchLimit))
        let known = try await live(market.id)
        return try page.answer(
            rows, at: { ($0.at, $0.id) }, item: { ReportView($0, in: known, language: context.language) })
    }

    /// `GET markets/{market}/waiting`: a number and no list, hence no entry of the audit log.
    @Sendable func waiting(_ request: Request, _ context: AuthenticatedContext) async throws -> WaitingReportsView {
        let market = try market(context)
        return WaitingReportsView(reports: try await pool.first(CountOpenReports(market: market.id)) ?? 0)
    }

    /// `GET reports/{report}`: with the order and all its reports.
    @Sendable func report(_ request: Request, _ context: AuthenticatedContext) async throws -> ReportDetailsView {
        try context.caller.requireAdmin()
        let id = try context.uuid("report")
        return try await pool.withTransaction(.readOnly) { transaction in
            try await details(id, context, in: transaction)
        }
    }

    /// `POST reports/{report}/decision`
    @Sendable func decideReport(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try context.caller.requireAdmin()
        let id = try context.uuid("report")
        let once = try await IdempotentRequest(request, context: context)
        let input = try DecideReport.Input(try await once.request.form(context: context))
        return try await idempotency.answer(once) { transaction in
            try await DecideReport.decide(id, input, by: context.caller, at: clock(), in: transaction)
            return try .json(.ok, try await details(id, context, in: transaction))
        }
    }

    /// `POST reports/{report}/answer`
    @Sendable func answerReport(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try context.caller.requireAdmin()
        let id = try context.uuid("report")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let answer = form.string("answer", length: 1...1_000, lines: true)
        guard let answer, form.isValid else { throw form.problem }
        return try await idempotency.answer(once) { transaction in
            try await AnswerReport.answer(id, answer, by: context.caller, at: clock(), in: transaction)
            return try .json(.ok, try await details(id, context, in: transaction))
        }
    }

    private func details(
        _ id: UUID, _ context: AuthenticatedContext, in transaction: PostgresTransaction
    ) async throws -> ReportDetailsView {
        guard let order = try await transaction.first(FindReportOrder(report: id)) else { throw Problem.notFound }
        let (orders, reports) = try await transaction.queryAll(
            ShowOrder(order: order), ListReportsOfOrder(order: order))
        // Reports of markets that the caller does not administer are not found.
        guard let report = reports.first(where: { $0.id == id }), context.caller.has("admin", in: report.market) else {
            throw Problem.notFound
        }
        let rows = try await transaction.query(ListCatalogue(market: report.market))
        return try ReportDetailsView(
            report, reports, orders.first, in: Market.named(report.market).map { MarketCatalogue($0, rows).market },
            language: context.language)
    }
}

extension DecideReport.Input {
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form) throws(Problem) {
        let decision = form.choice("decision", of: ReportDecided.Decision.self)
        let toCustomer = Self.money(form, "toCustomer")
        let toProvider = Self.money(form, "toProvider")
        let deposit = form.choice("deposit", of: ReportDecided.DepositDecision.self, required: false)
        let reason = form.string("reason", length: 1...1_000, lines: true)
        guard let decision, let reason, form.isValid else { throw form.problem }
        self.init(decision: decision, toCustomer: toCustomer, toProvider: toProvider, deposit: deposit, reason: reason)
    }

    private static func money(_ form: Form, _ name: String) -> Money? {
        guard let money = form.object(name, required: false) else { return nil }
        let amount = money.integer("amount", in: 1...1_000_000_000_000)
        let currency = money.string("currency", length: 3...3)
        guard let amount, let currency else { return nil }
        return Money(amount: amount, currency: currency)
    }
}
