import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Routes of saved places, for their owner alone.
struct PlaceRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/accounts/me/places", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: add)
            .get("{place}", use: read)
            .put("{place}", use: change)
            .delete("{place}", use: remove)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<PlaceView> {
        let query = QueryForm(request, ignoring: .unknown)
        let market = try market(query, context)
        let account = context.caller.accountID
        let page = try query.page(of: "places", owner: account, sealedBy: parts.cursors)
        let least = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let rows = try await parts.pool.query(
            ListPlaces(
                account: account, market: market.id, after: page.lastID ?? least, limit: page.fetchLimit))
        let area = area(of: market)
        return try page.answer(
            rows, id: { $0.id }, item: { PlaceView(try parts.places.open($0), area, in: context.language) })
    }

    private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let market = form.market("market")
        // A caller without a role in the market gets only that error.
        if let market { try Self.require(context.caller, in: market) }
        let content = form.savedPlace(in: market.map(area))
        guard let market, let content, form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            let place = try await parts.places.add(
                content, to: context.caller.accountID, in: market.id, at: parts.clock(), in: transaction)
            return try answer(.created, place, market, context)
                .located(at: "/identity/v1/accounts/me/places/\(place.id.text)")
        }
    }

    private func read(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let place = try await find(context)
        return try answer(.ok, place, Market.named(place.market), context)
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = Market.named(try await find(context).market)
        let form = try await request.form(context: context)
        let content = form.savedPlace(in: market.map(area))
        guard let content, form.isValid else { throw form.problem }
        let id = try context.uuid("place")
        let place = try await parts.pool.withTransaction { transaction in
            try await parts.places.change(
                id, of: context.caller.accountID, to: content, version: EntityTag.expected(by: request),
                at: parts.clock(), in: transaction)
        }
        return try answer(.ok, place, market, context)
    }

    /// Requires `confirm=true`; otherwise the answer asks for confirmation and nothing is removed (I8).
    private func remove(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let id = try context.uuid("place")
        let place = try await find(context)
        guard QueryForm(request)["confirm"] == "true" else {
            throw Problem(
                "place-confirmation-needed", status: .conflict, arguments: ["name": place.content.name],
                extensions: ["name": .string(place.content.name)])
        }
        try await parts.pool.withTransaction { transaction in
            try await parts.places.remove(
                id, of: context.caller.accountID, version: EntityTag.expected(by: request), in: transaction)
        }
        return Response(status: .noContent)
    }

    private func find(_ context: AuthenticatedContext) async throws -> SavedPlace {
        let find = FindPlace(place: try context.uuid("place"), account: context.caller.accountID)
        guard let row = try await parts.pool.first(find) else { throw IdentityError.noSuchPlace }
        return try parts.places.open(row)
    }

    private func answer(
        _ status: HTTPResponse.Status, _ place: SavedPlace, _ market: Market?, _ context: AuthenticatedContext
    ) throws -> Response {
        var response = try Response.json(status, PlaceView(place, market.map(area), in: context.language))
        response.headers[.eTag] = EntityTag.text(place.version)
        return response
    }

    /// The service area by the admins' current setting.
    private func area(of market: Market) -> ServiceArea { parts.serviceArea(of: market) }

    private func market(_ query: QueryForm, _ context: AuthenticatedContext) throws(Problem) -> Market {
        if query.text("market", isRequired: true) == nil { throw query.problem }
        guard let market = query.choice("market", of: Market.all.map(\.id)).flatMap(Market.named) else {
            throw query.problem
        }
        try Self.require(context.caller, in: market)
        return market
    }

    private static func require(_ caller: Caller, in market: Market) throws(Problem) {
        try caller.require(anyOf: Set(Role.Kind.allCases.map(\.rawValue)), in: market.id)
    }
}

/// A saved place as shown to its owner.
struct PlaceView: Encodable, Sendable {
    let place: String
    let market: String
    let version: Int
    let label: String
    let name: String
    let description: String?
    let address: String?
    let coordinates: Coordinate
    let favourite: Bool
    /// Whether the market serves this place now.
    let served: Bool
    let createdAt: Date
    let changedAt: Date
    /// About the owner's own words; nil without any.
    let warnings: [WarningView]?

    init(_ place: SavedPlace, _ area: ServiceArea?, in language: Language) {
        self.place = place.id.text
        market = place.market
        version = place.version
        label = place.content.label.rawValue
        name = place.content.name
        description = place.content.description
        address = place.content.address
        coordinates = Coordinate(latitude: place.content.latitude, longitude: place.content.longitude)
        favourite = place.content.isFavourite ?? false
        served = area?.contains(latitude: coordinates.latitude, longitude: coordinates.longitude) ?? false
        createdAt = place.createdAt
        changedAt = place.changedAt
        let words = [place.content.name, place.content.description, place.content.address]
        warnings = WarningView.of(words, in: place.market, language.rawValue)
    }
}
