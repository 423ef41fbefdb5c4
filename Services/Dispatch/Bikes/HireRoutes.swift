import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit

/// Routes for bikes from racks (C6), hired or delivered (O10): for riders, for drivers, and for racks, which
/// authenticate with a key of their own.
struct HireRoutes: Sendable {
    static let maximumOut = 200

    let orders: OrderRoutes
    let markets: LiveMarkets
    let run: RunHire

    func add(to router: Router<SeraiRequestContext>) {
        let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
        group.get("markets/{market}/hires/terms") { try await terms($0, $1) }
        group.post("markets/{market}/hires") { try await order($0, $1) }
        group.get("markets/{market}/bikes/out") { try await out($0, $1) }
        group.post("hires/{id}/code") { try await code($1, as: .rider) }
        group.post("markets/{market}/drop-offs") { try await orderDropOff($0, $1) }
        group.post("drop-offs/{id}/code") { try await code($1, as: .driver) }
        router.post("dispatch/v1/racks/{id}/pick-ups") { try await pickUp($0, $1) }
        router.post("dispatch/v1/racks/{id}/returns") { try await bringBack($0, $1) }
    }

    // MARK: Riders

    private func terms(_ request: Request, _ context: AuthenticatedContext) async throws -> HireTermsView {
        let (market, settings) = try markets.market(of: context)
        guard market.kind(Market.Workflow.bikePickUp.rawValue) != nil,
            let tariff = settings.tariffs[OrderHire.tariff]
        else { throw Problem.notFound }
        try context.caller.require(anyOf: ["customer", "admin"], in: market.id)
        return HireTermsView(Tariff(tariff), longest: settings.completionWindowSeconds, currency: settings.currency)
    }

    private func order(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let rack = form.uuid("rack")
        let type = form.choice("type", of: BikeType.self)
        let seen = form.shownPrice(required: false)
        guard let rack, let type, form.isValid else { throw form.problem }
        let input = OrderHire.Input(
            market: market, rider: context.caller.accountID, rack: rack, type: type, seen: seen,
            seal: orders.seal)
        return try await orders.answer(once, .created, context) { transaction in
            try await orders.operations.orderHire(input, at: orders.clock(), in: transaction)
        }
    }

    private func orderDropOff(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let quote = form.uuid("quote")
        guard let quote, form.isValid else { throw form.problem }
        let input = OrderDropOff.Input(market: market, customer: context.caller.accountID, quote: quote)
        return try await orders.answer(once, .created, context) { transaction in
            try await orders.operations.orderDropOff(input, at: orders.clock(), in: transaction)
        }
    }

    /// Takes no Idempotency-Key, because answers with a code must not be stored; a repeated request makes another code.
    private func code(_ context: AuthenticatedContext, as holder: RunHire.Holder) async throws -> UnlockCodeView {
        let id = try context.uuid("id")
        let caller = context.caller
        let random = Int.random(in: 0..<100_000_000)
        let (code, until, order) = try await orders.reader.pool.withTransaction { transaction in
            try await run.code(
                of: id, for: caller.accountID, as: holder, random: random,
                mayHold: { try caller.require(holder.actor.rawValue, in: $0) }, at: orders.clock(), in: transaction)
        }
        return UnlockCodeView(
            order: id.text, rack: order.bike?.rack.text ?? "", code: code.text, expiresAt: until)
    }

    private func out(_ request: Request, _ context: AuthenticatedContext) async throws -> BikeOutListView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("admin", in: market.id)
        let rows = try await orders.reader.pool.query(ListBikesOut(market: market.id, limit: Self.maximumOut))
        let now = orders.clock()
        let language = context.language.rawValue
        return BikeOutListView(
            items: rows.map {
                BikeOutListView.Item(
                    bike: $0.bike.text, type: $0.type,
                    typeName: BikeType(rawValue: $0.type)?.name.text(in: language), order: $0.order?.text,
                    kind: $0.kind, kindName: $0.kind.flatMap { market.name(ofKind: $0, in: language) },
                    customer: $0.customer.map { OrderView.Party(account: $0.account.text, name: $0.name) },
                    since: $0.since, isOverdue: $0.isOverdue(at: now, longest: settings.completionWindowSeconds),
                    state: $0.condition.rawValue, stateText: $0.condition.name.text(in: language), note: $0.note,
                    rating: OrderView.Standing($0.standing).average, ratings: $0.standing.count)
            })
    }

    // MARK: Racks

    private func pickUp(_ request: Request, _ context: SeraiRequestContext) async throws -> PickUpView {
        let (rack, _) = try await prove(request, context)
        let form = try await request.form(context: context)
        let code = form.code("code", length: 1...20)
        guard let code, form.isValid else { throw form.problem }
        let bike = try await orders.reader.pool.withTransaction { transaction in
            try await run.pickUp(code.revealed, at: rack, now: orders.clock(), in: transaction)
        }
        return PickUpView(bike: bike.text)
    }

    private func bringBack(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let (rack, market) = try await prove(request, context)
        let form = try await request.form(context: context)
        let bike = form.uuid("bike")
        guard let bike, form.isValid else { throw form.problem }
        try await orders.reader.pool.withTransaction { transaction in
            try await run.bringBack(bike, to: rack, in: market, now: orders.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }

    /// - Returns: the rack and its market.
    /// - Throws: 401 ``Problem`` for a wrong key and for an unknown rack.
    private func prove(
        _ request: Request, _ context: SeraiRequestContext
    ) async throws -> (rack: UUID, market: String) {
        guard let rack = context.parameters.get("id").flatMap(UUID.init(uuidString:)),
            let key = HTTPField.Name.rackKey.flatMap({ request.headers[$0] })
        else { throw RackRefusal.wrongKey.problem }
        let find = FindRackByKey(rack: rack, keyHash: RackKey.hash(key))
        guard let market = try await orders.reader.pool.first(find) else { throw RackRefusal.wrongKey.problem }
        return (rack, market)
    }
}

/// The code that opens the rack.
struct UnlockCodeView: ResponseEncodable, Encodable, Sendable {
    let order: String
    let rack: String
    let code: String
    let expiresAt: Date
}

/// The bike that a rack releases.
struct PickUpView: ResponseEncodable, Encodable, Sendable {
    let bike: String
}

/// The price of a hire, in minor units.
struct HireTermsView: ResponseEncodable, Encodable, Sendable {
    let base: Int
    let perMinute: Int
    let minimum: Int
    let longestSeconds: Int
    /// The amount on hold until the bike is back.
    let held: Money

    init(_ tariff: Tariff, longest: Int, currency: String) {
        base = tariff.base
        perMinute = tariff.perMinute
        minimum = tariff.minimum
        longestSeconds = longest
        held = Money(amount: tariff.fare(metres: 0, seconds: longest).total, currency: currency)
    }
}

struct BikeOutListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let bike: String
        let type: String
        let typeName: String?
        let order: String?
        let kind: String?
        let kindName: String?
        /// The customer whose order has the bike.
        let customer: OrderView.Party?
        let since: Date?
        /// Whether the longest hire is over and the bike is not back.
        let isOverdue: Bool
        let state: String
        let stateText: String
        let note: String?
        /// The mean of one to five stars that riders gave it; nil before the first.
        let rating: Double?
        let ratings: Int
    }

    let items: [Item]
}

extension HTTPField.Name {
    /// The header with a rack's key. A rack has no account, therefore it does not use `Authorization`.
    static let rackKey = HTTPField.Name("Rack-Key")
}
