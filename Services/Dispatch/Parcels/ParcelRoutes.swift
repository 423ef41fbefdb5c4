import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Postgres
import SeraiJSON
import ServiceKit

/// Routes of a market's owners besides posting: what they have sent, and what a parcel may cost (O11, X4).
struct ParcelRoutes: Sendable {
    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/parcels/sent") { _, context in
            let (market, _) = try markets.market(of: context)
            try context.caller.require("customer", in: market.id)
            let sent = CountSentParcels(account: context.caller.accountID, market: market.id)
            return SentParcelsView(try await orders.reader.pool.query(sent))
        }
        group.put("orders/{id}/sharing") { try await share($0, $1) }
        group.put("orders/{id}/photo") { request, context in
            let form = try await request.form(context: context)
            let photo = form.uuid("photo")
            guard let photo, form.isValid else { throw form.problem }
            return try await change(photo, request, context)
        }
        group.delete("orders/{id}/photo") { try await change(nil, $0, $1) }
        group.get("markets/{market}/parcels/estimate") { request, context in
            try await estimate(request, context)
        }
    }

    /// A carrier lets the owner follow the way, or no longer (X3).
    private func share(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let form = try await request.form(context: context)
        let isOn = form.bool("on")
        guard let isOn, form.isValid else { throw form.problem }
        let details = try await orders.reader.pool.withTransaction { transaction in
            let details = try await ShareWay()(
                id, by: context.caller.accountID, isOn: isOn, at: orders.clock(), in: transaction)
            try context.caller.require(OrderActor.provider.roleInMarket, in: details.order.market)
            return details
        }
        return try orders.response(details, for: .provider, .ok, context)
    }

    /// The owner changes the photo until the pick-up.
    private func change(_ photo: UUID?, _ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("id")
        let details = try await orders.reader.pool.withTransaction { transaction in
            let details = try await ChangePhoto()(
                photo, of: id, by: context.caller.accountID, at: orders.clock(), in: transaction)
            try context.caller.require(OrderActor.customer.roleInMarket, in: details.order.market)
            return details
        }
        return try orders.response(details, for: .customer, .ok, context)
    }

    private func estimate(_ request: Request, _ context: AuthenticatedContext) async throws -> ParcelEstimateView {
        let (market, settings) = try markets.market(of: context)
        guard market.kind(Market.Workflow.parcel.rawValue) != nil else { throw Problem.notFound }
        try context.caller.require("customer", in: market.id)
        let query = QueryForm(lenient: request)
        let from = query.place("fromLatitude", "fromLongitude", isRequired: true)
        let to = query.place("toLatitude", "toLongitude", isRequired: true)
        let grams = query.integer("grams", in: PostParcel.Input.grams, isRequired: true)
        let isFragile = query.bool("fragile") ?? false
        guard let from, let to, let grams, query.isValid else { throw query.problem }
        let question = EstimateParcel.Question(
            market: market.id, metres: Int(from.metres(to: to).rounded()), grams: grams, isFragile: isFragile)
        let estimate = try await EstimateParcel(pool: orders.reader.pool)(question, settings, at: orders.clock())
        return ParcelEstimateView(estimate, settings)
    }
}
