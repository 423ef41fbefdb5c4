import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Serves the disputes of a market's charges, and the unfreezing of wallets, to the market's admins.
struct MarketDisputeRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/disputes", use: list)
        group.get("markets/{market}/disputes.csv", use: csv)
        group.get("markets/{market}/disputes/{dispute}") { _, context in
            let market = try context.administeredMarket()
            let id = try context.uuid("dispute")
            guard let dispute = try await parts.pool.first(FindDispute(dispute: id, market: market.id)) else {
                throw Problem.notFound
            }
            return DisputeView(dispute)
        }
        group.post("markets/{market}/wallets/{account}/unfreezing", use: unfreeze)
    }

    @Sendable private func unfreeze(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let account = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let reason = form.words("reason", length: 3...500), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await ApplyDispute.unfreeze(
                account, in: market.id, because: reason, by: context.caller.accountID, at: parts.clock(),
                in: transaction)
            // Disputes of other markets may keep the wallet frozen.
            let isFrozen = try await WalletFreeze.isFrozen(account, in: transaction)
            return try .json(.ok, FreezeView(account: account.text, isFrozen: isFrozen))
        }
    }

    @Sendable private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<DisputeView> {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = DisputeQuery(form)
        let page = try form.page(
            of: "markets/\(market.id)/disputes", .descending, owner: context.caller.accountID, sealedBy: parts.sealer)
        let rows = try await parts.pool.query(
            ListDisputesOfMarket(filter: query.filter(market.id, after: page.last, limit: page.fetchLimit)))
        return try page.answer(rows, at: { ($0.madeAt, $0.id) }, item: DisputeView.init)
    }

    @Sendable private func csv(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let form = QueryForm(request)
        let query = DisputeQuery(form)
        try form.finish()
        let (pool, language) = (parts.pool, context.language.rawValue)
        return try await StreamCSV(
            name: "disputes-\(market.id)",
            head: Dispute.columns.map { $0.text(in: language) },
            part: { after, limit in
                try await pool.query(
                    ListDisputesOfMarket(filter: query.filter(market.id, after: after, limit: limit)))
            }, position: { ($0.madeAt, $0.id) },
            line: { dispute in
                [
                    .text(dispute.id.text), .text(Timestamp.text(dispute.madeAt)),
                    .text(dispute.kind.name.text(in: language)),
                    .text((dispute.state ?? .open).name.text(in: language)), .text(dispute.account.text),
                    .text(dispute.order?.text),
                    .number(dispute.amount), .number(dispute.debited), .text(dispute.currency),
                    .text(Subscription.renewal(dispute.isFreezing).text(in: language)), .text(dispute.reason),
                ]
            }
        ).response()
    }
}

private struct DisputeQuery {
    let kind: Dispute.Kind?
    let state: Dispute.State?
    let account: UUID?
    let freezes: Bool?
    let from: Date?
    let to: Date?

    /// The query has the faults.
    init(_ query: QueryForm) {
        kind = query.choice("kind", of: Dispute.Kind.self)
        state = query.choice("state", of: Dispute.State.self)
        account = query.uuid("account")
        freezes = query.bool("freezes")
        from = query.date("from")
        to = query.date("to")
    }

    func filter(_ market: String, after: (at: Date, id: UUID)?, limit: Int) -> DisputeFilter {
        DisputeFilter(
            market: market, kind: kind, state: state, account: account, freezes: freezes, from: from, to: to,
            after: after, limit: limit)
    }
}

private struct FreezeView: Encodable, Sendable {
    let account: String
    let isFrozen: Bool
}

struct DisputeView: ResponseEncodable, Sendable {
    let dispute: String
    let kind: String
    let state: String
    let account: String
    let order: String?
    let charge: String
    let amount: AmountView
    /// The part that the wallet has paid.
    let debited: AmountView
    let freezes: Bool
    let reason: String?
    let at: Date

    init(_ dispute: Dispute) {
        self.dispute = dispute.id.text
        kind = dispute.kind.rawValue
        state = (dispute.state ?? .open).rawValue
        account = dispute.account.text
        order = dispute.order?.text
        charge = dispute.charge.text
        amount = AmountView(amount: dispute.amount, currency: dispute.currency)
        debited = AmountView(amount: dispute.debited, currency: dispute.currency)
        freezes = dispute.isFreezing
        reason = dispute.reason
        at = dispute.madeAt
    }
}
