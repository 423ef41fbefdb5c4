import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O10: bikes that are brought, over HTTP", .timeLimit(.minutes(15)))
struct DropOffRouteTests {
    @Test("O10, C6: reserved, paid, offered, fetched with a code, confirmed by both, and out until a rack has it")
    func whole() async throws {
        try await DropOffScene.with { scene in
            let quote = try await scene.quote(scene.customer.account)
            let asked = try await scene.order(quote, as: scene.customer)
            #expect(asked.status == 201 && asked["state"]?.text == "pending" && asked["total", "amount"]?.int == 2_500)
            #expect(asked["bike", "type"]?.text == "city" && asked["bike", "metres"]?.int == 3_000)
            #expect(asked["place", "description"]?.text == "City")
            #expect(asked["destination", "description"]?.text == "Home")
            #expect(try await scene.free() == 1)
            let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await scene.server.world.pay(order)
            let requests = "/dispatch/v1/markets/btnc/requests?latitude=-31.9523&longitude=115.8613"
            let open = try await scene.server.get(requests, as: scene.driver).items
            #expect(open.compactMap { $0["bike"]?["type"]?.text } == ["city"] && open.first?["customer"] == nil)
            try await scene.world.round()
            #expect(try await scene.get(order, as: scene.customer)["provider"] == nil)
            let offer = try await scene.get(order, as: scene.driver)
            #expect(offer["label"]?.text == "Offered to you")
            // Whose door it is: once he has it. Until then where it goes roughly.
            #expect(offer["place", "description"] == nil && offer["destination", "description"] == nil)
            #expect(offer["destination", "latitude"] == .number(-31.93))
            // There is no code before the driver is there.
            #expect(try await scene.code(order, as: scene.driver).problem == "order-state")
            let accepted = try await scene.server.act("accept", order, as: scene.driver)
            #expect(accepted["destination", "description"]?.text == "Home")
            #expect(accepted["destination", "latitude"] != offer["destination", "latitude"])
            #expect(try await scene.code(order, as: scene.driver).problem == "order-state")
            _ = try await scene.server.act("arrive", order, as: scene.driver)
            #expect(try await scene.get(order, as: scene.customer)["label"]?.text == "Driver at the rack")
            // The rack says it, nobody else.
            #expect(try await scene.server.act("start", order, as: scene.driver).status == 403)
            let old = try await scene.code(order, as: scene.driver)
            #expect(old.status == 200 && old["rack"]?.text == scene.rack.id.text)
            let code = try await scene.code(order, as: scene.driver)["code"]?.text
            #expect(try await scene.pickUp(old["code"]?.text).problem == "wrong-code")
            let out = try await scene.pickUp(code)
            let bike = try #require(out["bike"]?.text, "\(out.json)")
            // The answer was lost; the rack asks again.
            #expect(try await scene.pickUp(code)["bike"]?.text == bike)
            #expect(try await scene.get(order, as: scene.customer)["label"]?.text == "On the way to you")
            #expect(try await scene.server.act("cancel", order, as: scene.customer).problem == "order-state")
            #expect(try await scene.server.act("complete", order, as: scene.driver).status == 200)
            #expect(try await scene.server.world.held(scene.driver.account) == nil)
            let done = try await scene.server.act("complete", order, as: scene.customer)
            #expect(done["state"]?.text == "completed" && done["ended", "paidTo"]?.text == "provider")
            try await returned(order, bike, scene)
        }
    }

    /// The bike is out in the customer's name, and its return costs nothing more.
    private func returned(_ order: UUID, _ bike: String, _ scene: DropOffScene) async throws {
        let path = "/dispatch/v1/markets/btnc/bikes/out"
        var list = try await scene.server.get(path, as: scene.admin).items
        #expect(list.compactMap { $0["bike"]?.text } == [bike] && list.first?["isOverdue"] == .bool(false))
        #expect(list.first?["customer"]?["name"]?.text == "Ruby" && list.first?["kind"]?.text == "bikeDropOff")
        try await scene.world.pool.execute(AgeVisit(order: order, seconds: 14_400))
        list = try await scene.server.get(path, as: scene.admin).items
        #expect(list.first?["isOverdue"] == .bool(true))
        let back = try await HireTests.report(
            scene.server, "returns", scene.rack.id, key: scene.rack.key, #"{"bike": "\#(bike)"}"#)
        #expect(back.status == 204)
        #expect(try await scene.server.get(path, as: scene.admin).items.isEmpty)
        let stored = try await scene.world.details(order)
        #expect(stored.state == .completed && stored.total == 2_500)
        #expect(
            try await scene.server.world.events(order)
                == ["pending", "requested", "offered", "accepted", "arrived", "started", "confirmed", "completed"])
        #expect(try await scene.server.world.deadlines(order).isEmpty)
        try await scene.world.expectConsistency()
    }

    @Test("O10: who gives up is followed by another, his code opens nothing, and the bike stays reserved")
    func givenUp() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.driven("accept", "arrive")
            let first = try await scene.code(order, as: scene.driver)["code"]?.text
            #expect(try await scene.server.act("give-up", order, as: scene.driver).status == 204)
            #expect(try await scene.state(order) == .requested)
            #expect(try await scene.free() == 1)
            #expect(try await scene.pickUp(first).problem == "wrong-code")
            #expect(try await scene.code(order, as: scene.driver).status == 404)
            let next = try await scene.server.person(
                try await scene.world.driver(north: 900), roles: ["provider"], in: "btnc")
            try await scene.world.round()
            for action in ["accept", "arrive"] { _ = try await scene.server.act(action, order, as: next) }
            // Before the second one has a code, and after it.
            #expect(try await scene.pickUp(first).problem == "wrong-code")
            let second = try await scene.code(order, as: next)["code"]?.text
            #expect(try await scene.pickUp(first).problem == "wrong-code")
            #expect(try await scene.pickUp(second).status == 200)
            #expect(try await scene.state(order) == .inProgress)
            try await scene.world.expectConsistency()
        }
    }

    @Test("O10, O12: what ends before the pick-up leaves the bike to others; who does not come is followed by another")
    func ended() async throws {
        try await DropOffScene.with { scene in
            let unpaid = try await scene.order(try await scene.quote(scene.customer.account), as: scene.customer)
            let first = try #require(unpaid["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await scene.end(.payment, of: first)
            #expect(try await scene.state(first) == .expired)
            let alone = try await scene.paid()
            #expect(try await scene.free() == 1)
            try await scene.end(.search, of: alone)
            #expect(try await scene.world.details(alone).reason == "nobody-found")
            #expect(try await scene.free() == 2)
            let late = try await scene.driven("accept")
            try await scene.end(.arrival, of: late)
            let reopened = try await scene.world.details(late)
            #expect(reopened.state == .requested && reopened.reason == "not-picked-up" && reopened.provider == nil)
            #expect(try await scene.server.act("cancel", late, as: scene.customer).status == 200)
            #expect(try await scene.free() == 2)
            let other = try await scene.server.person(
                try await scene.world.driver(north: 100), roles: ["provider"], in: "btnc")
            let idle = try await scene.driven("accept", "arrive", by: other)
            let code = try await scene.code(idle, as: other)["code"]?.text
            try await scene.end(.completion, of: idle)
            #expect(try await scene.world.details(idle).reason == "not-started")
            #expect(try await scene.free() == 2)
            #expect(try await scene.pickUp(code).problem == "wrong-code")
            #expect(try await scene.code(idle, as: other).problem == "order-state")
            try await scene.world.expectConsistency()
        }
    }

    @Test("P8, O10: until the yes a driver sees the price of the rough way, in the list, the order and what is told")
    func roughPrice() async throws {
        try await DropOffScene.with { scene in
            // Two doors of one cell, with other prices.
            for (shift, total) in [(0.0, 2_345), (0.001, 2_391)] {
                let quote = try await scene.quote(
                    scene.customer.account, total: total, roughPrice: 3_100, shiftedBy: shift)
                let asked = try await scene.order(quote, as: scene.customer)
                let order = try #require(asked["order"]?.text.flatMap(UUID.init(uuidString:)), "\(asked.json)")
                #expect(asked["total", "amount"]?.int == total && asked["isTotalRough"] == nil)
                try await scene.server.world.pay(order)
                let requests = "/dispatch/v1/markets/btnc/requests?latitude=-31.9523&longitude=115.8613"
                let open = try await scene.server.get(requests, as: scene.driver).items
                #expect(open.map { $0["total"]?["amount"]?.int } == [2_200], "\(open)")
                try await scene.world.round()
                let offer = try await scene.get(order, as: scene.driver)
                #expect(offer["total", "amount"]?.int == 2_200 && offer["isTotalRough"] == .bool(true))
                #expect(offer.services.map { $0["price"]?.int } == [2_200])
                let event = try #require(
                    try await scene.world.pool.query(ReadEvents(order: order.text))
                        .last { $0.name == OrderOffered.name.text })
                let told = try JSON.wire.decode(OrderOffered.self, event.payload.utf8).order
                #expect(told.part(of: .provider).total.amount == 2_200)
                #expect(told.part(of: .customer).total.amount == total)
                #expect(try await scene.get(order, as: scene.customer)["total", "amount"]?.int == total)
                let accepted = try await scene.server.act("accept", order, as: scene.driver)
                #expect(accepted["total", "amount"]?.int == total - 900 && accepted["isTotalRough"] == nil)
                // An offer that was not accepted keeps only the rough price.
                _ = try await scene.server.act("arrive", order, as: scene.driver)
                try await scene.end(.completion, of: order)
                #expect(try await scene.get(order, as: scene.driver)["total", "amount"]?.int == 2_200)
            }
        }
    }

    @Test("P8, O10: of what came to nothing its driver sees no door any more, in the order and the list")
    func noDoorAfterwards() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.driven("accept", "arrive")
            #expect(try await scene.get(order, as: scene.driver)["destination", "description"]?.text == "Home")
            try await scene.end(.completion, of: order)
            let list = "\(OrderServer.orders)?role=provider&section=past"
            let past = try await scene.server.get(list, as: scene.driver).items
            #expect(past.count == 1)
            let seen = try await scene.get(order, as: scene.driver).json
            for view in past + [seen] {
                #expect(view["place"]?["description"] == nil && view["destination"]?["description"] == nil)
                #expect(view["destination"]?["latitude"] == .number(-31.93))
            }
            #expect(try await scene.get(order, as: scene.customer)["destination", "description"]?.text == "Home")
        }
    }

    @Test("O10, P3a: who has waited long enough for a driver ends it for nothing, and the bike is for others")
    func noShow() async throws {
        try await DropOffScene.with { scene in
            let early = try await scene.driven("accept")
            let refused = try await scene.server.act("no-show", early, as: scene.customer)
            #expect(refused.status == 409 && refused.problem == "too-early")
            // Nobody can be missed at the door before the bike is on its way there.
            #expect(try await scene.server.act("no-show", early, as: scene.driver).problem == "order-state")
            try await scene.world.set(.noShowWaitSeconds, to: "1")
            var order = early
            for isAtRack in [false, true] {
                if isAtRack {
                    order = try await scene.driven("accept", "arrive")
                }
                let missed = order
                // The time of arrival that was shown is long over.
                try await scene.server.world.pool.execute(AcceptLongAgo(order: missed))
                try await eventually("the wait is over") {
                    try await scene.server.act("no-show", missed, as: scene.customer).status == 200
                }
                let ended = try await scene.get(missed, as: scene.customer)
                #expect(ended["state"]?.text == "cancelled" && ended["reason"]?.text == "no-show")
                #expect(ended["fine"] == nil && ended["ended", "paidTo"]?.text == "customer")
                #expect(try await scene.free() == 2)
                #expect(try await scene.server.world.held(scene.driver.account) == nil)
            }
            try await scene.world.expectConsistency()
        }
    }

    @Test("O10, P3a: nobody at the door: the driver says so after the wait, and there; the fee is due, the bike is out")
    func nobodyAtTheDoor() async throws {
        try await DropOffScene.with { scene in
            try await scene.world.set(.noShowWaitSeconds, to: "1")
            let (order, bike) = try await scene.out()
            let early = try await scene.server.act("no-show", order, as: scene.driver)
            #expect(early.status == 409 && early.problem == "order-state")
            try await scene.server.world.comeNear(order)
            let destination = try #require(try await scene.world.details(order).destination)
            try await eventually("the wait is over, but not there") {
                try await scene.server.act("no-show", order, as: scene.driver).problem == "not-at-place"
            }
            try await scene.server.world.stand(scene.driver.account, at: destination, north: -100)
            let missed = try await scene.server.act("no-show", order, as: scene.driver)
            #expect(missed["state"]?.text == "cancelled" && missed["reason"]?.text == "customer-no-show")
            #expect(missed["ended", "fine", "amount"]?.int == 500 && missed["ended", "paidTo"]?.text == "customer")
            #expect(try await scene.server.world.held(scene.driver.account) == nil)
            let out = try await scene.server.get("/dispatch/v1/markets/btnc/bikes/out", as: scene.admin).items
            #expect(out.compactMap { $0["bike"]?.text } == [bike.text])
            try await scene.world.expectConsistency()
        }
    }

    @Test("O2, O10: cancelling is free until a driver has it, then costs the fee and the way; the bike is for others")
    func fee() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.driven()
            let path = scene.server.path(order, "cancellation")
            #expect(try await scene.server.get(path, as: scene.customer)["isFree"] == .bool(true))
            _ = try await scene.server.act("accept", order, as: scene.driver)
            try await scene.server.world.drive(order, metres: 1_000)
            _ = try await scene.server.act("arrive", order, as: scene.driver)
            let code = try await scene.code(order, as: scene.driver)["code"]?.text
            #expect(try await scene.server.get(path, as: scene.customer)["fine", "amount"]?.int == 600)
            #expect(try await scene.server.act("cancel", order, as: scene.customer).problem == "fine-not-accepted")
            let agreed = #"{"acceptedFine": {"amount": 600, "currency": "AUD"}}"#
            let ended = try await scene.server.act("cancel", order, as: scene.customer, agreed)
            #expect(ended["state"]?.text == "cancelled" && ended["fine", "amount"]?.int == 600)
            #expect(try await scene.free() == 2)
            #expect(try await scene.pickUp(code).problem == "wrong-code")
            #expect(try await scene.server.world.held(scene.driver.account) == nil)
        }
    }

    @Test("O10: not received is a dispute, whose bike stays out, whatever is decided; a bike put back ends no delivery")
    func notReceived() async throws {
        try await DropOffScene.with { scene in
            let (order, bike) = try await scene.out()
            _ = try await scene.server.act("complete", order, as: scene.driver)
            let report = #"{"reason": "not-received", "cancels": true}"#
            let reported = try await scene.server.post(scene.server.path(order, "reports"), as: scene.customer, report)
            #expect(reported.status == 201, "\(reported.json)")
            let disputed = try await scene.world.details(order)
            #expect(disputed.state == .disputed && disputed.reason == "not-received" && disputed.by == .customer)
            // The driver may not say so.
            let path = scene.server.path(order, "reports")
            #expect(try await scene.server.post(path, as: scene.driver, report).status == 422)
            try await scene.server.world.decide(disputed, .returnToCustomer)
            #expect(try await scene.state(order) == .cancelled)
            let out = try await scene.server.get("/dispatch/v1/markets/btnc/bikes/out", as: scene.admin).items
            #expect(out.compactMap { $0["bike"]?.text } == [bike.text])

            try await scene.world.put(scene.driver.account, at: RideWorld.north(400))
            let (second, other) = try await scene.out()
            let back = try await HireTests.report(
                scene.server, "returns", scene.rack.id, key: scene.rack.key, #"{"bike": "\#(other.text)"}"#)
            #expect(back.status == 204)
            #expect(try await scene.state(second) == .inProgress)
            try await scene.end(.completion, of: second)
            #expect(try await scene.world.details(second).reason == "not-finished")
        }
    }

    @Test(
        "I11, O10: a banned customer's bike is for others, a banned driver's order another's; what is out is disputed")
    func bans() async throws {
        try await DropOffScene.with { scene in
            let order = try await scene.driven("accept", "arrive")
            let code = try await scene.code(order, as: scene.driver)["code"]?.text
            try await scene.server.world.ban(scene.driver.account, in: "btnc")
            try await scene.server.world.whileFiring {
                try await eventually("somebody else is looked for") { try await scene.state(order) == .requested }
            }
            #expect(try await scene.free() == 1)
            #expect(try await scene.pickUp(code).problem == "wrong-code")
            try await scene.server.world.ban(scene.customer.account, in: "btnc")
            try await scene.server.world.whileFiring {
                try await eventually("it is cancelled") { try await scene.state(order) == .cancelled }
            }
            #expect(try await scene.free() == 2)
            #expect(
                try await scene.order(try await scene.quote(scene.customer.account), as: scene.customer).problem
                    == "banned")
        }
        try await DropOffScene.with { scene in
            let (order, _) = try await scene.out()
            try await scene.server.world.ban(scene.driver.account, in: "btnc")
            try await scene.server.world.whileFiring {
                try await eventually("an admin decides") { try await scene.state(order) == .disputed }
            }
            #expect(try await scene.world.details(order).reason == "provider-banned")
        }
    }
}

/// What the customer waits for began long ago.
struct AcceptLongAgo: Statement {
    static let sql: SQL = "UPDATE orders SET changed_at = changed_at - interval '1 hour' WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
