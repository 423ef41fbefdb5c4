import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O8: rides over HTTP", .timeLimit(.minutes(15)))
struct RideRouteTests {
    private static let rides = RideScene.rides
    private static let requests = "/dispatch/v1/markets/btnc/requests"

    private func with(_ body: @escaping @Sendable (RideScene) async throws -> Void) async throws {
        try await OrderServer.with { server in try await body(try await RideScene(server)) }
    }

    @Test("O8, O4: from the quote over the offer, the arrival and the start with the rider's code to the rating")
    func whole() async throws {
        try await with { scene in
            try await scene.world.set(.startCodeRequired, to: "true")
            let quote = try await scene.world.quote(scene.rider.account, total: 2_345)
            let asked = try await scene.request(quote, as: scene.rider)
            #expect(asked.status == 201 && asked["state"]?.text == "pending" && asked["total"]?["amount"]?.int == 2_345)
            #expect(asked["ride"]?["metres"]?.int == 7_000 && asked["ride"]?["size"]?.text == "regular")
            let code = try #require(asked["ride"]?["startCode"]?.text)
            let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await scene.server.world.pay(order)
            #expect(try await scene.get(order, as: scene.rider)["label"]?.text == "Looking for a driver")
            try await scene.world.round()

            // The rider does not see who is asked; who is asked sees all but the code.
            let shown = try await scene.get(order, as: scene.rider)
            #expect(shown["state"]?.text == "offered" && shown["provider"] == nil)
            #expect(shown["label"]?.text == "Looking for a driver")
            let offer = try await scene.get(order, as: scene.driver)
            #expect(offer["label"]?.text == "Offered to you" && offer["ride"]?["needsStartCode"] == .bool(true))
            #expect(offer["ride"]?["startCode"] == nil && offer["destination"] != nil)
            #expect((399...401).contains(offer["metresAway"]?.int ?? 0) && shown["metresAway"] == nil)
            let mine = try await scene.server.get("\(OrderServer.orders)?role=provider&section=new", as: scene.driver)
            #expect(mine.items.count == 1)

            #expect(try await scene.server.act("accept", order, as: scene.driver)["state"]?.text == "accepted")
            #expect(try await scene.get(order, as: scene.rider)["provider"]?["name"]?.text == "Dan")
            #expect(try await scene.server.act("start", order, as: scene.driver).problem == "order-state")
            #expect(try await scene.server.act("arrive", order, as: scene.driver)["state"]?.text == "arrived")
            for body in [nil, #"{"code": "x"}"#] {
                let refused = try await scene.server.act("start", order, as: scene.driver, body)
                #expect(refused.status == 422 && refused.codes == ["/code": "wrong-start-code"])
            }
            #expect(try await scene.server.act("start", order, as: scene.rider).status == 403)
            let started = try await scene.server.act("start", order, as: scene.driver, #"{"code": "\#(code)"}"#)
            #expect(started["state"]?.text == "inProgress")
            #expect(try await scene.server.act("complete", order, as: scene.rider).problem == "order-state")
            #expect(try await scene.server.act("complete", order, as: scene.driver).status == 200)
            // Free for others already.
            #expect(try await scene.server.world.held(scene.driver.account) == nil)
            #expect(try await scene.server.act("complete", order, as: scene.rider)["state"]?.text == "completed")
            #expect(try await scene.server.act("rating", order, as: scene.driver, #"{"stars": 5}"#).status == 201)
            #expect(
                try await scene.server.world.events(order) == [
                    "pending", "requested", "offered", "accepted", "arrived", "started", "confirmed", "completed",
                    "given",
                ])
            try await scene.world.expectConsistency()
        }
    }

    @Test("C7, O8: a quote is used up by its order; another's, an old one and a second use are refused, and make none")
    func quotes() async throws {
        try await with { scene in
            let quote = try await scene.world.quote(scene.rider.account)
            let other = try await scene.server.owner("Rose", in: "btnc")
            #expect(try await scene.request(quote, as: other).status == 404)
            #expect(try await scene.request(.timeOrdered(), as: scene.rider).status == 404)
            let made = try await scene.request(quote, as: scene.rider)
            let again = try await scene.request(quote, as: scene.rider)
            #expect(again.problem == "quote-used" && again["order"]?.text == made["order"]?.text)
            let old = try await scene.world.quote(scene.rider.account, lasting: -1)
            #expect(try await scene.request(old, as: scene.rider).problem == "quote-expired")
            try await scene.world.set(.openingHours, to: "00:00-00:01")
            let late = try await scene.world.quote(scene.rider.account)
            #expect(try await scene.request(late, as: scene.rider).problem == "market-closed")
            let empty = try await scene.server.post(Self.rides, as: scene.rider, "{}")
            #expect(empty.codes == ["/quote": "required"])
            #expect(try await scene.world.pool.first(CountOrders()) == 1)
        }
    }

    @Test("O8, Q7: who may not: no token 401, no role 403, not one's ride 404, not one's part 403")
    func callers() async throws {
        try await with { scene in
            let server = scene.server
            let stranger = try await server.owner("Rose", in: "btnc")
            let second = try await server.person(
                try await scene.world.driver(north: 5_000), roles: ["provider"], in: "btnc")
            let elsewhere = try await server.person(roles: ["admin"], in: "assef")
            let body = #"{"quote": "\#(UUID.timeOrdered().text)"}"#
            #expect(try await server.post(Self.rides, as: nil, body).status == 401)
            #expect(try await server.post(Self.rides, as: scene.driver, body).status == 403)
            #expect(
                try await server.post("/dispatch/v1/markets/assef/rides", as: server.customer(), body).status == 404)
            #expect(try await server.get(Self.requests, as: nil).status == 401)
            #expect(try await server.get(Self.requests, as: scene.rider).status == 403)
            let order = try await scene.ride()
            // What is searched for is no board: only its list is there for drivers.
            #expect(try await scene.get(order, as: scene.driver).status == 404)
            try await scene.world.round()
            for (person, status) in [
                (scene.rider, 200), (scene.driver, 200), (scene.admin, 200), (stranger, 404), (second, 404),
                (elsewhere, 404),
            ] {
                #expect(try await scene.get(order, as: person).status == status)
            }
            for action in ["accept", "decline", "arrive", "give-up", "complete", "no-show", "start"] {
                #expect(try await server.act(action, order, as: nil).status == 401)
                for person in [stranger, second, scene.admin, elsewhere] {
                    #expect(try await server.act(action, order, as: person).status == 404, "\(action)")
                }
            }
            for action in ["accept", "decline", "arrive", "give-up"] {
                #expect(try await server.act(action, order, as: scene.rider).status == 403, "\(action)")
            }
            let taken = try await server.act("take", order, as: second)
            #expect(taken.problem == "order-state" && taken["state"]?.text == "offered")
            let reasons = server.path(order, "matching")
            for person in [scene.rider, scene.driver, second, stranger, elsewhere] {
                #expect(try await server.get(reasons, as: person).status == 404)
                #expect(try await server.get(server.path(order, "trail"), as: person).status == 404)
            }
            #expect(try await server.get(server.path(order, "trail"), as: scene.admin).problem == "trail-not-shown")
            #expect(try await server.get(reasons, as: nil).status == 401)
            #expect(try await server.get(reasons, as: scene.admin).status == 200)
        }
    }

    @Test(
        "O8: admins see why: each round's drivers with their costs, who was left out by which rule, and who was asked")
    func matching() async throws {
        try await with { scene in
            let far = try await scene.world.driver(north: 1_500)
            let busy = try await scene.world.driver(north: 100)
            let first = try await scene.world.ride()
            _ = try await scene.world.take(first, by: busy)
            let order = try await scene.ride()
            try await scene.world.round()
            let declined = try await scene.server.act("decline", order, as: scene.driver, #"{"reason": "too short"}"#)
            #expect(declined.status == 204)
            try await scene.world.round()
            let told = try await scene.server.get(scene.server.path(order, "matching"), as: scene.admin)
            guard case .array(let rounds)? = told["rounds"], case .array(let offers)? = told["offers"] else {
                Issue.record("\(told.json)")
                return
            }
            #expect(rounds.compactMap { $0["outcome"]?.text } == ["offered", "offered"])
            #expect(rounds.compactMap { $0["provider"]?.text } == [scene.driver.account.text, far.text])
            guard case .array(let weighed)? = rounds[0]["weighed"], case .array(let left)? = rounds[1]["leftOut"] else {
                Issue.record("\(told.json)")
                return
            }
            #expect(weighed.compactMap { $0["provider"]?.text } == [scene.driver.account.text, far.text])
            #expect((weighed[0]["cost"]?.int ?? .max) < (weighed[1]["cost"]?.int ?? 0))
            let rules = Dictionary(
                left.map { ($0["rule"]?.text ?? "", $0["providers"]?.texts ?? []) }
            ) { first, _ in first }
            #expect(rules == ["busy": [busy.text], "declined": [scene.driver.account.text]])
            #expect(offers.compactMap { $0["outcome"]?.text } == ["decline"] && offers.count == 2)
            // The driver's words are for nobody.
            #expect(try await scene.get(order, as: scene.rider)["reason"] == nil)
        }
    }

    @Test("O2, O8: cancelling is free until a driver has it; then the fee and the way are shown, and agreed to")
    func fee() async throws {
        try await with { scene in
            let order = try await scene.ride()
            try await scene.world.round()
            let quote = scene.server.path(order, "cancellation")
            #expect(try await scene.server.get(quote, as: scene.rider)["isFree"] == .bool(true))
            _ = try await scene.server.act("accept", order, as: scene.driver)
            try await scene.server.world.drive(order, metres: 3_000)
            let cost = try await scene.server.get(quote, as: scene.rider)
            #expect(cost["fine"]?["amount"]?.int == 800 && cost["fee"]?.int == 500 && cost["metres"]?.int == 3_000)
            #expect(try await scene.server.act("cancel", order, as: scene.rider).problem == "fine-not-accepted")
            let seal = try #require(cost["quote"]?.text)
            let agreed = #"{"acceptedFine": {"amount": 800, "currency": "AUD"}, "quote": "\#(seal)"}"#
            let cancelled = try await scene.server.act("cancel", order, as: scene.rider, agreed)
            #expect(cancelled["state"]?.text == "cancelled" && cancelled["fine"]?["amount"]?.int == 800)
            #expect(cancelled["ended"]?["paidTo"]?.text == "customer")
            #expect(try await scene.server.world.held(scene.driver.account) == nil)
            try await scene.world.expectConsistency()
        }
    }

    @Test("O8: a waiting driver looks for the nearest that is on offer to nobody, and takes it")
    func take() async throws {
        try await with { scene in
            let second = try await scene.server.person(
                try await scene.world.driver(north: -300), roles: ["provider"], in: "btnc")
            let near = try await scene.world.ride(from: RideWorld.north(200))
            let far = try await scene.world.ride(from: RideWorld.north(3_000))
            _ = try await scene.world.ride(from: RideWorld.north(12_000))
            _ = try await scene.world.ride(size: "xl")
            func listed(_ person: OrderServer.Person) async throws -> [String] {
                try await scene.server.get(Self.requests, as: person).items.compactMap { $0["order"]?.text }
            }
            #expect(try await listed(second) == [near.id.text, far.id.text])
            #expect(try await scene.world.offer(near, to: scene.driver.account))
            #expect(try await listed(second) == [far.id.text])
            let item = try #require(try await scene.server.get(Self.requests, as: second).items.first)
            #expect(item["customer"] == nil && item["total"]?["amount"]?.int == 2_000)
            #expect(item["place"]?["description"] == nil && (item["metresAway"]?.int ?? 0) > 2_900)
            let taken = try await scene.server.act("take", far.id, as: second)
            #expect(taken["state"]?.text == "accepted")
            #expect(try await scene.server.world.held(second.account) == far.id)
            // One at a time.
            let third = try await scene.world.ride()
            #expect(try await scene.server.act("take", third.id, as: second).problem == "provider-busy")
            let idle = try await scene.server.person(
                try await scene.world.driver(isAvailable: false), roles: ["provider"], in: "btnc")
            #expect(try await scene.server.get(Self.requests, as: idle).problem == "not-waiting")
            #expect(try await scene.server.act("take", third.id, as: idle).problem == "not-waiting")
            // Nor who is far away, or of whom nobody knows where.
            let distant = try await scene.server.person(
                try await scene.world.driver(north: 40_000), roles: ["provider"], in: "btnc")
            #expect(try await listed(distant) == [])
            #expect(try await scene.server.act("take", third.id, as: distant).problem == "too-far")
            let lost = try await scene.server.person(
                try await scene.world.driver(at: Date() - 600), roles: ["provider"], in: "btnc")
            #expect(try await scene.server.get(Self.requests, as: lost).problem == "no-position")
            #expect(try await scene.server.act("take", third.id, as: lost).problem == "no-position")
            try await scene.world.expectConsistency()
        }
    }

    @Test(
        "P8: until the yes a driver sees the price of the rough way, in the list, the order and what is told; then the exact"
    )
    func roughPrice() async throws {
        try await with { scene in
            let second = try await scene.server.person(
                try await scene.world.driver(north: -300), roles: ["provider"], in: "btnc")
            var prices: [Int] = []
            // Two doors of one cell, with other prices.
            for (shift, total) in [(0.0, 2_345), (0.001, 2_391)] {
                let quote = try await scene.world.quote(
                    scene.rider.account, total: total, roughPrice: 2_200, shiftedBy: shift)
                let asked = try await scene.request(quote, as: scene.rider)
                let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)))
                #expect(asked["total"]?["amount"]?.int == total && asked["isTotalRough"] == nil)
                try await scene.server.world.pay(order)
                let items = try await scene.server.get(Self.requests, as: second).items
                #expect(items.count == 1)
                #expect(
                    try await scene.world.offer(
                        try await scene.server.world.details(order).order, to: scene.driver.account))
                let offer = try await scene.get(order, as: scene.driver)
                let shown = [
                    items.first?["total"]?["amount"]?.int, offer["total"]?["amount"]?.int,
                    offer.services.first?["price"]?.int,
                ]
                #expect(shown == [2_200, 2_200, 2_200] && offer["isTotalRough"] == .bool(true), "\(shown)")
                prices += shown.compactMap { $0 }
                let event = try #require(
                    try await scene.world.pool.query(ReadEvents(order: order.text)).last)
                let told = try JSON.wire.decode(OrderOffered.self, event.payload.utf8).order
                #expect(told.part(of: .provider).total.amount == 2_200 && told.part(of: .provider).roughPrice == nil)
                #expect(told.part(of: .customer).total.amount == total && told.part(of: .customer).roughPrice == nil)
                #expect(try await scene.get(order, as: scene.rider)["total"]?["amount"]?.int == total)
                let accepted = try await scene.server.act("accept", order, as: scene.driver)
                #expect(accepted["total"]?["amount"]?.int == total && accepted["isTotalRough"] == nil)
                let fine = #"{"acceptedFine": {"amount": 500, "currency": "AUD"}}"#
                #expect(try await scene.server.act("cancel", order, as: scene.rider, fine).status == 200)
                #expect(try await scene.get(order, as: scene.driver)["total"]?["amount"]?.int == 2_200)
            }
            #expect(Set(prices).count == 1)
        }
    }

    @Test("O8, P3a: nobody in the car: the driver says so after the wait, and the rider pays the fee")
    func missed() async throws {
        try await with { scene in
            try await scene.world.set(.noShowWaitSeconds, to: "1")
            let order = try await scene.ride()
            try await scene.world.round()
            for action in ["accept", "arrive"] { _ = try await scene.server.act(action, order, as: scene.driver) }
            try await scene.world.put(scene.driver.account, at: RideWorld.north(2_000))
            // Far away nobody can say who is in the street.
            try await eventually("the wait is over, but not at the place") {
                try await scene.server.act("no-show", order, as: scene.driver).problem == "not-at-place"
            }
            try await scene.world.put(scene.driver.account, at: RideWorld.perth)
            try await eventually("the wait is over") {
                try await scene.server.act("no-show", order, as: scene.driver).status == 200
            }
            let ended = try await scene.get(order, as: scene.rider)
            #expect(ended["reason"]?.text == "customer-no-show" && ended["fine"]?["amount"]?.int == 500)
        }
    }

    @Test("C7, P6: let out on the way the rider pays for what was driven; strangers and too late ones end nothing")
    func endsEarly() async throws {
        try await with { scene in
            let order = try await scene.ride()
            try await scene.world.round()
            for action in ["accept", "arrive"] { _ = try await scene.server.act(action, order, as: scene.driver) }
            #expect(try await scene.server.act("end-early", order, as: scene.rider).status == 409)
            #expect(try await scene.server.act("start", order, as: scene.driver).status == 200)
            let stranger = try await scene.server.owner("Rose", in: "btnc")
            #expect(try await scene.server.act("end-early", order, as: stranger).status == 404)
            let ended = try await scene.server.act("end-early", order, as: scene.rider)
            // Nothing is cheaper by the rider's word alone.
            let quoted = try #require(ended["total"]?["amount"]?.int)
            #expect(ended.status == 200 && quoted > 650 && ended["state"]?.text == "inProgress")
            #expect(ended["ride"]?["endAskedAt"]?.text != nil)
            #expect(try await scene.server.act("end-early", order, as: scene.driver).status == 409)
            let done = try await scene.server.act("complete", order, as: scene.driver)
            // The tariff's minimum, for nothing was driven.
            #expect(done["state"]?.text == "completed" && done["total"]?["amount"]?.int == 650)
            try await scene.world.expectConsistency()
        }
    }
}
