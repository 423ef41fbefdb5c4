import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Matching
import Messaging
import Postgres
import ServiceKit

/// The named places of a market's guide (H3): everybody reads them, the market's admins edit them.
struct NamedPlaceRoutes: Sendable {
    static let nearestLimit = 20

    let admin: AdminRoutes

    func add(to parts: Router<SeraiRequestContext>) {
        let group = parts.group("admin/v1/markets/{market}/guide")
        group.get("places", use: shown)
        group.post("places/nearest", use: nearest)
    }

    func add(toSignedIn group: RouterGroup<AuthenticatedContext>) {
        group.get("markets/{market}/places", use: list)
        group.post("markets/{market}/places", use: add)
        group.put("markets/{market}/places/{id}", use: change)
    }

    // MARK: For everybody

    /// All of a city in one answer, so that it can be kept for a day without a connection.
    @Sendable private func shown(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let market = try Self.market(context)
        let query = QueryForm(request)
        let city = query.choice("city", of: GuideCity.all.map(\.id))
        let category = query.choice("category", of: NamedPlace.Category.self)
        let text = query.text("text", maximum: 100, isSearch: true)
        try query.finish()
        let places = try await admin.pool.withTransaction(.readOnly) {
            try await MarketPlaces.read(market, in: $0)
        }
        let items = places.shown(in: city, category, named: text).map {
            NamedPlaceListView.Item($0, context.language)
        }
        return try Response.cached(
            NamedPlaceListView(revision: places.revision, items, context.language), cache: "public, max-age=300",
            language: context.language)
    }

    /// A POST, because addresses stand in logs and where somebody is must not.
    @Sendable private func nearest(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let market = try Self.market(context)
        let form = try await request.form(context: context)
        let here = form.position()
        let category = form.choice("category", of: NamedPlace.Category.self, required: false)
        let limit = form.integer("limit", in: 1...Self.nearestLimit, required: false) ?? 5
        guard let here, form.isValid else { throw form.problem }
        let places = try await admin.pool.withTransaction(.readOnly) {
            try await MarketPlaces.read(market, in: $0)
        }
        let found = NamedPlace.nearest(
            places.shown(in: nil, category), to: GeoPoint(latitude: here.latitude, longitude: here.longitude),
            limit: limit)
        let items = found.map { NamedPlaceListView.Item($0.place, metres: $0.metres, context.language) }
        var answer = try Response.json(.ok, NamedPlaceListView(revision: places.revision, items, context.language))
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    private static func market(_ context: SeraiRequestContext) throws(Problem) -> String {
        guard let market = Market.named(context.parameters.get("market") ?? "") else { throw .notFound }
        return market.id
    }

    // MARK: For admins

    @Sendable private func list(
        _ request: Request, _ context: AuthenticatedContext
    ) async throws -> MarketPlaceListView {
        let market = try admin.market(context)
        try QueryForm(request).finish()
        return try await admin.pool.withTransaction(.readOnly) { transaction in
            let places = try await MarketPlaces.read(market.id, in: transaction)
            let names = try await Self.names(places.all, of: places, in: transaction)
            return MarketPlaceListView(items: places.all.map { MarketPlaceView($0, of: places, names: names) })
        }
    }

    @Sendable private func add(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try admin.market(context)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let id = form.string("id", length: 1...40).map { TypedText.asciiDigits($0).lowercased() }
        if let id, id.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) == nil { form.reject("id", "not-a-slug") }
        let place = try Self.place(id ?? "", form)
        return try await admin.idempotency.answer(once) { transaction in
            let change = ChangeNamedPlace(market: market.id, admin: context.caller.accountID, at: admin.clock())
            let places = try await change(place, isNew: true, in: transaction)
            return try await Self.answer(.created, place.id, places, in: transaction)
                .located(at: "/admin/v1/markets/\(market.id)/places")
        }
    }

    @Sendable private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try admin.market(context)
        let form = try await request.form(context: context)
        let match = AdminRoutes.version(ifMatch: request.headers[.ifMatch])
        if match == .wrong { form.validator.reject("If-Match", "invalid-value") }
        let place = try Self.place(context.parameters.get("id") ?? "", form)
        return try await admin.pool.withTransaction { transaction in
            let change = ChangeNamedPlace(market: market.id, admin: context.caller.accountID, at: admin.clock())
            let places = try await change(place, isNew: false, expected: match.version, in: transaction)
            return try await Self.answer(.ok, place.id, places, in: transaction)
        }
    }

    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    private static func place(_ id: String, _ form: Form) throws(Problem) -> NamedPlace {
        let cityID = form.string("city", length: 1...40)
        let city = cityID.flatMap(GuideCity.named)
        if cityID != nil, city == nil {
            form.reject("city", "not-a-choice", ["choices": GuideCity.all.map(\.id).joined(separator: ", ")])
        }
        let category = form.choice("category", of: NamedPlace.Category.self)
        let names = form.group("names")
        let (english, arabic) = (names?.string("en", length: 1...80), names?.string("ar", length: 1...80))
        let position = form.position()
        let isActive = form.bool("active", required: false) ?? true
        guard let city, let category, let english, let arabic, let position, form.isValid else { throw form.problem }
        let place = NamedPlace(
            id: id, city: city.id, category: category, english: english, arabic: arabic, latitude: position.latitude,
            longitude: position.longitude, isActive: isActive)
        if !place.isNear(city) { form.reject("latitude", "far-from-city") }
        try form.finish()
        return place
    }

    private static func answer(
        _ status: HTTPResponse.Status, _ id: String, _ places: MarketPlaces, in transaction: PostgresTransaction
    ) async throws -> Response {
        guard let place = places.place(id) else { throw Problem.notFound }
        let names = try await names([place], of: places, in: transaction)
        let view = MarketPlaceView(place, of: places, names: names)
        var response = try Response.json(status, view)
        response.headers[.eTag] = "\"\(view.version)\""
        return response
    }

    /// The names of the admins who changed these places last.
    private static func names(
        _ some: [NamedPlace], of places: MarketPlaces, in transaction: PostgresTransaction
    ) async throws -> [UUID: String] {
        let admins = Set(some.compactMap { places.row(of: $0.id)?.changedBy }).sorted { $0.text < $1.text }
        guard !admins.isEmpty else { return [:] }
        return Dictionary(try await transaction.query(NamePeople(accounts: admins))) { first, _ in first }
    }
}
