import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("P2: another currency and another zone while orders run", .timeLimit(.minutes(15)))
struct MarketChangeTests {
    static let dollars = "USD; finePerKilometre=999; cancellationFee=888; tariffs=none; servicePrices=none"

    @Test("P2: prices that were set in another currency are not on offer until they are set in the market's")
    func offerings() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            try await world.set(.currency, to: Self.dollars)
            await #expect(throws: RequestOrder.Refusal.notOffered(indices: [0])) {
                _ = try await world.request(customer, provider)
            }
            let offering = Offering(service: "wound-care", price: 4_000)
            try await world.pool.execute(
                StoreOfferings(market: "assef", account: provider, offerings: [offering], currency: "USD"))
            let order = try await world.request(customer, provider)
            #expect(order.currency == "USD" && order.total == 4_000)
            // Back again, the price in dollars is none in riyals.
            try await world.set(.currency, to: Self.dollars.replacing("USD", with: "SAR"))
            let other = try await world.addCustomer()
            try await world.pool.execute(FreeAll())
            await #expect(throws: RequestOrder.Refusal.notOffered(indices: [0])) {
                _ = try await world.request(other, provider)
            }
        }
    }

    @Test("P2, O2: an order keeps its currency, and a late cancellation costs the rates of that currency")
    func fine() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            try await world.drive(order.id, metres: 10_000)
            let formerly = Self.dollars + "; formerly SAR=50,0"
            try await world.set(.currency, to: formerly)
            let quotes = QuoteCancellation(pool: world.pool, markets: world.markets)
            let shown = try await quotes(order.id, for: order.customer.account, at: .thisMillisecond)
            #expect(shown.perKilometre == 50 && shown.quote.fine.amount == 500)
            let cancelled = try await world.cancel(order, accepting: 500)
            #expect(cancelled.ending?.fine?.amount == 500 && cancelled.currency == "SAR")
            let event = try #require(try await world.pool.query(ReadEvents(order: order.id.text)).last)
            let told = try JSON.wire.decode(OrderCancelled.self, event.payload.utf8)
            #expect(told.order.fine == Money(amount: 500, currency: "SAR") && told.order.total.currency == "SAR")
        }
    }

    @Test("P2, C7: with a menu in another currency a quote binds no more, and nothing is ordered")
    func meal() async throws {
        try await MealWorld.with { world in
            let customer = try await world.orders.addCustomer("Mira")
            let quote = try await world.quote(customer)
            try await world.rides.set(.currency, to: Self.dollars)
            await #expect(throws: QuoteRefusal.expired) {
                _ = try await world.request(world.input(customer, quote))
            }
            try await world.rides.set(.currency, to: Self.dollars.replacing("USD", with: "AUD"))
            #expect(try await world.request(world.input(customer, quote)).currency == "AUD")
        }
    }

    @Test("P2: a restaurant whose prices are all in another currency has nothing to open with")
    func restaurant() async throws {
        try await MealWorld.with { world in
            let opened = try await Self.open(world, PriceCurrency(code: "AUD", first: "AUD"))
            #expect(opened.isOpen)
            await #expect(throws: RestaurantRefusal.emptyMenu) {
                _ = try await Self.open(world, PriceCurrency(code: "USD", first: "AUD"))
            }
        }
    }

    @Test("P2: after a change of the currency a restaurant without a price in it is closed, with all its old ones")
    func closed() async throws {
        try await MealWorld.with { world in
            let aud = PriceCurrency(code: "AUD", first: "AUD")
            let pass = ClosePass(pool: world.pool, markets: world.orders.markets, logger: TestThreads.logger)
            func isOpen() async throws -> Bool? {
                try await world.pool.first(FindOwnRestaurant(market: "btnc", owner: world.owner))?.isOpen
            }
            _ = try await Self.open(world, aud)
            try await pass.pass()
            #expect(try await isOpen() == true)
            try await world.rides.set(.currency, to: Self.dollars)
            try await pass.pass()
            #expect(try await isOpen() == false)
            // A restaurant with a menu in two currencies closes with its last item that can be ordered.
            let tea = MenuItem(
                id: .timeOrdered(), name: "Tea", arabicName: nil, price: 300, ingredients: nil, picture: nil,
                currency: "USD")
            let usd = PriceCurrency(code: "USD", first: "AUD")
            try await world.pool.execute(InsertMenuItem(item: tea, restaurant: world.restaurant))
            #expect(try await Self.open(world, usd).isOpen)
            try await pass.pass()
            #expect(try await isOpen() == true)
            try await world.pool.withTransaction { transaction in
                try await RunRestaurant().remove(tea.id, of: world.owner, in: "btnc", usd, in: transaction)
            }
            #expect(try await isOpen() == false)
        }
    }

    @Test("P2: after a change of the currency a provider without a price in it is available no more; a driver stays")
    func stopped() async throws {
        try await OrderWorld.with { world in
            let (old, new) = (try await world.addProvider(), try await world.addProvider("Huda"))
            let rides = RideWorld(world)
            let driver = try await rides.driver(north: 100)
            let pass = ClosePass(pool: world.pool, markets: world.markets, logger: TestThreads.logger)
            func available(_ account: UUID, in market: String = "assef") async throws -> Bool? {
                try await world.pool.first(FindProviderRole(market: market, account: account))?.isAvailable
            }
            try await pass.pass()
            var are = [try await available(old), try await available(new)]
            #expect(are == [true, true])
            let offering = Offering(service: "wound-care", price: 4_000)
            try await world.pool.execute(
                StoreOfferings(market: "assef", account: new, offerings: [offering], currency: "USD"))
            try await world.set(.currency, to: Self.dollars)
            try await pass.pass()
            are = [try await available(old), try await available(new), try await available(driver, in: "btnc")]
            #expect(are == [false, true, true])
        }
    }

    private static func open(_ world: MealWorld, _ prices: PriceCurrency) async throws -> Restaurant {
        try await world.pool.withTransaction { transaction in
            try await RunRestaurant().open(
                true, of: world.owner, in: "btnc", prices, at: .thisMillisecond, in: transaction)
        }
    }

    @Test("P2: opening hours go by the zone that the admin has set last")
    func zone() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            let minute = try #require(LocalTime.minuteOfDay(of: Date(), in: "Asia/Tokyo"))
            let hours = OpeningHours(openMinute: (minute + 1_380) % 1_440, closeMinute: (minute + 60) % 1_440)
            try await world.set(.openingHours, to: hours.text)
            await #expect(throws: RequestOrder.Refusal.marketClosed) {
                _ = try await world.request(customer, provider)
            }
            try await world.set(.timeZone, to: "Asia/Tokyo")
            #expect(try await world.request(customer, provider).state == .requested)
        }
    }

    @Test("P2, O7: a visit is charged without asking only in the currency that its customer agreed to")
    func consent() {
        var care = Order.HomeCare(relative: nil, preferred: nil, minutes: 60, orderedBy: nil)
        #expect(!care.isPaidByConsent(in: "CAD"))
        care.series = .timeOrdered()
        // Of before markets could change it.
        #expect(care.isPaidByConsent(in: "CAD"))
        care.consentCurrency = "CAD"
        #expect(care.isPaidByConsent(in: "CAD") && !care.isPaidByConsent(in: "USD"))
    }
}

/// Nobody holds an order.
private struct FreeAll: Statement {
    static let sql: SQL = "UPDATE providers SET current_order = NULL"
}
