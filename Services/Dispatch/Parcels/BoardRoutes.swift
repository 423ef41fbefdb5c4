import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Postgres
import ServiceKit

/// Routes of a market's board: posting parcels and searching them (O11).
struct BoardRoutes: Sendable {
    static let defaultLimit = 50
    /// Circumference of the earth.
    static let maximumMetres = 40_000_000

    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/parcels") { try await post($0, $1) }
        group.get("markets/{market}/board") { try await search($0, $1) }
    }

    private func post(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        var input = try PostParcel.Input(
            try await once.request.form(context: context), market: market, owner: context.caller.accountID)
        input.origin = try input.origin.sealed(by: orders.seal)
        input.destination = try input.destination.sealed(by: orders.seal)
        return try await orders.answer(once, .created, context) { [input] transaction in
            try await orders.operations.postParcel(input, at: orders.clock(), in: transaction)
        }
    }

    private func search(_ request: Request, _ context: AuthenticatedContext) async throws -> Page<BoardItemView> {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let account = context.caller.accountID
        let standing = try await orders.reader.requireProvider(account, in: market.id)
        let query = try BoardQuery(
            request, market: market.id, radiusMetres: settings.searchRadiusMetres, account: account,
            standing: standing, cursors: orders.cursors)
        return try query.page.answer(
            try await query.rows(orders.reader.pool),
            position: { [.integer(Int64($0.rank)), .uuid($0.order.id)] },
            item: { try BoardItemView($0, of: market, in: context.language.rawValue) })
    }
}

/// An order on the board.
struct BoardItemView: Encodable, Sendable {
    let order: OrderView
    /// Metres to the order's start as it is shown; nil without a place of the reader.
    let metresAway: Int?

    init(_ row: BoardRow, of market: Market, in language: String) throws {
        order = OrderView(try row.order.details(), of: market, for: .provider, in: language, isStranger: true)
        metresAway = row.metresAway.map { Int($0.rounded()) }
    }
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
        let stars = form.number("minimumRating", in: 1...5, required: false)
        guard let name, let origin, let destination, let payment, let grams, let isFragile, form.isValid else {
            throw form.problem
        }
        self.init(
            market: market, owner: owner, name: name, description: description, origin: origin,
            destination: destination, payment: payment, deposit: deposit ?? 0, grams: grams, isFragile: isFragile,
            photo: photo, currency: currency, minimumRating: stars.map { Int(($0 * 10).rounded()) })
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
