import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Postgres
import ServiceKit

/// Routes of a market's board: posting parcels, searching them, and a provider's earnings (O11).
struct BoardRoutes: Sendable {
    static let limits = 1...100
    static let defaultLimit = 50
    /// Circumference of the earth.
    static let maximumMetres = 40_000_000

    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/parcels") { try await post($0, $1) }
        group.get("markets/{market}/board") { try await search($0, $1) }
        group.get("markets/{market}/earnings") { _, context in
            let (market, _) = try markets.market(of: context)
            try context.caller.require("provider", in: market.id)
            let earnings = try await orders.reader.pool.query(
                ListEarnings(market: market.id, account: context.caller.accountID))
            return EarningsView(items: earnings.map(EarningsView.Item.init))
        }
    }

    private func post(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        let input = try PostParcel.Input(
            try await once.request.form(context: context), market: market, owner: context.caller.accountID)
        return try await orders.answer(once, .created, context) { transaction in
            try await orders.operations.postParcel(input, at: .thisMillisecond, in: transaction)
        }
    }

    private func search(_ request: Request, _ context: AuthenticatedContext) async throws -> BoardView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let query = QueryForm(request)
        let filter = BoardFilter(
            query, market: market.id, radiusMetres: settings.searchRadiusMetres, account: context.caller.accountID)
        guard let filter, query.isValid else { throw query.problem }
        try await orders.reader.requireProvider(context.caller.accountID, in: market.id)
        let found = try await orders.reader.pool.query(SearchBoard(filter: filter))
        let language = context.language.rawValue
        return BoardView(
            items: try found.map { row in
                BoardView.Item(
                    order: OrderView(
                        try row.order.details(), for: .provider, in: language, isStranger: true),
                    metresAway: Int(row.metresAway.rounded()))
            })
    }
}

extension BoardFilter {
    /// Nil if a parameter is invalid; the query has the errors.
    init?(_ query: QueryForm, market: String, radiusMetres: Int, account: UUID) {
        let place = query.place()
        let from = query.place("fromLatitude", "fromLongitude")
        let all = 0...BoardRoutes.maximumMetres
        let radius = query.integer("radius", in: 1...radiusMetres, otherwise: radiusMetres)
        let minimum = query.integer("minimumMetres", in: all, otherwise: all.lowerBound)
        let maximum = query.integer("maximumMetres", in: all, otherwise: all.upperBound)
        let grams = query.integer("maximumGrams", in: 1...PostParcel.Input.grams.upperBound, otherwise: .max)
        let fragile = query.choice("fragile", of: ["true", "false"])
        let order = query.choice("sort", of: Order.allCases.map(\.rawValue)).flatMap(Order.init)
        let limit = query.integer("limit", in: BoardRoutes.limits, otherwise: BoardRoutes.defaultLimit)
        if minimum > maximum {
            query.reject("minimumMetres", "out-of-range", ["minimum": "0", "maximum": "\(maximum)"])
        }
        guard let place, query.isValid else { return nil }
        self.init(
            market: market, place: place, radiusMetres: radius, from: from ?? place, metres: minimum...maximum,
            maximumGrams: grams, isFragile: fragile.map { $0 == "true" }, order: order ?? .newest, limit: limit,
            account: account)
    }
}

/// Orders on the board.
struct BoardView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let order: OrderView
        /// Metres to the order's start.
        let metresAway: Int
    }

    let items: [Item]
}

/// Earnings of a provider.
struct EarningsView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let kind: String
        let orders: Int
        let amount: Money
        let returned: Money

        init(_ earnings: Earnings) {
            kind = earnings.kind
            orders = earnings.count
            amount = Money(amount: earnings.amount, currency: earnings.currency)
            returned = Money(amount: earnings.returned, currency: earnings.currency)
        }
    }

    let items: [Item]
}

extension PostParcel.Input {
    /// From a letter to the load of a van.
    static let grams = 1...1_000_000
    /// Minor units.
    static let amounts = 0...100_000_000

    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form, market: Market, owner: UUID) throws(Problem) {
        let name = form.string("name", length: 1...100)
        let description = form.string("description", length: 1...1_000, lines: true, required: false)
        let origin = form.orderPlace("origin")
        let destination = form.orderPlace("destination")
        let payment = form.integer("payment", in: Self.amounts)
        let deposit = form.integer("deposit", in: Self.amounts, required: false)
        let grams = form.integer("grams", in: Self.grams)
        let isFragile = form.bool("fragile")
        for (field, text) in [("name", name), ("description", description)] where text.map(WebAddress.isIn) == true {
            form.reject(field, "contains-link")
        }
        let photo = form.uuid("photo", required: false)
        let currency = form.currency("currency")
        guard let name, let origin, let destination, let payment, let grams, let isFragile, form.isValid else {
            throw form.problem
        }
        self.init(
            market: market, owner: owner, name: name, description: description, origin: origin,
            destination: destination, payment: payment, deposit: deposit ?? 0, grams: grams, isFragile: isFragile,
            photo: photo, currency: currency)
    }
}

extension Form {
    /// `{"latitude": …, "longitude": …, "description": …}`
    func orderPlace(_ name: String) -> Order.Place? {
        guard let place = object(name) else { return nil }
        let position = place.position()
        let description = place.string("description", length: 1...500, lines: true, required: false)
        guard let position else { return nil }
        return Order.Place(latitude: position.latitude, longitude: position.longitude, description: description)
    }
}

extension OpenOrder.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notInMarket: .notFound
        case .outsideArea(let field): .invalidFields([FieldProblem(JSONPointer([field]), "outside-service-area")])
        case .recipientLeaving: .invalidFields([FieldProblem("relative", "not-linked")])
        }
    }
}
