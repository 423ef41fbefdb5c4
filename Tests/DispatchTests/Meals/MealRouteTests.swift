import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O9: meals over HTTP", .timeLimit(.minutes(15)))
struct MealRouteTests {
    private static let meals = "/dispatch/v1/markets/btnc/meals"
    private static let requests = "/dispatch/v1/markets/btnc/requests"

    /// The three parties of a meal, and an admin.
    struct Scene {
        let server: OrderServer
        let world: MealWorld
        let customer: OrderServer.Person
        let owner: OrderServer.Person
        let courier: OrderServer.Person
        let admin: OrderServer.Person

        init(_ server: OrderServer) async throws {
            self.server = server
            world = try await MealWorld(server.world)
            customer = try await server.owner("Mira", in: "btnc")
            owner = try await server.person(world.owner, roles: ["provider"], in: "btnc")
            courier = try await server.person(try await world.rides.driver(north: 300), roles: ["provider"], in: "btnc")
            admin = try await server.person(roles: ["admin"], in: "btnc")
        }

        func body(_ quote: UUID, price: Int = 1_200) -> String {
            """
            {"restaurant": "\(world.restaurant.text)", "quote": "\(quote.text)", "items": [
             {"item": "\(world.soup.id.text)", "count": 2, "price": \(price)},
             {"item": "\(world.bread.id.text)", "count": 1, "price": 350}]}
            """
        }

        func request(_ quote: UUID, price: Int = 1_200, as person: OrderServer.Person?) async throws -> Answer {
            try await server.post(MealRouteTests.meals, as: person, body(quote, price: price))
        }

        func pending() async throws -> UUID {
            let answer = try await request(try await world.quote(customer.account), as: customer)
            #expect(answer.status == 201, "\(answer.json)")
            return try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
        }

        /// A paid order's id.
        func requested() async throws -> UUID {
            let order = try await pending()
            try await server.world.pay(order)
            return order
        }

        /// One that the courier is offered.
        func offered() async throws -> UUID {
            let order = try await requested()
            #expect(try await server.act("accept", order, as: owner, #"{"minutes": 1}"#).status == 200)
            #expect(try await world.rides.round().offered == 1)
            return order
        }

        func get(_ order: UUID, as person: OrderServer.Person) async throws -> Answer {
            try await server.get(server.path(order), as: person)
        }

        func list(_ section: String, as person: OrderServer.Person) async throws -> [String] {
            try await server.get("\(OrderServer.orders)?role=merchant&section=\(section)", as: person)
                .items.compactMap { $0["order"]?.text }
        }
    }

    func with(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await OrderServer.with { server in try await body(try await Scene(server)) }
    }

    @Test("O9, P8: each of the three sees what is his: shares, places, code, names")
    func views() async throws {
        try await with { scene in
            let order = try await scene.offered()
            // Who is asked knows the restaurant, and not the customer's place yet; the others not who is asked.
            var courier = try await scene.get(order, as: scene.courier)
            #expect(courier["label"]?.text == "Offered to you" && courier["destination"] == nil)
            #expect(courier["food"]?["handOverCode"] == nil && courier["food"]?["restaurantName"]?.text == "Levant")
            #expect(courier["total"]?["amount"]?.int == 700 && courier["place"]?["description"] == nil)
            for person in [scene.customer, scene.owner] {
                #expect(try await scene.get(order, as: person)["provider"] == nil)
            }
            #expect(try await scene.get(order, as: scene.customer)["label"]?.text == "Being prepared")
            let taken = try await scene.server.act("accept", order, as: scene.courier)
            let code = try #require(taken["food"]?["handOverCode"]?.text)
            #expect(taken["label"]?.text == "Go to the restaurant" && taken["destination"] != nil)
            guard case .array(let items)? = taken["food"]?["items"] else { throw StartOrder.WrongCode() }
            #expect(items.map { $0["name"]?.text } == ["Soup", "Bread"] && items.allSatisfy { $0["price"] == nil })
            #expect(taken["services"].map { "\($0)".contains("Soup") } == false)

            let kitchen = try await scene.get(order, as: scene.owner)
            #expect(kitchen["role"]?.text == "merchant" && kitchen["label"]?.text == "Driver is coming")
            #expect(kitchen["total"]?["amount"]?.int == 2_750 && kitchen["destination"] == nil)
            #expect(kitchen["provider"]?["name"]?.text == "Dan" && kitchen["providerRating"]?["count"]?.int == 0)
            #expect(kitchen["food"]?["handOverCode"] == nil && kitchen["customer"]?["name"]?.text == "Mira")
            let home = try await scene.get(order, as: scene.customer)
            #expect(home["total"]?["amount"]?.int == 3_450 && home["food"]?["handOverCode"] == nil)
            #expect(home["food"]?["arrivesAt"] != nil && home["label"]?.text == "Being prepared, driver found")

            #expect(try await scene.server.act("ready", order, as: scene.owner)["food"]?["isReady"] == .bool(true))
            #expect(try await scene.server.act("ready", order, as: scene.owner).problem == "order-state")
            #expect(try await scene.server.act("arrive", order, as: scene.courier)["state"]?.text == "arrived")
            let wrong = try await scene.server.act("start", order, as: scene.owner, #"{"code": "x"}"#)
            #expect(wrong.codes == ["/code": "wrong-hand-over-code"])
            let carried = try await scene.server.act("start", order, as: scene.owner, #"{"code": "\#(code)"}"#)
            #expect(carried["state"]?.text == "inProgress" && carried["label"]?.text == "Handed over")
            courier = try await scene.get(order, as: scene.courier)
            #expect(courier["food"]?["handOverCode"] == nil && courier["destination"]?["description"] != nil)
            #expect(try await scene.server.act("complete", order, as: scene.courier).status == 200)
            #expect(try await scene.server.act("complete", order, as: scene.owner).status == 403)
            #expect(try await scene.server.act("complete", order, as: scene.customer)["state"]?.text == "completed")
            let rated = try await scene.server.act("rating", order, as: scene.owner, #"{"stars": 4}"#)
            #expect(rated["ratings"]?["merchant"]?["stars"]?.int == 4)
            #expect(try await scene.get(order, as: scene.customer)["ratings"]?["merchant"] == nil)
            #expect(try await scene.get(order, as: scene.courier)["ratings"]?["merchant"] == nil)
            #expect(try await scene.get(order, as: scene.admin)["ratings"]?["merchant"]?["stars"]?.int == 4)
        }
    }

    @Test("O9, P3a: nobody at the door: the courier says so after the wait, and there; restaurant and courier are paid")
    func nobodyAtTheDoor() async throws {
        try await with { scene in
            try await scene.world.rides.set(.noShowWaitSeconds, to: "1")
            let order = try await scene.offered()
            let taken = try await scene.server.act("accept", order, as: scene.courier)
            let code = try #require(taken["food"]?["handOverCode"]?.text)
            _ = try await scene.server.act("start", order, as: scene.owner, #"{"code": "\#(code)"}"#)
            #expect(try await scene.server.act("no-show", order, as: scene.courier).problem == "order-state")
            for person in [scene.customer, scene.owner] {
                #expect(try await scene.server.act("no-show", order, as: person).status == 403)
            }
            try await scene.server.world.comeNear(order)
            let refused = try await eventually("the wait is over") {
                try await scene.server.act("no-show", order, as: scene.courier).problem
            } satisfies: {
                $0 != "too-early"
            }
            #expect(refused == "not-at-place")
            let destination = try #require(try await scene.world.details(order).destination)
            try await scene.server.world.stand(scene.courier.account, at: destination, north: 100)
            let missed = try await scene.server.act("no-show", order, as: scene.courier)
            #expect(missed["state"]?.text == "completed" && missed["reason"]?.text == "customer-no-show")
            let ended = try await scene.get(order, as: scene.customer)["ended"]
            #expect(ended?["by"]?.text == "provider" && ended?["paidTo"]?.text == "both" && ended?["fine"] == nil)
            #expect(try await scene.server.world.held(scene.courier.account) == nil)
            #expect(try await scene.server.world.events(order).last == "completed")
            #expect(try await scene.server.world.deadlines(order).isEmpty)
            try await scene.world.rides.expectConsistency()
        }
    }

    @Test("C5, O5: the restaurant's page: new, running and past orders; what was never paid is none of them")
    func page() async throws {
        try await with { scene in
            let unpaid = try await scene.pending()
            #expect(try await scene.server.act("cancel", unpaid, as: scene.customer).status == 200)
            _ = try await scene.pending()
            let new = try await scene.requested()
            let running = try await scene.requested()
            #expect(try await scene.server.act("accept", running, as: scene.owner).status == 200)
            let past = try await scene.requested()
            let refused = try await scene.server.act("decline", past, as: scene.owner, #"{"reason": "No more bread"}"#)
            #expect(refused["state"]?.text == "refused")
            #expect(try await scene.get(past, as: scene.customer)["reason"]?.text == "No more bread")
            #expect(try await scene.list("new", as: scene.owner) == [new.text])
            #expect(try await scene.list("active", as: scene.owner) == [running.text])
            #expect(try await scene.list("past", as: scene.owner) == [past.text])
            let other = try await scene.server.person(
                try await MealWorld.open("Nonna", [MealWorld.item("Pie", 900)], in: scene.world.pool).owner,
                roles: ["provider"], in: "btnc")
            for section in ["new", "active", "past"] {
                #expect(try await scene.list(section, as: other) == [])
                #expect(try await scene.list(section, as: scene.courier) == [])
            }
        }
    }

    @Test("O9, use case 15: a waiting courier sees the nearest meal without a courier, and takes it")
    func takes() async throws {
        try await with { scene in
            let order = try await scene.requested()
            #expect(try await scene.server.get(Self.requests, as: scene.courier).items.isEmpty)
            _ = try await scene.server.act("accept", order, as: scene.owner, #"{"minutes": 1}"#)
            let list = try await scene.server.get(Self.requests, as: scene.courier)
            let item = try #require(list.items.first)
            #expect(item["order"]?.text == order.text && item["destination"] == nil)
            #expect(item["total"]?["amount"]?.int == 700 && item["food"]?["restaurantName"]?.text == "Levant")
            #expect(item["food"]?["handOverCode"] == nil)
            let owners = try await scene.server.get(Self.requests, as: scene.owner)
            #expect(owners.problem == "not-waiting", "\(owners.json)")
            #expect(try await scene.server.act("take", order, as: scene.courier)["state"]?.text == "accepted")
        }
    }

    @Test("O9, P10: what is wrong with a cart is told field by field; a menu that has changed says what")
    func input() async throws {
        try await with { scene in
            let server = scene.server
            let empty = try await server.post(Self.meals, as: scene.customer, "{}")
            #expect(empty.codes == ["/restaurant": "required", "/quote": "required", "/items": "required"])
            let quote = try await scene.world.quote(scene.customer.account)
            let twice = scene.body(quote).replacing(scene.world.bread.id.text, with: scene.world.soup.id.text)
            #expect(try await server.post(Self.meals, as: scene.customer, twice).codes == ["/items": "repeated-item"])
            let none = scene.body(quote).replacing("\"count\": 2", with: "\"count\": 0")
            #expect(
                try await server.post(Self.meals, as: scene.customer, none).codes == ["/items/0/count": "out-of-range"])
            let changed = try await scene.request(quote, price: 1_100, as: scene.customer)
            #expect(changed.problem == "menu-changed" && changed.status == 409)
            #expect(changed.items.map { $0["name"]?.text } == ["Soup"])
            #expect(changed.items.first?["price"]?.int == 1_200 && changed.items.first?["index"]?.int == 0)
            let foreign = scene.body(try await scene.world.quote(scene.customer.account, of: .timeOrdered()))
            #expect(try await server.post(Self.meals, as: scene.customer, foreign).codes == ["/quote": "other-quote"])
            #expect(try await scene.request(quote, as: scene.customer).status == 201)
            #expect(try await scene.request(quote, as: scene.customer).problem == "quote-used")
            let order = try await scene.requested()
            for body in [#"{"minutes": 0}"#, #"{"minutes": 61}"#] {
                #expect(
                    try await server.act("accept", order, as: scene.owner, body).codes == ["/minutes": "out-of-range"])
            }
        }
    }

    @Test("O9, Q7: who may not: no token 401, no role 403, not one's meal 404, not one's part 403")
    func callers() async throws {
        try await with { scene in
            let server = scene.server
            let stranger = try await server.owner("Rose", in: "btnc")
            let second = try await server.person(
                try await scene.world.rides.driver(north: 5_000), roles: ["provider"], in: "btnc")
            let other = try await server.person(
                try await MealWorld.open("Nonna", [MealWorld.item("Pie", 900)], in: scene.world.pool).owner,
                roles: ["provider"], in: "btnc")
            let elsewhere = try await server.person(roles: ["admin"], in: "assef")
            let quote = try await scene.world.quote(scene.customer.account)
            #expect(try await scene.request(quote, as: nil).status == 401)
            #expect(try await scene.request(quote, as: scene.owner).status == 403)
            #expect(try await scene.request(quote, as: stranger).status == 404)
            let assef = "/dispatch/v1/markets/assef/meals"
            #expect(try await server.post(assef, as: server.customer(), scene.body(quote)).status == 404)

            let unpaid = try await scene.pending()
            #expect(try await scene.get(unpaid, as: scene.owner).status == 404)
            #expect(try await server.act("accept", unpaid, as: scene.owner).status == 404)

            let order = try await scene.offered()
            for (person, status) in [
                (scene.customer, 200), (scene.owner, 200), (scene.courier, 200), (scene.admin, 200), (stranger, 404),
                (second, 404), (other, 404), (elsewhere, 404),
            ] {
                #expect(try await scene.get(order, as: person).status == status)
            }
            for action in ["accept", "decline", "ready", "arrive", "give-up", "start", "complete", "cancel"] {
                #expect(try await server.act(action, order, as: nil).status == 401)
                for person in [stranger, second, other, scene.admin, elsewhere] {
                    #expect(try await server.act(action, order, as: person).status == 404, "\(action)")
                }
            }
            for (action, person) in [
                ("ready", scene.courier), ("ready", scene.customer), ("start", scene.courier),
                ("start", scene.customer), ("arrive", scene.owner), ("give-up", scene.owner), ("cancel", scene.owner),
                ("cancel", scene.courier), ("accept", scene.customer), ("decline", scene.customer),
            ] {
                #expect(try await server.act(action, order, as: person).status == 403, "\(action)")
            }
            // The way of the courier is followed by the customer alone.
            _ = try await server.act("accept", order, as: scene.courier)
            let matching = server.path(order, "matching")
            for person in [scene.customer, scene.owner, scene.courier] {
                #expect(try await server.get(matching, as: person).status == 404)
            }
            #expect(try await server.get(matching, as: scene.admin).status == 200)
        }
    }

    @Test("O9: a hand-over code can be tried ten times, by the restaurant alone")
    func tries() async throws {
        try await with { scene in
            let order = try await scene.offered()
            let taken = try await scene.server.act("accept", order, as: scene.courier)
            let code = try #require(taken["food"]?["handOverCode"]?.text)
            let wrong = #"{"code": "x"}"#
            for _ in 0..<12 {
                #expect(try await scene.server.act("start", order, as: scene.courier, wrong).status == 403)
            }
            for _ in 0..<10 {
                #expect(try await scene.server.act("start", order, as: scene.owner, wrong).status == 422)
            }
            let late = try await scene.server.act("start", order, as: scene.owner, #"{"code": "\#(code)"}"#)
            #expect(late.problem == "too-many-tries")
        }
    }

    @Test("O3: each of the three reports by the market's reasons; the others do not see a complaint")
    func reports() async throws {
        try await with { scene in
            let order = try await scene.offered()
            _ = try await scene.server.act("accept", order, as: scene.courier)
            func report(_ person: OrderServer.Person, _ reason: String, cancels: Bool) async throws -> Answer {
                try await scene.server.act(
                    "reports", order, as: person, #"{"reason": "\#(reason)", "cancels": \#(cancels)}"#)
            }
            #expect(
                try await report(scene.owner, "not-received", cancels: false).codes == ["/reason": "unknown-reason"])
            #expect(try await report(scene.owner, "courier-behaviour", cancels: false).status == 201)
            let reports = scene.server.path(order, "reports")
            #expect(try await scene.server.get(reports, as: scene.owner).items.map { $0["by"]?.text } == ["merchant"])
            for person in [scene.customer, scene.courier] {
                #expect(try await scene.server.get(reports, as: person).items.isEmpty)
            }
            #expect(try await report(scene.owner, "cannot-prepare", cancels: true).status == 201)
            #expect(try await scene.get(order, as: scene.customer)["state"]?.text == "disputed")
            #expect(try await scene.server.get(reports, as: scene.courier).items.count == 1)
            #expect(try await scene.server.world.held(scene.courier.account) == nil)
        }
    }
}
