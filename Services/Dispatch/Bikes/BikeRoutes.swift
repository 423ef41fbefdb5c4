import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Messaging
import Postgres
import ServiceKit

/// Routes for single bikes (C6): admins say what is wrong with one or bring one back, riders say that theirs is broken.
struct BikeRoutes: Sendable {
    let orders: OrderRoutes
    let markets: LiveMarkets
    let manage: ManageBikes

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
        group.post("markets/{market}/bikes/{bike}/state") { try await say($0, $1) }
        group.post("markets/{market}/bikes/{bike}/return") { try await bringBack($0, $1) }
        group.post("hires/{id}/broken") { try await breakDown($0, $1) }
    }

    private func say(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, bike) = try adminsBike(context)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let act = form.choice("state", of: ManageBikes.Act.self)
        let note = form.string("note", length: 1...300, required: false)
        guard let act, form.isValid else { throw form.problem }
        return try await orders.idempotency.answer(once) { transaction in
            try await manage.say(
                act, of: bike, in: market.id, note: note, by: context.caller.accountID, at: orders.clock(),
                in: transaction)
            return Response(status: .noContent)
        }
    }

    private func bringBack(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, bike) = try adminsBike(context)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let rack = form.uuid("rack")
        let time = form.date("at", required: false)
        guard let rack, form.isValid else { throw form.problem }
        return try await orders.idempotency.answer(once) { transaction in
            try await manage.bringBack(
                bike, to: rack, in: market.id, at: time, by: context.caller.accountID, now: orders.clock(),
                in: transaction)
            return Response(status: .noContent)
        }
    }

    private func breakDown(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.optionalForm(context: context)
        let note = form?.string("note", length: 1...300, required: false)
        try form?.finish()
        return try await orders.answer(once, .ok, context) { transaction in
            try await manage.breakDown(
                id, of: context.caller.accountID, note: note, at: orders.clock(), in: transaction)
        }
    }

    private func adminsBike(_ context: AuthenticatedContext) throws -> (Market, UUID) {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        return (market, try context.uuid("bike"))
    }
}
