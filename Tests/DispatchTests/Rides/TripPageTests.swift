import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O8: the page of a ride", .timeLimit(.minutes(15)))
struct TripPageTests {
    private struct SetCar: Statement {
        static let sql: SQL = "UPDATE provider_roles SET car = $2::text::jsonb WHERE account = $1"
        let account: UUID
        let car: String
        func bind(_ bindings: inout Bindings) { bindings.append(account, car) }
    }

    @Test(
        "B3, O8: the rider sees plate, maker, model and colour of the car once a driver has accepted, and nobody before"
    )
    func car() async throws {
        try await OrderServer.with { server in
            let scene = try await RideScene(server)
            let order = try await scene.ride()
            try await server.world.pool.execute(
                SetCar(
                    account: scene.driver.account,
                    car: #"{"plate": "1ABC 234", "maker": "Toyota", "model": "Camry", "colour": "white"}"#))
            _ = try await scene.world.round()
            for person in [scene.rider, scene.driver, scene.admin] {
                #expect(try await scene.get(order, as: person)["car"] == nil)
            }
            #expect(try await server.act("accept", order, as: scene.driver).status == 200)
            for person in [scene.rider, scene.driver, scene.admin] {
                let page = try await scene.get(order, as: person)
                #expect(page["car", "plate"]?.text == "1ABC 234" && page["car", "maker"]?.text == "Toyota")
                #expect(page["car", "model"]?.text == "Camry" && page["car", "colourName"]?.text == "White")
            }
            let list = try await server.get("/dispatch/v1/orders?role=customer&section=active", as: scene.rider)
            #expect(list.items.count == 1 && list.items.first?["car"] == nil, "\(list.json)")
        }
    }

    private struct PutOdometer: Statement {
        static let sql: SQL = """
            INSERT INTO order_odometers (order_id, metres, latitude, longitude, at) VALUES ($1, $2, -31.95, 115.86, now())
            ON CONFLICT (order_id) DO UPDATE SET metres = excluded.metres
            """
        let order: UUID
        let metres: Double
        func bind(_ bindings: inout Bindings) { bindings.append(order, metres) }
    }

    private static func apply(
        _ trigger: OrderTrigger, _ actor: OrderActor, to order: UUID, at now: Date, _ world: OrderWorld
    ) async throws {
        let change = ChangeOrder(markets: world.markets)
        try await world.pool.withTransaction { transaction in
            let order = try #require(try await transaction.first(FindOrder(order: order))?.details().order)
            let isApplied = try change.bySystem(trigger, to: order, by: actor, at: now, in: transaction)
            #expect(isApplied, "\(trigger)")
        }
    }

    /// The driver is there after a minute and 800 m, has the goods or the rider three minutes later, and ends ten minutes
    /// and 3 km after that.
    private static func drive(
        _ order: UUID, startedBy starter: OrderActor, _ world: OrderWorld
    ) async throws -> TripView {
        let begin = Date.thisMillisecond
        try await world.pool.execute(PutOdometer(order: order, metres: 800))
        try await apply(.arrive, .provider, to: order, at: begin + 60, world)
        try await apply(.start, starter, to: order, at: begin + 240, world)
        // The odometer of a ride begins anew.
        try await world.pool.execute(PutOdometer(order: order, metres: starter == .provider ? 3_000 : 3_800))
        try await apply(.complete, .provider, to: order, at: begin + 830, world)
        try await apply(.complete, .customer, to: order, at: begin + 840, world)
        let row = try #require(try await world.pool.first(FindTrip(order: order)))
        return TripView(row, of: try await world.details(order).order, nil, isOnlySeen: false)
    }

    private static func expectTimes(_ trip: TripView) throws {
        #expect(trip.metres == 3_000 && trip.waitedSeconds == 180 && trip.seconds == 600)
        let (there, start) = (try #require(trip.arrivedAt), try #require(trip.startedAt))
        #expect(Int(start.timeIntervalSince(there).rounded()) == 180)
    }

    @Test("B6, O8: a ride says when the driver was there, how long was waited, and how far the trip itself was")
    func rideTimes() async throws {
        try await OrderWorld.with { world in
            let rides = RideWorld(world)
            let driver = try await rides.driver()
            let order = try await rides.ride(offeredTo: driver)
            _ = try await world.accept(order, by: driver)
            try Self.expectTimes(try await Self.drive(order.id, startedBy: .provider, world))
        }
    }

    @Test("B6, O9: and so does a meal: the way to the restaurant is no part of the trip")
    func mealTimes() async throws {
        try await MealWorld.with { meals in
            let courier = try await meals.rides.driver(north: 100)
            let order = try await meals.preparing()
            #expect(try await meals.rides.round() == RunRound.Outcome(orders: 1, offered: 1))
            _ = try await meals.accept(order, by: courier)
            try Self.expectTimes(try await Self.drive(order.id, startedBy: .merchant, meals.orders))
        }
    }

    @Test("B6, O10: and so does a bike that is brought; a driver who gives it up takes the arrival along")
    func bikeTimes() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.driven("accept")
            try Self.expectTimes(try await Self.drive(order, startedBy: .system, scene.server.world))
            let given = try await scene.driven("accept", "arrive")
            #expect(try await scene.world.pool.first(FindTrip(order: given))?.reachedAt != nil)
            #expect(try await scene.server.act("give-up", given, as: scene.driver).status == 204)
            #expect(try await scene.world.pool.first(FindTrip(order: given))?.reachedAt == nil)
        }
    }

    private static func car(_ plate: String) -> String {
        #"{"plate": "\#(plate)", "maker": "Toyota", "model": "Camry", "colour": "white"}"#
    }

    @Test("B3: the car stays that of the acceptance, whatever the driver drives later, and goes with the driver")
    func keptCar() async throws {
        try await OrderServer.with { server in
            let scene = try await RideScene(server)
            let order = try await scene.ride()
            let pool = server.world.pool
            try await pool.execute(SetCar(account: scene.driver.account, car: Self.car("1ABC 234")))
            _ = try await scene.world.round()
            #expect(try await server.act("accept", order, as: scene.driver).status == 200)
            try await pool.execute(SetCar(account: scene.driver.account, car: Self.car("1XYZ 987")))
            #expect(try await scene.get(order, as: scene.rider)["car", "plate"]?.text == "1ABC 234")
            #expect(try await server.act("give-up", order, as: scene.driver).status == 204)
            #expect(try await scene.get(order, as: scene.rider)["car"] == nil)
            let other = try await server.person(
                try await scene.world.driver(north: 100), roles: ["provider"], in: "btnc")
            try await pool.execute(SetCar(account: other.account, car: Self.car("1NEW 111")))
            _ = try await scene.world.round()
            #expect(try await server.act("accept", order, as: other).status == 200)
            #expect(try await scene.get(order, as: scene.rider)["car", "plate"]?.text == "1NEW 111")
            try await pool.withTransaction { transaction in
                try await AccountDeletionHandlers.forget(
                    AccountDeleted(account: other.account, version: 6, at: .thisMillisecond), by: { .thisMillisecond },
                    transaction)
            }
            #expect(try await scene.get(order, as: scene.rider)["car"] == nil)
        }
    }

    @Test("B3: a restaurant reads plate, make and colour of its courier's car, no model, and nothing before")
    func couriersCar() async throws {
        try await OrderServer.with { server in
            let scene = try await MealRouteTests.Scene(server)
            let order = try await scene.requested()
            _ = try await scene.world.accept(try await scene.world.details(order), minutes: 1)
            try await server.world.pool.execute(SetCar(account: scene.courier.account, car: Self.car("1ABC 234")))
            _ = try await scene.world.rides.round()
            #expect(try await server.get(server.path(order), as: scene.owner)["car"] == nil)
            #expect(try await server.act("accept", order, as: scene.courier).status == 200)
            let page = try await server.get(server.path(order), as: scene.owner)
            #expect(page["car", "plate"]?.text == "1ABC 234" && page["car", "colourName"]?.text == "White")
            #expect(page["car", "maker"]?.text == "Toyota" && page["car", "model"] == nil && page["trip"] == nil)
            #expect(try await server.get(server.path(order), as: scene.customer)["car", "model"]?.text == "Camry")
        }
    }

    @Test("O8: the trip has its real times, the parts of its fare and its tip, for rider, driver and admins alone")
    func trip() async throws {
        try await OrderServer.with { server in
            let scene = try await RideScene(server)
            let order = try await scene.ride()
            _ = try await scene.world.round()
            for action in ["accept", "arrive"] {
                #expect(try await server.act(action, order, as: scene.driver).status == 200, "\(action)")
            }
            let details = try await scene.world.details(order)
            let code = details.ride?.startCode.map { #"{"code": "\#($0)"}"# } ?? "{}"
            #expect(try await server.act("start", order, as: scene.driver, code).status == 200)
            let running = try await scene.get(order, as: scene.rider)
            #expect(running["trip", "acceptedAt"]?.text != nil && running["trip", "startedAt"]?.text != nil)
            #expect(running["trip", "endedAt"] == nil && running["trip", "metres"] == nil)
            #expect(try await server.act("complete", order, as: scene.driver).status == 200)
            _ = try await server.act("complete", order, as: scene.rider)
            try await server.world.pool.withTransaction { transaction in
                try await server.world.operations.recordTip(
                    TipGiven(
                        order: order, market: "btnc", customer: scene.rider.account, provider: scene.driver.account,
                        amount: Money(amount: 300, currency: "AUD"), at: Date()), at: .thisMillisecond, in: transaction)
            }
            for person in [scene.rider, scene.driver, scene.admin] {
                let page = try await scene.get(order, as: person)
                #expect(page["trip", "endedAt"]?.text != nil && page["trip", "seconds"]?.int != nil, "\(page.json)")
                #expect(page["trip", "waitedSeconds"]?.int != nil && page["trip", "tip", "amount"]?.int == 300)
                // The platform's price for a way is between it and the rider.
                let isDriver = person.account == scene.driver.account
                #expect((page["trip", "fare", "base"]?.int == nil) == isDriver, "\(page.json)")
            }
        }
    }
}
