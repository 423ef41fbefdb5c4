import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("B2: whoever drives and has a restaurant", .timeLimit(.minutes(10)))
struct OwnMealTests {
    /// Makes the restaurant's owner a driver beside it.
    private struct DriveToo: Statement {
        static let sql: SQL = """
            INSERT INTO provider_roles (market, account, title, verified, available, available_at, vehicle)
            VALUES ('btnc', $1, 'driver', true, true, now(), 'regular')
            """
        let account: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(account) }
    }

    private struct RoleRow: Statement {
        static let sql: SQL = """
            SELECT title || ' ' || verified || ' ' || available || ' ' || (lost_at IS NOT NULL)
            FROM provider_roles WHERE account = $1 ORDER BY sells
            """
        let account: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(account) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    @Test(
        "B2, O9: the owner is asked for others' orders and never for a meal of the own restaurant, which another carries"
    )
    func never() async throws {
        try await MealWorld.with { world in
            try await world.pool.execute(DriveToo(account: world.owner))
            try await world.rides.put(world.owner, at: RideWorld.perth)
            let meal = try await world.preparing()
            try await world.ready(meal)
            _ = try await world.rides.round()
            #expect(try await world.details(meal.id).provider == nil)
            // Not by hand either.
            await #expect(throws: TakeOrder.OwnOrder.self) {
                _ = try await world.rides.take(meal, by: world.owner)
            }
            let courier = try await world.rides.driver(north: 200)
            try await eventually("the other is asked") {
                _ = try await world.rides.round()
                return try await world.details(meal.id).provider?.account == courier
            }
            let order = try await world.accept(try await world.details(meal.id), by: courier)
            #expect(order.provider?.account == courier && order.merchant?.account == world.owner)
            // A ride is another thing.
            let ride = try await world.rides.ride()
            #expect(try await world.rides.offer(ride, to: world.owner))
        }
    }

    @Test(
        "B2, P12: each title is kept by itself: a lost licence leaves the restaurant, and a role that is gone its own row"
    )
    func kept() async throws {
        try await MealWorld.with { world in
            func tell(_ roles: [(title: String, verified: Bool)], version: Int) async throws {
                let person = AccountSnapshot(
                    account: world.owner, version: version, name: "Lina", gender: nil, language: "en",
                    roles: roles.map {
                        AccountSnapshot.Role(market: "btnc", role: "provider", title: $0.title, verified: $0.verified)
                    })
                try await world.pool.withTransaction {
                    try await PeopleProjection.keep(person, by: { .thisMillisecond }, $0)
                }
            }
            func rows() async throws -> [String] { try await world.pool.query(RoleRow(account: world.owner)) }
            try await tell([("driver", true), ("restaurant", true)], version: 2)
            try await world.pool.execute(SetAvailability(market: "btnc", account: world.owner, isAvailable: true))
            #expect(try await rows() == ["driver true true false", "restaurant true false false"])
            #expect(
                try await world.pool.first(FindProviderRole(market: "btnc", account: world.owner))?.title == "driver")
            try await tell([("restaurant", true), ("driver", false)], version: 3)
            #expect(try await rows() == ["driver false false false", "restaurant true false false"])
            #expect(try await world.pool.first(FindRestaurant(restaurant: world.restaurant))?.isOpen == true)
            #expect(try await world.pool.first(FindWorker(market: "btnc", account: world.owner)) == nil)
            try await tell([("driver", true)], version: 4)
            #expect(try await rows() == ["driver true false false", "restaurant false false true"])
            #expect(try await world.pool.first(FindRestaurant(restaurant: world.restaurant)) == nil)
            let lost = try await world.pool.query(FindLostProviders(accounts: [world.owner], market: "btnc"))
            #expect(lost.map(\.sells) == [true])
        }
    }

    @Test("B2, C5: stars for what the owner carries are not the restaurant's")
    func stars() async throws {
        try await MealWorld.with { world in
            try await world.pool.withTransaction { transaction in
                transaction.send(AddStars(market: "btnc", account: world.owner, role: .provider, stars: 1))
                transaction.send(AddStars(market: "btnc", account: world.owner, role: .merchant, stars: 5))
            }
            let restaurant = try #require(try await world.pool.first(FindRestaurant(restaurant: world.restaurant)))
            let standing = try await world.pool.first(FindRestaurantStars(restaurant: restaurant))
            #expect(standing == OrderDetails.Standing(stars: 5, count: 1))
        }
    }
}
