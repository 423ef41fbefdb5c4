import Contracts
import Crypto
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit

/// Routes for racks of bikes (C6): riders find them, admins of the market manage them.
struct RackRoutes: Sendable {
    static let defaultLimit = 5
    static let maximumLimit = 50

    let markets: LiveMarkets
    let manage = ManageRacks()
    let pool: PostgresPool
    let idempotency: IdempotencyStore
    let clock: @Sendable () -> Date

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("dispatch/v1/markets/{market}", context: AuthenticatedContext.self)
        group.get("racks/nearest") { try await nearest($0, $1) }
        group.get("racks") { try await list($0, $1) }
        group.post("racks") { try await create($0, $1) }
        group.put("racks/{id}") { try await change($0, $1) }
        group.post("racks/{id}/key") { try await renewKey($0, $1) }
        group.put("racks/{id}/bikes/{type}") { try await stock($0, $1) }
    }

    private func nearest(_ request: Request, _ context: AuthenticatedContext) async throws -> RackListView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require(anyOf: ["customer", "provider", "admin"], in: market.id)
        let query = QueryForm(lenient: request)
        let place = query.place()
        let type = query.choice("type", of: BikeType.self)?.rawValue
        let limit = query.integer("limit", in: 1...Self.maximumLimit) ?? Self.defaultLimit
        guard let place, query.isValid else { throw query.problem }
        let rows = try await pool.query(
            ListNearRacks(
                market: market.id, latitude: place.latitude, longitude: place.longitude,
                radius: Double(settings.searchRadiusMetres), type: type ?? "", limit: limit))
        return RackListView(rows, context.language)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> RackListView {
        let market = try adminMarket(context)
        let query = QueryForm(lenient: request)
        let limit = query.integer("limit", in: 1...100) ?? 100
        let after = query.uuid("after")
        guard query.isValid else { throw query.problem }
        return RackListView(
            try await pool.query(ListRacks(market: market.id, after: after, limit: limit)), context.language)
    }

    private func create(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try adminMarket(context)
        let once = try await IdempotentRequest(request, context: context)
        let card = try self.card(try await once.request.form(context: context), in: market)
        let key = Self.newKey()
        return try await idempotency.answer(once) { transaction in
            let rack = try await manage.add(
                card, key: key, in: market.id, by: context.caller.accountID, at: clock(), in: transaction)
            var view = RackView(rack.id, rack.market, rack.card, context.language)
            view.key = key
            return try .json(.created, view, at: "/dispatch/v1/markets/\(market.id)/racks/\(rack.id.text)")
        }
    }

    private func change(_ request: Request, _ context: AuthenticatedContext) async throws -> RackView {
        let market = try adminMarket(context)
        let id = try context.uuid("id")
        let card = try self.card(try await request.form(context: context), in: market)
        try await pool.withTransaction { transaction in
            try await manage.change(
                id, to: card, in: market.id, by: context.caller.accountID, at: clock(), in: transaction)
        }
        return RackView(id, market.id, card, context.language)
    }

    private func renewKey(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try adminMarket(context)
        let id = try context.uuid("id")
        let once = try await IdempotentRequest(request, context: context)
        let key = Self.newKey()
        return try await idempotency.answer(once) { transaction in
            try await manage.setKey(
                key, of: id, in: market.id, by: context.caller.accountID, at: clock(), in: transaction)
            return try .json(.ok, RackKeyView(rack: id.text, key: key))
        }
    }

    private func stock(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try adminMarket(context)
        let id = try context.uuid("id")
        guard let type = context.parameters.get("type").flatMap(BikeType.init) else { throw Problem.notFound }
        let form = try await request.form(context: context)
        let count = form.integer("count", in: 0...Rack.maximumBikes)
        guard let count, form.isValid else { throw form.problem }
        try await pool.withTransaction { transaction in
            try await manage.stock(
                id, with: type, count: count, in: market.id, by: context.caller.accountID, at: clock(),
                in: transaction)
        }
        return Response(status: .noContent)
    }

    // MARK: Shared

    private func adminMarket(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        return market
    }

    private func card(_ form: Form, in market: Market) throws -> Rack.Card {
        let name = form.string("name", length: 1...100)
        let arabicName = form.string("arabicName", length: 1...100, required: false)
        let position = form.position()
        let isActive = form.bool("active", required: false) ?? true
        guard let name, let position, form.isValid else { throw form.problem }
        guard let settings = markets.settings(of: market.id),
            ServiceArea(corners: settings.serviceArea).contains(
                latitude: position.latitude, longitude: position.longitude)
        else { throw RequestOrder.Refusal.outsideArea }
        return Rack.Card(
            name: name, arabicName: arabicName, latitude: position.latitude, longitude: position.longitude,
            isActive: isActive)
    }

    private static func newKey() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }
}

struct RackKeyView: ResponseEncodable, Encodable, Sendable {
    let rack: String
    let key: String
}
