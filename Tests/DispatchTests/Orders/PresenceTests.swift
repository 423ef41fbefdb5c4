import Contracts
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O8: words about being somewhere", .timeLimit(.minutes(15)))
struct PresenceTests {
    private struct Ride {
        let server: OrderServer
        let world: RideWorld
        let rider: OrderServer.Person
        let driver: OrderServer.Person
        let order: UUID

        /// Somebody's word, wherever the phone is.
        func say(_ action: String, as person: OrderServer.Person) async throws -> Answer {
            try await server.act(action, order, as: person, isThere: false)
        }

        func stand(_ place: GeoPoint, stayed: TimeInterval = 60) async throws {
            let place = Order.Place(latitude: place.latitude, longitude: place.longitude, description: nil)
            try await server.world.stand(driver.account, at: place, stayed: stayed)
        }

        var destination: GeoPoint {
            get async throws { GeoPoint(try #require(try await server.world.details(order).order.destination)) }
        }

        /// Sets what was driven.
        func drive(_ metres: Double) async throws { try await server.world.drive(order, metres: metres) }
    }

    private func ride(_ body: @escaping @Sendable (Ride) async throws -> Void) async throws {
        try await OrderServer.with { server in
            let world = RideWorld(server.world)
            let rider = try await server.owner("Ruby", in: "btnc")
            let driver = try await server.person(
                try await world.driver(north: 400), roles: ["provider"], in: "btnc")
            let quote = try await world.quote(rider.account, total: 2_345)
            let answer = try await server.post(
                "/dispatch/v1/markets/btnc/rides", as: rider, #"{"quote": "\#(quote.text)"}"#)
            let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)), "\(answer.json)")
            try await server.world.pay(order)
            try await world.round()
            #expect(try await server.act("accept", order, as: driver).status == 200)
            try await body(Ride(server: server, world: world, rider: rider, driver: driver, order: order))
        }
    }

    @Test(
        "O8: a driver says to be there, and that the ride begins, from where the phone says so; the rider's free exit stays"
    )
    func arrives() async throws {
        try await ride { ride in
            let refused = try await ride.say("arrive", as: ride.driver)
            #expect(refused.status == 409 && refused.problem == "not-at-place")
            #expect(try await ride.server.world.state(ride.order) == .accepted)
            try await ride.server.world.stand(
                ride.driver.account, at: try await ride.server.world.details(ride.order).order.place, north: 310)
            #expect(try await ride.say("arrive", as: ride.driver).problem == "not-at-place")
            try await ride.stand(RideWorld.perth)
            #expect(try await ride.say("arrive", as: ride.driver)["state"]?.text == "arrived")
            try await ride.stand(RideWorld.north(2_000))
            #expect(try await ride.say("start", as: ride.driver).problem == "not-at-place")
            try await ride.stand(RideWorld.perth)
            #expect(try await ride.say("start", as: ride.driver)["state"]?.text == "inProgress")
        }
    }

    @Test("O8: the radius is the market's")
    func radius() async throws {
        try await ride { ride in
            try await ride.world.set(.presenceRadiusMetres, to: "500")
            #expect(try await ride.say("arrive", as: ride.driver)["state"]?.text == "arrived")
        }
    }

    @Test(
        "O8: when the rider says to be with the driver, the phone is not asked; nobody else can say so, nor of another one"
    )
    func met() async throws {
        try await ride { ride in
            let stranger = try await ride.server.owner("Rose", in: "btnc")
            #expect(try await ride.say("met", as: stranger).status == 404)
            #expect(try await ride.say("met", as: ride.driver).status == 403)
            #expect(try await ride.server.post(ride.server.path(ride.order, "met"), as: nil).status == 401)
            #expect(try await ride.say("arrive", as: ride.driver).problem == "not-at-place")
            let before = try await ride.server.get(ride.server.path(ride.order), as: ride.rider)
            let met = try await ride.say("met", as: ride.rider)
            #expect(met.status == 200 && met["version"] == before["version"])
            #expect(try await ride.say("arrive", as: ride.driver).status == 200)
            #expect(try await ride.say("start", as: ride.driver).status == 200)
            // It was said about the beginning, and not about the end.
            let away = try await ride.say("complete", as: ride.driver)
            #expect(away.status == 200 && away["total"]?["amount"]?.int == 650)
            #expect(try await ride.say("complete", as: ride.rider)["state"]?.text == "completed")
            #expect(try await ride.say("met", as: ride.rider).problem == "order-state")
        }
    }

    @Test("C7: done away from the destination costs what was driven, and both are told; never more than the quote")
    func completesAway() async throws {
        for (metres, isWhole) in [(0.0, false), (5_000, false), (90_000, true)] {
            try await ride { ride in
                for action in ["arrive", "start"] {
                    #expect(try await ride.server.act(action, ride.order, as: ride.driver).status == 200)
                }
                try await ride.drive(metres)
                let said = try await ride.say("complete", as: ride.driver)
                let price = try #require(said["total"]?["amount"]?.int)
                #expect(said.status == 200 && (isWhole ? price == 2_345 : price < 2_345), "\(metres)")
                for person in [ride.rider, ride.driver] {
                    let seen = try await ride.server.get(ride.server.path(ride.order), as: person)
                    #expect(seen["ride", "drivenMetres"]?.int == Int(metres) && seen["total"]?["amount"]?.int == price)
                }
                let done = try await ride.say("complete", as: ride.rider)
                #expect(done["state"]?.text == "completed" && done["total"]?["amount"]?.int == price)
                try await ride.world.expectConsistency()
            }
        }
    }

    @Test(
        "C7: done at the destination costs the quote; a single place there does not prove it, and the rider's word does"
    )
    func completesThere() async throws {
        try await ride { ride in
            for action in ["arrive", "start"] {
                #expect(try await ride.server.act(action, ride.order, as: ride.driver).status == 200)
            }
            try await ride.stand(try await ride.destination, stayed: 0)
            let early = try await ride.say("complete", as: ride.driver)
            #expect(early.status == 409 && early.problem == "too-early" && early["from"]?.text != nil)
            try await ride.stand(RideWorld.perth)
            #expect(try await ride.say("met", as: ride.rider).status == 200)
            let done = try await ride.say("complete", as: ride.driver)
            #expect(done["total"]?["amount"]?.int == 2_345 && done["ride", "drivenMetres"] == nil)
        }
        try await ride { ride in
            for action in ["arrive", "start"] {
                #expect(try await ride.server.act(action, ride.order, as: ride.driver).status == 200)
            }
            try await ride.stand(try await ride.destination)
            let done = try await ride.say("complete", as: ride.driver)
            #expect(done["total"]?["amount"]?.int == 2_345 && done["ride", "drivenMetres"] == nil)
        }
    }

    @Test("C7: a rider who ends early and is driven on pays for the way until the driver's word, up to the quote")
    func drivenOn() async throws {
        try await ride { ride in
            for action in ["arrive", "start"] {
                #expect(try await ride.server.act(action, ride.order, as: ride.driver).status == 200)
            }
            // Nothing is cheaper by the rider's word alone.
            #expect(try await ride.say("end-early", as: ride.rider)["total"]?["amount"]?.int == 2_345)
            try await ride.drive(90_000)
            let done = try await ride.say("complete", as: ride.driver)
            #expect(done["state"]?.text == "completed" && done["total"]?["amount"]?.int == 2_345)
        }
    }

    @Test("C7, O3: a driver who contests an early end brings the whole price before an admin")
    func contested() async throws {
        try await ride { ride in
            for action in ["arrive", "start"] {
                #expect(try await ride.server.act(action, ride.order, as: ride.driver).status == 200)
            }
            _ = try await ride.say("end-early", as: ride.rider)
            let report = try await ride.server.act(
                "reports", ride.order, as: ride.driver, #"{"reason": "not-ended-early", "cancels": true}"#)
            #expect(report.status == 201, "\(report.json)")
            let shown = try await ride.server.get(ride.server.path(ride.order), as: ride.rider)
            #expect(shown["state"]?.text == "disputed" && shown["total"]?["amount"]?.int == 2_345)
        }
    }

    @Test("O1, O7, O9, O10: a nurse, a care partner, a courier and who brings a bike are asked for the place, too")
    func kinds() throws {
        typealias Asked = (kind: String, trigger: OrderTrigger.Kind, need: Order.PresenceNeed?)
        let expected: [Asked] = [
            ("visit", .arrive, .shown), ("visit", .complete, nil), ("ride", .arrive, .shown), ("ride", .start, .shown),
            ("food", .arrive, .shown), ("food", .start, nil), ("food", .complete, .proved),
            ("bikeDropOff", .arrive, .shown), ("bikeDropOff", .complete, .proved), ("homeCare", .start, .proved),
            ("homeCare", .complete, nil), ("parcel", .start, nil), ("parcel", .complete, nil),
        ]
        let orders = [
            try SampleOrder.inState(.enRoute), try SampleRide.standing("started"), try SampleMeal.standing("started"),
            try SampleParcel.standing("travelling"),
        ]
        for order in orders {
            for (_, trigger, need) in expected.filter({ $0.kind == order.kind }) {
                #expect(order.presence(for: trigger, by: .provider) == need, "\(order.kind) \(trigger)")
                #expect(order.presence(for: trigger, by: .customer) == nil)
            }
        }
    }

    @Test("O1: a nurse far away has not arrived")
    func nurse() async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: .enRoute)
            try await world.stand(order.assignee, at: order.place, north: 20_000)
            func arrive() async throws -> OrderState {
                try await world.pool.withTransaction { transaction in
                    try await world.operations.arrive(
                        order.id, by: order.assignee, at: .thisMillisecond, in: transaction
                    ).order.state
                }
            }
            await #expect(throws: Presence.NotAtPlace(reach: 300, freshness: 120)) { _ = try await arrive() }
            #expect(try await world.state(order.id) == .enRoute)
            try await world.stand(order.assignee, at: order.place, north: 200, since: .thisMillisecond + 0.01)
            #expect(try await arrive() == .arrived)
        }
    }

    @Test("O10: a bike is brought where the phone says so, or the customer")
    func bike() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.out().order
            let away = try await scene.server.act("complete", order, as: scene.driver, isThere: false)
            #expect(away.problem == "not-at-place")
            #expect(try await scene.server.act("complete", order, as: scene.customer).status == 200)
            // The customer has it.
            let done = try await scene.server.act("complete", order, as: scene.driver, isThere: false)
            #expect(done["state"]?.text == "completed")
        }
    }
}
