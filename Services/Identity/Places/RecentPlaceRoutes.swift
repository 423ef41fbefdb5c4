import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// `/identity/v1/accounts/me/markets/{market}/recent-places`, for their owner alone (X1).
struct RecentPlaceRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/markets/{market}/recent-places", context: AuthenticatedContext.self)
            .get(use: list)
            .put(use: put)
            .delete(use: clear)
            .delete("{place}", use: remove)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, account) = (try market(context), context.caller.accountID)
        let rows = try await parts.pool.query(ListRecentPlaces(account: account, market: market))
        return try .json(
            .ok, RecentPlaceList(items: try rows.map { RecentPlaceView(try parts.recentPlaces.open($0)) }))
    }

    private func put(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, account) = (try market(context), context.caller.accountID)
        let form = try await request.form(context: context)
        let name = form.showable("name", maximum: 100)
        let address = form.showable("address", maximum: 300, lines: true, required: false)
        let coordinates = form.coordinates("coordinates")
        guard let name, let coordinates, form.isValid else { throw form.problem }
        let content = RecentPlace.Content(
            name: name, address: address, latitude: coordinates.latitude, longitude: coordinates.longitude)
        let place = try await parts.pool.withTransaction { transaction in
            try await parts.recentPlaces.use(content, of: account, in: market, at: parts.clock(), in: transaction)
        }
        return try .json(.ok, RecentPlaceView(place))
    }

    private func clear(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let delete = DeleteRecentPlaces(account: context.caller.accountID, market: try market(context))
        try await parts.pool.execute(delete)
        return Response(status: .noContent)
    }

    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let delete = DeleteRecentPlace(id: try context.uuid("place"), account: context.caller.accountID)
        guard try await parts.pool.execute(delete) > 0 else { throw IdentityError.noSuchPlace }
        return Response(status: .noContent)
    }

    private func market(_ context: AuthenticatedContext) throws(Problem) -> String {
        let market = context.parameters.get("market") ?? ""
        try context.caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: market)
        guard Market.named(market) != nil else { throw .notFound }
        return market
    }
}

struct RecentPlaceList: Encodable, Sendable {
    let items: [RecentPlaceView]
}

/// A recent place as shown to its owner.
struct RecentPlaceView: Encodable, Sendable {
    let place: String
    let name: String
    let address: String?
    let coordinates: Coordinate
    let usedAt: Date

    init(_ place: RecentPlace) {
        self.place = place.id.text
        name = place.content.name
        address = place.content.address
        coordinates = Coordinate(latitude: place.content.latitude, longitude: place.content.longitude)
        usedAt = place.usedAt
    }
}
