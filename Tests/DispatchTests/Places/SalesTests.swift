import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C5: what restaurants have sold", .timeLimit(.minutes(15)))
struct SalesTests {
    /// One of each dish on each day of a quarter.
    private struct FillSales: Statement {
        static let sql: SQL = """
            INSERT INTO restaurant_sales (restaurant, day, item, name, count, amount)
            SELECT $1, date '2026-01-01' + day::integer, gen_random_uuid(), 'Dish', 1, 100
            FROM generate_series(0, $2 - 1) AS day, generate_series(1, $3) AS dish
            """
        let restaurant: UUID
        let days: Int
        let dishes: Int
        func bind(_ bindings: inout Bindings) { bindings.append(restaurant, days, dishes) }
    }

    /// No row when somebody else has the lock.
    private struct TryLockSales: Statement {
        static let sql: SQL = "SELECT true FROM restaurant_takings WHERE item = $1 FOR UPDATE SKIP LOCKED"
        let item: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(item) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
    }

    @Test("C5: nothing of a large menu's longest page is left out")
    func whole() async throws {
        try await PlacesGround.run { ground in
            let (_, id) = try await RestaurantTests.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            let days = RestaurantRoutes.maximumSalesDays
            try await ground.pool.execute(FillSales(restaurant: restaurant, days: days, dishes: 60))
            let first = try #require(LocalDay("2026-01-01"))
            let rows = try await ground.pool.query(
                ListSales(
                    restaurant: restaurant, currency: .dollar, first: first, last: first.advanced(by: days - 1),
                    limit: RestaurantRoutes.maximumSalesRows))
            let sales = SalesView(rows, returns: [], currency: "AUD")
            #expect(sales.count == days * 60 && sales.amount == days * 6_000 && sales.days.count == days)
        }
    }

    @Test("P2, C5: what was sold in a currency that the market had before is no amount of the present one")
    func currencies() async throws {
        try await PlacesGround.run { ground in
            let (_, id) = try await RestaurantTests.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            let day = try #require(LocalDay("2026-01-01"))
            let item = Order.Food.Item(item: .timeOrdered(), name: "Dish", price: 700, count: 2)
            // Two as they were kept before there was a choice, and one order in each of two currencies.
            try await ground.pool.execute(FillSales(restaurant: restaurant, days: 1, dishes: 2))
            for currency in ["AUD", "USD"] {
                try await ground.pool.execute(
                    AddSales(sales: [.init(restaurant: restaurant, day: day, currency: currency, items: [item])]))
            }
            func sold(_ code: String) async throws -> [Int] {
                let currency = PriceCurrency(code: code, first: "AUD")
                return try await ground.pool.query(
                    ListSales(restaurant: restaurant, currency: currency, first: day, last: day, limit: 10)
                ).map(\.amount)
            }
            #expect(try await sold("AUD") == [1_400, 100, 100])
            #expect(try await sold("USD") == [1_400])
            #expect(try await sold("SAR") == [])
        }
    }

    @Test("O13, C5: orders add what they sold in one order of the items, so none locks up")
    func order() async throws {
        try await PlacesGround.run { ground in
            let (_, id) = try await RestaurantTests.open(ground, "Nonna")
            let restaurant = try #require(UUID(uuidString: id))
            let day = try #require(LocalDay("2026-03-01"))
            let items = [UUID.timeOrdered(), .timeOrdered()].sorted().map {
                Order.Food.Item(item: $0, name: "Dish", price: 100, count: 1)
            }
            try await ground.pool.execute(
                AddSales(sales: [.init(restaurant: restaurant, day: day, currency: "AUD", items: items)]))
            let adding = try await ground.pool.withTransaction { transaction in
                #expect(try await transaction.first(TryLockSales(item: items[0].item)) == true)
                // An order for each.
                let reversed = AddSales(
                    sales: items.reversed().map {
                        .init(restaurant: restaurant, day: day, currency: "AUD", items: [$0])
                    })
                let adding = Task { try await ground.pool.execute(reversed) }
                try await eventually("it waits for the first") { try await ground.pool.first(CountLockWaits()) == 1 }
                #expect(try await ground.pool.first(TryLockSales(item: items[1].item)) == true)
                return adding
            }
            #expect(try await adding.value == 2)
        }
    }
}
