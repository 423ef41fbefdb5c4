import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit

/// Routes for rides (O8): ordering by a quote, and the list of orders that a waiting driver may take.
struct RideRoutes: Sendable {
    static let limits = 1...50
    static let defaultLimit = 10

    let orders: OrderRoutes
    let markets: LiveMarkets

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.post("markets/{market}/rides") { try await request($0, $1) }
        group.get("markets/{market}/requests") { try await list($0, $1) }
    }

    private func request(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        try context.caller.require("customer", in: market.id)
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        let quote = form.uuid("quote")
        guard let quote, form.isValid else { throw form.problem }
        let input = RequestRide.Input(market: market, rider: context.caller.accountID, quote: quote)
        return try await orders.answer(once, .created, context) { transaction in
            try await orders.operations.requestRide(input, at: orders.clock(), in: transaction)
        }
    }

    /// The nearest searched orders that are on offer to nobody and that the caller may take. Shows no riders' names.
    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> RideRequestListView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require("provider", in: market.id)
        let query = QueryForm(lenient: request)
        let limit = query.integer("limit", in: Self.limits) ?? Self.defaultLimit
        guard query.isValid else { throw query.problem }
        let pool = orders.reader.pool
        let account = context.caller.accountID
        let driver = try await pool.query(
            ReadRoundProviders(
                market: market.id, accounts: [account], needsSubscription: settings.subscriptionRequired)
        ).first
        // Also a restaurant's owner, who does not drive.
        guard let driver else { throw TakeOrder.NotWaiting() }
        guard driver.isVerified, driver.isSubscribed else { throw AcceptOrder.NotVerified() }
        guard driver.isAvailable else { throw TakeOrder.NotWaiting() }
        guard settings.isOpen(at: orders.clock()) else { throw RequestRide.Refusal.marketClosed }
        // Only the caller's own position: with a free choice of the place a caller could locate everybody.
        let place = try driver.place(at: orders.clock(), freshness: orders.operations.take.freshness)
        let radius = Double(settings.searchRadiusMetres)
        let box = DegreeBox(around: place, metres: radius)
        let kinds = market.searchKinds(title: driver.title, vehicle: driver.vehicle)
        let rows = try await pool.query(
            ListOpenSearches(
                market: market.id, account: account, kinds: kinds.sorted(), box: box, place: place))
        let near = try rows.map { row in (try row.details().order, place) }
            .map { order, place in
                (
                    order,
                    place.metres(to: GeoPoint(latitude: order.place.latitude, longitude: order.place.longitude))
                )
            }
            .filter { $0.1 <= radius }
            .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
        let language = context.language.rawValue
        return RideRequestListView(
            items: near.prefix(limit).map { .init($0.0, of: market, metresAway: Int($0.1.rounded()), in: language) })
    }
}

/// Rides, meals and bikes in a search.
struct RideRequestListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let order: String
        let kind: String
        let kindName: String?
        let place: OrderView.Place
        let destination: OrderView.Place?
        let ride: RideView?
        let food: FoodView?
        let bike: BikeView?
        /// The provider's part of the price, before the platform's commission: that of the rough way.
        let total: Money
        /// Straight-line distance to the order's start.
        let metresAway: Int
        /// End of the search.
        let deadline: Date?

        init(_ order: Order, of market: Market, metresAway: Int, in language: String) {
            self.order = order.id.text
            kind = order.kind
            kindName = market.name(ofKind: order.kind, in: language)
            place = OrderView.Place(order.place, isDescribed: false)
            // Hides a meal's destination before it is taken; shows other destinations to about a kilometre.
            destination = order.merchant == nil ? order.roughDestination.map { OrderView.Place($0) } : nil
            ride = order.ride.map { RideView($0, for: .provider, in: language, way: order.roughWay) }
            food = order.food.map { FoodView($0, of: order, for: .provider, in: language, way: order.roughWay) }
            bike = order.bike.map { BikeView($0, in: language, way: order.roughWay) }
            total = OrderSnapshot(order).part(of: .provider).total
            self.metresAway = metresAway
            deadline = order.deadline
        }
    }

    let items: [Item]
}

extension RequestRide.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .marketClosed: Problem("market-closed", status: .conflict)
        }
    }
}

extension TakeOrder.NotWaiting: ProblemConvertible {
    var problem: Problem { Problem("not-waiting", status: .conflict) }
}

extension TakeOrder.NoPosition: ProblemConvertible {
    var problem: Problem { Problem("no-position", status: .conflict) }
}

extension TakeOrder.TooFar: ProblemConvertible {
    var problem: Problem { Problem("too-far", status: .conflict) }
}

extension StartOrder.WrongCode: ProblemConvertible {
    var problem: Problem {
        .invalidFields([FieldProblem("code", isCouriers ? "wrong-hand-over-code" : "wrong-start-code")])
    }
}

extension StartOrder.TooManyTries: ProblemConvertible {
    var problem: Problem {
        Problem("too-many-tries", status: .conflict, arguments: ["maximum": String(StartOrder.maximumTries)])
    }
}
