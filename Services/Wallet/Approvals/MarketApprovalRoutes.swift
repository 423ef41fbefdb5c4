import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Serves a market's approvals to its admins.
struct MarketApprovalRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/approvals", use: list)
        group.get("markets/{market}/approvals.csv", use: csv)
        group.get("markets/{market}/approvals/{approval}") { _, context in
            let market = try context.administeredMarket()
            let id = try context.uuid("approval")
            guard let approval = try await parts.pool.first(FindApproval(approval: id)), approval.market == market.id
            else { throw Problem.notFound }
            return ApprovalView(approval)
        }
        group.post("markets/{market}/approvals/{approval}/decision", use: decide)
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<ApprovalView>
    {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: Approval.State.self) ?? .waiting
        let kind = query.choice("kind", of: Approval.Kind.self)
        let page = try query.page(
            of: "markets/\(market.id)/approvals", owner: context.caller.accountID, sealedBy: parts.sealer)
        let settled = try await page.settled(parts.pool)
        let rows = try await parts.pool.query(
            ListApprovals(
                market: market.id, state: state, kind: kind, after: page.last, limit: page.fetchLimit))
        return try page.answer(rows, settled: settled, at: { ($0.begunAt, $0.id) }, item: ApprovalView.init)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let query = QueryForm(request)
        let state = query.choice("state", of: Approval.State.self) ?? .waiting
        let kind = query.choice("kind", of: Approval.Kind.self)
        try query.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "approvals-\(market.id)",
            head: Approval.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListApprovals(market: market.id, state: state, kind: kind, after: after, limit: limit))
            }, position: { ($0.begunAt, $0.id) },
            line: { approval in
                [
                    .text(approval.id.text), .text(approval.kind.name.text(in: language)),
                    .text(approval.state.name.text(in: language)),
                    .text(approval.subject.text), .number(approval.amount), .text(approval.currency),
                    .text(approval.begunBy.text), .text(Timestamp.text(approval.begunAt)),
                    .text(approval.decidedBy?.text), .text(approval.decidedAt.map(Timestamp.text)),
                    .text(approval.reason),
                ]
            }
        ).response()
    }

    @Sendable private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let id = try context.uuid("approval")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let approves = form.bool("approve")
        let reason = form.words("reason", length: 3...500, required: approves == false)
        guard let approves, form.isValid else { throw form.problem }
        let decide = DecideApproval(
            currencies: MarketCurrencies(parts.markets),
            threshold: { [parts] in parts.amount(\.secondApprovalAmount, in: $0, of: market) })
        return try await parts.idempotency.answer(once) { transaction in
            do {
                let approval = try await decide(
                    id, in: market.id, rejecting: approves ? nil : reason ?? "", by: context.caller.accountID,
                    at: parts.clock(), in: transaction)
                return try .json(.ok, ApprovalView(approval))
            } catch let error as LedgerError {
                throw error.asRefund
            }
        }
    }
}

struct ApprovalView: ResponseEncodable, Sendable {
    let approval: String
    /// `cashOut`, `refund`, `promoCode`, `writeOff`.
    let kind: String
    let state: String
    /// The cash-out, the refund's order, the promo code, or the debtor.
    let subject: String
    /// The maximum cost.
    let amount: AmountView
    /// The requested act in readable form.
    let details: [String: String]
    let begunBy: String
    let begunAt: Date
    let decidedBy: String?
    let decidedAt: Date?
    let reason: String?

    init(_ approval: Approval) {
        self.approval = approval.id.text
        kind = approval.kind.rawValue
        state = approval.state.rawValue
        subject = approval.subject.text
        amount = AmountView(amount: approval.amount, currency: approval.currency)
        details =
            switch approval.wish {
            case nil: [:]
            case .refund(let wish):
                [
                    "to": wish.destination.rawValue, "fundedBy": wish.funder.rawValue, "reason": wish.reason,
                    "mayOwe": String(wish.mayOwe),
                ]
            case .promoCode(let code): PromoCodeForm.details(code)
            case .writeOff(let wish): ["reason": wish.reason]
            }
        begunBy = approval.begunBy.text
        begunAt = approval.begunAt
        decidedBy = approval.decidedBy?.text
        decidedAt = approval.decidedAt
        reason = approval.reason
    }
}

extension Approval.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .ownMatter: .ownMatter
        case .decided(let state):
            Problem(
                "approval-decided", status: .conflict, arguments: ["state": state.rawValue],
                extensions: ["state": .string(state.rawValue)])
        }
    }
}

extension ApprovalView {
    /// The answer to an act that waits for an approval.
    static func waiting(_ approval: Approval) throws -> Response {
        try .json(
            .accepted, ApprovalView(approval),
            at: "/wallet/v1/markets/\(approval.market)/approvals/\(approval.id.text)")
    }
}
