import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// A market's admins and its restaurants (C5, A1): all of them, whatever their state.
extension RestaurantRoutes {
    func addDesk(to group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/merchants") { try await merchants($0, $1) }
        group.get("markets/{market}/merchants/{id}") { try await merchant($0, $1) }
        group.put("markets/{market}/merchants/{id}/open") { try await switchMerchant($0, $1) }
        group.get("markets/{market}/merchants/{id}/sales") { try await salesOfMerchant($0, $1) }
    }

    private func merchants(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<MerchantView> {
        let (market, _) = try adminMarket(context)
        let query = QueryForm(lenient: request)
        let state = query.choice("state", of: Merchant.State.self)
        let name = query.text("name", isSearch: true).map(SearchName.folded)
        let page = try query.page(
            of: "merchants", .descending, where: ["market": market.id], owner: context.caller.accountID,
            sealedBy: cursors)
        let rows = try await pool.query(
            ListMerchants(
                market: market.id, after: page.lastID, name: name, state: state, limit: page.fetchLimit))
        return try page.answer(
            rows, id: { $0.restaurant.id }, item: { MerchantView($0, context.language) })
    }

    private func merchant(_ request: Request, _ context: AuthenticatedContext) async throws -> MerchantDetailsView {
        let (market, _) = try adminMarket(context)
        return try await details(try await found(try context.uuid("id"), market), context)
    }

    private func switchMerchant(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> MerchantDetailsView {
        let (market, settings) = try adminMarket(context)
        let id = try context.uuid("id")
        let form = try await request.form(context: context)
        let isOpen = form.bool("open")
        let reason = form.string("reason", length: 1...300)
        guard let isOpen, let reason, form.isValid else { throw form.problem }
        let merchant = try await pool.withTransaction { transaction in
            try await ManageRestaurant()(
                isOpen, id, in: market.id, reason: reason, settings.prices(in: market),
                by: context.caller.accountID, at: clock(), in: transaction)
        }
        return try await details(merchant, context)
    }

    private func salesOfMerchant(_ request: Request, _ context: AuthenticatedContext) async throws -> SalesView {
        let (market, settings) = try adminMarket(context)
        let restaurant = try await found(try context.uuid("id"), market).restaurant
        return try await sales(of: restaurant, market, settings, request)
    }

    private func details(_ merchant: Merchant, _ context: AuthenticatedContext) async throws -> MerchantDetailsView {
        MerchantDetailsView(
            merchant: MerchantView(merchant, context.language),
            page: try await view(merchant.restaurant, context, closedReason: merchant.closedReason))
    }

    private func found(_ id: UUID, _ market: Market) async throws -> Merchant {
        guard let merchant = try await pool.first(FindMerchant(restaurant: id, market: market.id)) else {
            throw RestaurantRefusal.notFound
        }
        return merchant
    }

    /// - Throws: 404 for a market without restaurants, 403 for a caller who is no admin of it.
    private func adminMarket(
        _ context: AuthenticatedContext
    ) throws(Problem) -> (market: Market, settings: MarketSettings) {
        let found = try markets.market(of: context)
        try context.caller.require("admin", in: found.market.id)
        return found
    }
}
