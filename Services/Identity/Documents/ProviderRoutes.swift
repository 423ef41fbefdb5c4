import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes of the providers of a market, for its admins and master admins.
struct ProviderRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/providers", context: AuthenticatedContext.self)
            .get(use: list)
            .post("{account}/verification", use: decide)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<ProviderView> {
        let market = parts.current(try context.administeredMarket())
        let query = QueryForm(request)
        let states: [Role.State] = [.waiting, .verified, .rejected]
        let state = query.choice("state", of: states.map(\.rawValue)).flatMap(Role.State.init) ?? .waiting
        let page = try query.page(of: "providers", where: ["market": market.id], sealedBy: parts.cursors)
        let rows = try await parts.pool.query(
            ListProviders(
                market: market.id, state: state, after: page.position(first: .beginning),
                afterTitle: page.cursor?.values.last?.text ?? "", limit: page.fetchLimit))
        return try page.answer(
            rows, position: { [.date($0.requestedAt), .uuid($0.account), .text($0.title ?? "")] },
            item: { ProviderView($0, of: market, in: context.language) })
    }

    private func decide(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket()
        let account = try context.uuid("account")
        let once = try await IdempotentRequest(request, context: context)
        let decision = try Self.decision(try await once.request.form(context: context))
        return try await parts.idempotency.answer(once) { transaction in
            try await parts.decideProvider(
                decision, on: account, in: market.id, by: context.caller.accountID, at: parts.clock(), in: transaction)
            guard
                let row = try await transaction.first(
                    FindProvider(market: market.id, account: account, title: decision.title))
            else {
                throw AccountError.notAProvider
            }
            return try .json(.ok, ProviderView(row, of: market, in: context.language))
        }
    }

    private static func decision(_ form: Form) throws(Problem) -> ProviderDecision {
        enum Word: String, CaseIterable { case verify, reject }
        let word = form.choice("decision", of: Word.self)
        let reason = form.showable("reason", maximum: 500, lines: true, required: word == .reject)
        let title = form.string("title", length: 1...100, required: word == .verify)
        let version = form.integer("version", in: 1...Int(Int32.max), required: false)
        guard let word, form.isValid else { throw form.problem }
        switch (word, title, reason) {
        case (.verify, let title?, _): return .verify(title: title, version: version)
        case (.reject, _, let reason?): return .reject(reason: reason, title: title)
        default: throw form.problem
        }
    }
}
