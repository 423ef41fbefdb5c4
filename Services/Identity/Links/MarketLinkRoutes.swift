import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes of the families of a market, for its admins and master admins (I9).
struct MarketLinkRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/links", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: make)
            .post("{link}/approval", use: approve)
            .delete("{link}", use: remove)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<MarketLinkView> {
        let market = try context.administeredMarket().id
        let query = QueryForm(request)
        let state = query.choice("state", of: Link.State.self) ?? .agreed
        let page = try query.page(of: "links", where: ["market": market], sealedBy: parts.cursors)
        let rows = try await parts.pool.query(
            ListMarketLinks(
                market: market, state: state, after: page.position(first: .beginning), limit: page.fetchLimit))
        return try page.answer(
            rows.compactMap { $0 }, at: { ($0.askedAt, $0.link.id) }, item: MarketLinkView.init)
    }

    private func make(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let from = form.uuid("from")
        let to = form.uuid("to")
        let scopes = form.linkScopes(.family)
        if let from, from == to { form.reject("to", "invalid-value") }
        guard let from, let to, let scopes, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let link = Link.made(.timeOrdered(), market: market, from: from, to: to, scopes: scopes)
            try await parts.changeLinks.make(
                link, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return try .json(
                .created, LinkStateView(link), at: "/identity/v1/markets/\(market)/links/\(link.id.text)")
        }
    }

    private func approve(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let link = try context.uuid("link")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try .json(
                .ok,
                LinkStateView(
                    try await parts.changeLinks.approve(
                        link, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)))
        }
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let link = try context.uuid("link")
        try await parts.pool.withTransaction { transaction in
            try await parts.changeLinks.remove(
                link, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }
}
