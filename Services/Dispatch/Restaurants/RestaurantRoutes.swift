import Contracts
import Foundation
import Hummingbird
import LiveMarkets
import Matching
import Messaging
import Postgres
import ServiceKit

/// Routes for restaurants (C5): customers find them, owners manage them.
struct RestaurantRoutes: Sendable {
    static let defaultLimit = 20
    static let maximumLimit = 100
    /// The number of days in one sales report.
    static let maximumSalesDays = 92
    /// A full menu sold on each day: the report must never be cut off, because then its sums would be wrong.
    static let maximumSalesRows = maximumSalesDays * Restaurant.maximumItems

    let markets: LiveMarkets
    let run = RunRestaurant()
    let pool: PostgresPool
    let idempotency: IdempotencyStore
    let cursors: CursorSealer
    let clock: @Sendable () -> Date

    func add(to router: Router<SeraiRequestContext>) {
        router.get("dispatch/v1/markets/{market}/restaurants/{id}") { try await page($0, $1) }
        router.get("dispatch/v1/markets/{market}/restaurants/{id}/photos/{photo}") { try await photo($0, $1) }
        let group = router.group("dispatch/v1", context: AuthenticatedContext.self)
        group.get("markets/{market}/restaurants") { try await list($0, $1) }
        group.get("restaurants/{id}") { try await find($0, $1) }
        group.get("markets/{market}/restaurant") { try await own($0, $1) }
        group.put("markets/{market}/restaurant") { try await store($0, $1) }
        group.put("markets/{market}/restaurant/open") { try await open($0, $1) }
        group.get("markets/{market}/restaurant/sales") { try await sales($0, $1) }
        group.post("markets/{market}/restaurant/items") { try await addItem($0, $1) }
        group.put("markets/{market}/restaurant/items/{item}") { try await changeItem($0, $1) }
        group.delete("markets/{market}/restaurant/items/{item}") { try await removeItem($0, $1) }
        addDesk(to: group)
    }

    // MARK: Everybody

    /// Needs no account: what a restaurant sells, where and when, is public (C5).
    private func page(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let (market, settings) = try markets.market(of: context)
        let restaurant = try await found(in: market, context)
        let prices = settings.prices(in: market)
        let (menu, stars) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListMenu(restaurant: restaurant.id), FindRestaurantStars(restaurant: restaurant))
        }
        return try Response.cached(
            RestaurantView(
                restaurant, menu: menu.filter { prices.counts($0.currency) }, stars.first ?? .none, prices,
                context.language), language: context.language)
    }

    private func photo(_ request: Request, _ context: SeraiRequestContext) async throws -> Response {
        let (market, _) = try markets.market(of: context)
        let restaurant = try await found(in: market, context)
        guard let photo = context.parameters.get("photo").flatMap(UUID.init(uuidString:)),
            let row = try await pool.first(ReadPublicPhoto(restaurant: restaurant.id, photo: photo))
        else { throw Problem.notFound }
        return .file(row.bytes, mediaType: row.mediaType, name: "photo", isInline: true, cache: "public, max-age=3600")
    }

    /// The restaurant that the path names.
    ///
    /// - Throws: 404, also for one whose owner is not verified in the market.
    private func found(in market: Market, _ context: SeraiRequestContext) async throws -> Restaurant {
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)),
            let restaurant = try await pool.first(FindRestaurant(restaurant: id)), restaurant.market == market.id
        else { throw RestaurantRefusal.notFound }
        return restaurant
    }

    // MARK: Customers

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> RestaurantListView {
        let (market, settings) = try markets.market(of: context)
        try context.caller.require(anyOf: ["customer", "admin"], in: market.id)
        let query = QueryForm(lenient: request)
        let place = query.place()
        let name = query.text("name") ?? ""
        let limit = query.integer("limit", in: 1...Self.maximumLimit) ?? Self.defaultLimit
        guard let place, query.isValid else { throw query.problem }
        let found = try await pool.query(
            ListOpenRestaurants(
                market: market.id, latitude: place.latitude, longitude: place.longitude,
                radius: Double(settings.searchRadiusMetres), name: SearchName.folded(name), limit: limit))
        return RestaurantListView(found, context.language)
    }

    private func find(_ request: Request, _ context: AuthenticatedContext) async throws -> RestaurantView {
        guard let restaurant = try await pool.first(FindRestaurant(restaurant: try context.uuid("id"))),
            context.caller.roles.contains(where: { [restaurant.market, "*"].contains($0.market) })
        else { throw RestaurantRefusal.notFound }
        let isOwn = restaurant.owner == context.caller.accountID
        return try await view(restaurant, context) { item, prices in isOwn || prices.counts(item.currency) }
    }

    // MARK: Owners

    private func own(_ request: Request, _ context: AuthenticatedContext) async throws -> RestaurantView {
        let (market, _) = try ownMarket(context)
        let restaurant = try await ownRestaurant(market, context)
        let closed = try await pool.first(FindClosedReason(restaurant: restaurant.id)) ?? nil
        return try await view(restaurant, context, closedReason: closed)
    }

    private func store(_ request: Request, _ context: AuthenticatedContext) async throws -> RestaurantView {
        let (market, settings) = try ownMarket(context)
        let form = try await request.form(context: context)
        let card = try Restaurant.Card(form)
        let area = ServiceArea(corners: settings.serviceArea)
        guard area.contains(latitude: card.latitude, longitude: card.longitude) else {
            throw RequestOrder.Refusal.outsideArea
        }
        let restaurant = try await pool.withTransaction { transaction in
            try await run.store(
                card, of: context.caller.accountID, in: market.id, at: clock(), in: transaction)
        }
        return try await view(restaurant, context)
    }

    private func open(_ request: Request, _ context: AuthenticatedContext) async throws -> RestaurantView {
        let (market, settings) = try ownMarket(context)
        let form = try await request.form(context: context)
        let isOpen = form.bool("open")
        guard let isOpen, form.isValid else { throw form.problem }
        let restaurant = try await pool.withTransaction { transaction in
            try await run.open(
                isOpen, of: context.caller.accountID, in: market.id, settings.prices(in: market), at: clock(),
                in: transaction)
        }
        return try await view(restaurant, context)
    }

    private func addItem(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, settings) = try ownMarket(context)
        let prices = settings.prices(in: market)
        let once = try await IdempotentRequest(request, context: context)
        let item = try MenuItem(try await once.request.form(context: context), id: .timeOrdered(), prices)
        return try await idempotency.answer(once) { transaction in
            try await run.add(
                item, of: context.caller.accountID, in: market.id, at: clock(), in: transaction)
            return try .json(
                .created, MenuItemView(item, prices, context.language),
                at: "/dispatch/v1/markets/\(market.id)/restaurant/items/\(item.id.text)")
        }
    }

    private func changeItem(_ request: Request, _ context: AuthenticatedContext) async throws -> MenuItemView {
        let (market, settings) = try ownMarket(context)
        let prices = settings.prices(in: market)
        let item = try MenuItem(try await request.form(context: context), id: try context.uuid("item"), prices)
        try await pool.withTransaction { transaction in
            try await run.change(
                item, of: context.caller.accountID, in: market.id, at: clock(), in: transaction)
        }
        return MenuItemView(item, prices, context.language)
    }

    private func removeItem(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (market, settings) = try ownMarket(context)
        let item = try context.uuid("item")
        try await pool.withTransaction { transaction in
            try await run.remove(
                item, of: context.caller.accountID, in: market.id, settings.prices(in: market), in: transaction)
        }
        return Response(status: .noContent)
    }

    private func sales(_ request: Request, _ context: AuthenticatedContext) async throws -> SalesView {
        let (market, settings) = try ownMarket(context)
        return try await sales(of: try await ownRestaurant(market, context), market, settings, request)
    }

    // MARK: Shared

    /// The sales of a range of days, as the query asks for them.
    func sales(
        of restaurant: Restaurant, _ market: Market, _ settings: MarketSettings, _ request: Request
    ) async throws -> SalesView {
        let query = QueryForm(lenient: request)
        let named = query.currency()
        let today = ZonedClock(settings.timeZone)?.wall(at: clock()).day ?? LocalDay(number: 0)
        let last = query.day("to") ?? today
        let first = query.day("from") ?? last.advanced(by: -29)
        if !(0..<Self.maximumSalesDays).contains(last.number - first.number) {
            query.reject("from", "out-of-range", ["minimum": "1", "maximum": "\(Self.maximumSalesDays)"])
        }
        guard query.isValid else { throw query.problem }
        let currency = PriceCurrency(
            code: named ?? settings.currency, first: market.defaults.currency)
        // An order that is completed on a day was made at most a week before.
        let since = UUID.before(Date(timeIntervalSince1970: Double(first.number - 7) * 86_400))
        let (rows, returns, orders) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListSales(
                    restaurant: restaurant.id, currency: currency, first: first, last: last,
                    limit: Self.maximumSalesRows),
                ListReturns(restaurant: restaurant.id, currency: currency, first: first, last: last),
                CountSoldOrders(
                    restaurant: restaurant, since: since, first: first, last: last, timeZone: settings.timeZone,
                    currency: currency.code))
        }
        return SalesView(rows, returns: returns, orders: orders, currency: currency.code)
    }

    /// - Throws: 404 for an unknown market, 403 for a caller who is not a provider in it.
    private func ownMarket(
        _ context: AuthenticatedContext
    ) throws(Problem) -> (market: Market, settings: MarketSettings) {
        let found = try markets.market(of: context)
        try context.caller.require("provider", in: found.market.id)
        return found
    }

    private func ownRestaurant(_ market: Market, _ context: AuthenticatedContext) async throws -> Restaurant {
        let own = FindOwnRestaurant(market: market.id, owner: context.caller.accountID)
        guard let restaurant = try await pool.first(own) else { throw RestaurantRefusal.notFound }
        return restaurant
    }

    func view(
        _ restaurant: Restaurant, _ context: AuthenticatedContext, closedReason: String? = nil,
        where isShown: (MenuItem, PriceCurrency) -> Bool = { _, _ in true }
    ) async throws -> RestaurantView {
        guard let market = Market.named(restaurant.market), let settings = markets.settings(of: market.id) else {
            throw RestaurantRefusal.notFound
        }
        let prices = settings.prices(in: market)
        let (menu, stars) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                ListMenu(restaurant: restaurant.id), FindRestaurantStars(restaurant: restaurant))
        }
        return RestaurantView(
            restaurant, menu: menu.filter { isShown($0, prices) }, stars.first ?? .none, prices, context.language,
            closedReason: closedReason)
    }
}

extension MenuItem {
    /// - Throws: a 422 ``Problem`` that lists all invalid fields.
    init(_ form: Form, id: UUID, _ prices: PriceCurrency) throws(Problem) {
        form.checkCurrency(prices)
        let name = form.string("name", length: 1...100)
        let arabicName = form.string("arabicName", length: 1...100, required: false)
        let price = form.integer("price", in: MenuItem.prices)
        let ingredients = form.string("ingredients", length: 1...1_000, lines: true, required: false)
        let picture = form.uuid("picture", required: false)
        guard let name, let price, form.isValid else { throw form.problem }
        self.init(
            id: id, name: name, arabicName: arabicName, price: price, ingredients: ingredients, picture: picture,
            currency: prices.code)
    }
}
