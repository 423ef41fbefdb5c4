import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveMarkets
import Messaging
import NIOCore
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("C6: hiring bikes from racks", .timeLimit(.minutes(15)))
struct HireTests {
    static let hires = "/dispatch/v1/markets/btnc/hires"

    static func routes(_ world: OrderWorld, _ orders: OrderRoutes) -> HireRoutes {
        HireRoutes(
            orders: orders, markets: world.markets,
            run: RunHire(
                hire: HireBike(signingKey: Array(repeating: 7, count: 32)),
                change: ChangeOrder(markets: world.markets)))
    }

    static func bikes(_ world: OrderWorld, _ orders: OrderRoutes) -> BikeRoutes {
        BikeRoutes(
            orders: orders, markets: world.markets,
            manage: ManageBikes(run: routes(world, orders).run, change: ChangeOrder(markets: world.markets)))
    }

    /// A rack with free bikes, and its key.
    static func rack(_ server: OrderServer, bikes: Int = 2) async throws -> (id: UUID, key: String) {
        let key = UUID().uuidString
        let card = Rack.Card(name: "City", arabicName: nil, latitude: -31.9523, longitude: 115.8613, isActive: true)
        let id = try await server.world.pool.withTransaction { transaction in
            let rack = try await ManageRacks().add(
                card, key: key, in: "btnc", by: .timeOrdered(), at: .thisMillisecond, in: transaction)
            try await ManageRacks().stock(
                rack.id, with: .city, count: bikes, in: "btnc", by: .timeOrdered(), at: .thisMillisecond,
                in: transaction)
            return rack.id
        }
        return (id, key)
    }

    static func report(
        _ server: OrderServer, _ what: String, _ rack: UUID, key: String?, _ body: String
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let key, let name = HTTPField.Name.rackKey { headers[name] = key }
        return try await server.client.execute(
            uri: "/dispatch/v1/racks/\(rack.text)/\(what)", method: .post, headers: headers,
            body: ByteBuffer(string: body)
        ) { try Answer($0) }
    }

    static func order(
        _ server: OrderServer, _ rider: OrderServer.Person, _ rack: UUID
    ) async throws -> Answer {
        try await server.post(hires, as: rider, #"{"rack": "\#(rack.text)", "type": "city"}"#)
    }

    /// A paid hire, and the code for it.
    static func ready(
        _ server: OrderServer, _ rider: OrderServer.Person, _ rack: UUID
    ) async throws -> (order: UUID, code: String) {
        let answer = try await order(server, rider, rack)
        #expect(answer.status == 201, "\(answer.json)")
        let id = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
        try await server.world.pay(id)
        let code = try await server.post("/dispatch/v1/hires/\(id.text)/code", as: rider)
        #expect(code.status == 200 && code["rack"]?.text == rack.text, "\(code.json)")
        return (id, try #require(code["code"]?.text))
    }

    @Test("C6: reserved, paid, unlocked by a code, reported out and back by racks, and it costs its time")
    func whole() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let (rack, key) = try await Self.rack(server)
            let (other, otherKey) = try await Self.rack(server, bikes: 0)
            let terms = try await server.get("\(Self.hires)/terms", as: rider)
            #expect(terms["perMinute"]?.int == 15 && terms["held", "amount"]?.int == 3_700)
            let (order, code) = try await Self.ready(server, rider, rack)
            let ready = try await server.get(server.path(order), as: rider)
            #expect(ready["label"]?.text == "Ready at the rack" && ready["total", "amount"]?.int == 3_700)
            let bike = try #require(ready["bike", "bike"]?.text)
            let out = try await Self.report(server, "pick-ups", rack, key: key, #"{"code": "\#(code)"}"#)
            #expect(out.status == 200 && out["bike"]?.text == bike, "\(out.json)")
            // The answer was lost; the rack asks again.
            #expect(
                try await Self.report(server, "pick-ups", rack, key: key, #"{"code": "\#(code)"}"#)["bike"]?.text
                    == bike)
            #expect(try await server.get(server.path(order), as: rider)["label"]?.text == "On hire")
            #expect(try await server.act("cancel", order, as: rider).problem == "order-state")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let list = try await server.get("/dispatch/v1/markets/btnc/bikes/out", as: admin).items
            #expect(list.compactMap { $0["bike"]?.text } == [bike] && list.first?["isOverdue"] == .bool(false))
            // Half an hour.
            try await server.world.pool.execute(AgeVisit(order: order, seconds: 1_799))
            let body = #"{"bike": "\#(bike)"}"#
            #expect(try await Self.report(server, "returns", other, key: otherKey, body).status == 204)
            #expect(try await Self.report(server, "returns", other, key: otherKey, body).status == 204)
            let back = try await server.get(server.path(order), as: rider)
            #expect(back["state"]?.text == "completed" && back["ended", "paidTo"]?.text == "platform")
            let cost = try #require(back["total", "amount"]?.int)
            #expect((550...552).contains(cost))
            #expect(try await server.get("/dispatch/v1/markets/btnc/bikes/out", as: admin).items.isEmpty)
            #expect(
                try await server.world.events(order) == ["pending", "accepted", "started", "completed"])
            #expect(try await server.world.deadlines(order).isEmpty)
        }
    }

    @Test("C6: what is not paid, cancelled or not picked up leaves the bike to others, and its code opens nothing")
    func ended() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let (rack, key) = try await Self.rack(server, bikes: 1)
            let unpaid = try await Self.order(server, rider, rack)
            let id = try #require(unpaid["order"]?.text.flatMap(UUID.init(uuidString:)))
            #expect(try await Self.order(server, try await server.owner("Ron", in: "btnc"), rack).problem == "no-bike")
            #expect(try await server.post("/dispatch/v1/hires/\(id.text)/code", as: rider).problem == "order-state")
            #expect(try await server.act("cancel", id, as: rider).status == 200)
            let (order, code) = try await Self.ready(server, rider, rack)
            try await world.pool.withTransaction { transaction in
                let row = try await transaction.first(FindOrder(order: order))
                let due = try #require(try row?.details().order.deadline)
                try await world.operations.endWindow(.arrival, of: order, due: due, at: due, in: transaction)
            }
            #expect(try await world.state(order) == .expired)
            let expired = try await server.get(server.path(order), as: rider)
            #expect(expired["label"]?.text == "Expired")
            #expect(expired["reasonText"]?.text == "It was not picked up in time")
            let pickUp = try await Self.report(server, "pick-ups", rack, key: key, #"{"code": "\#(code)"}"#)
            #expect(pickUp.status == 409 && pickUp.problem == "wrong-code")
            // One that never comes back costs all that was held, and is known as out.
            let (lost, last) = try await Self.ready(server, rider, rack)
            #expect(try await Self.report(server, "pick-ups", rack, key: key, #"{"code": "\#(last)"}"#).status == 200)
            try await world.pool.withTransaction { transaction in
                let row = try await transaction.first(FindOrder(order: lost))
                let due = try #require(try row?.details().order.deadline)
                try await world.operations.endWindow(.completion, of: lost, due: due, at: due, in: transaction)
            }
            let order2 = try await world.details(lost).order
            #expect(order2.state == .completed && order2.total == 3_700 && order2.reason == "not-brought-back")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let out = try await server.get("/dispatch/v1/markets/btnc/bikes/out", as: admin).items
            #expect(out.first?["isOverdue"] == .bool(true))
            let bike = try #require(out.first?["bike"]?.text)
            // Found in the end: for others again, and the hire stays as it ended.
            #expect(try await Self.report(server, "returns", rack, key: key, #"{"bike": "\#(bike)"}"#).status == 204)
            #expect(try await world.details(lost).order.version == order2.version)
            #expect(try await Self.order(server, rider, rack).status == 201)
        }
    }

    @Test("C6, Q7: only racks report, only by their keys; codes are their rider's alone, and lists the admins'")
    func callers() async throws {
        try await OrderServer.with { server in
            let (rider, other) = (try await server.owner("Rita", in: "btnc"), try await server.owner("Ron", in: "btnc"))
            let driver = try await server.person(roles: ["provider"], in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let foreign = try await server.owner("Olof", in: "carrepsa")
            let (rack, key) = try await Self.rack(server)
            let (elsewhere, elsewhereKey) = try await Self.rack(server)
            let body = #"{"rack": "\#(rack.text)", "type": "city"}"#
            #expect(try await server.post(Self.hires, as: nil, body).status == 401)
            for person in [driver, admin, foreign] {
                #expect(try await server.post(Self.hires, as: person, body).status == 403)
            }
            #expect(try await server.get("\(Self.hires)/terms", as: nil).status == 401)
            for person in [driver, foreign] {
                #expect(try await server.get("\(Self.hires)/terms", as: person).status == 403)
                #expect(try await server.get("/dispatch/v1/markets/btnc/bikes/out", as: person).status == 403)
            }
            #expect(try await server.get("/dispatch/v1/markets/btnc/bikes/out", as: rider).status == 403)
            let (order, code) = try await Self.ready(server, rider, rack)
            let codes = "/dispatch/v1/hires/\(order.text)/code"
            #expect(try await server.post(codes, as: nil).status == 401)
            for person in [other, driver, admin, foreign] {
                #expect(try await server.post(codes, as: person).status == 404)
                #expect(
                    try await server.get(server.path(order), as: person).status
                        == (person.account == admin.account ? 200 : 404))
            }
            let elsewhereRider = try await server.person(rider.account, roles: ["customer"], in: "carrepsa")
            #expect(try await server.post(codes, as: elsewhereRider).status == 403)
            let visit = try await server.world.order(in: .accepted)
            let visitor = try await server.person(visit.customer.account, roles: ["customer"])
            #expect(try await server.post("/dispatch/v1/hires/\(visit.id.text)/code", as: visitor).status == 404)

            let sent = #"{"code": "\#(code)"}"#
            for (id, proof) in [
                (rack, nil), (rack, "wrong"), (rack, elsewhereKey), (elsewhere, key), (.timeOrdered(), key),
            ] {
                #expect(try await Self.report(server, "pick-ups", id, key: proof, sent).status == 401)
                #expect(
                    try await Self.report(server, "returns", id, key: proof, #"{"bike": "\#(UUID().uuidString)"}"#)
                        .status == 401)
            }
            // Another rack's code opens nothing here.
            #expect(
                try await Self.report(server, "pick-ups", elsewhere, key: elsewhereKey, sent).problem == "wrong-code")
            #expect(try await Self.report(server, "pick-ups", rack, key: key, "{}").codes == ["/code": "required"])
            #expect(try await Self.report(server, "returns", rack, key: key, "{}").codes == ["/bike": "required"])
            let unknown = try await Self.report(
                server, "returns", rack, key: key, #"{"bike": "\#(UUID().uuidString)"}"#)
            #expect(unknown.problem == "bike-not-out")
            #expect(
                try await server.post(Self.hires, as: rider, "{}").codes == ["/rack": "required", "/type": "required"])
            let nowhere = #"{"rack": "\#(UUID().uuidString)", "type": "city"}"#
            #expect(try await server.post(Self.hires, as: rider, nowhere).status == 404)
            for _ in 0..<3 { _ = try await Self.rack(server, bikes: 1) }
            let (big, _) = try await Self.rack(server, bikes: 9)
            for _ in 0..<3 { #expect(try await Self.order(server, rider, big).status == 201) }
            #expect(try await Self.order(server, rider, big).problem == "too-many-hires")
            try await server.world.ban(other.account, in: "btnc")
            #expect(try await Self.order(server, other, big).problem == "banned")
        }
    }

    @Test("B11, C6, P2: outside of the market's hours no bike is hired, and the one that was reserved stays reserved")
    func closed() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let (rack, _) = try await Self.rack(server, bikes: 2)
            let (_, code) = try await Self.ready(server, rider, rack)
            #expect(!code.isEmpty)
            // It opens in two hours, for one.
            let minute = try #require(LocalTime.minuteOfDay(of: Date(), in: Market.btnc.defaults.timeZone))
            let hours = OpeningHours(openMinute: (minute + 120) % 1_440, closeMinute: (minute + 180) % 1_440)
            func set(_ hours: String) async throws {
                try await server.world.pool.execute(
                    SetSetting(market: "btnc", key: MarketSettings.Key.openingHours.rawValue, value: hours))
                try await server.world.markets.refresh()
            }
            try await set(hours.text)
            #expect(try await Self.order(server, rider, rack).problem == "market-closed")
            try await set("always")
            #expect(try await Self.order(server, rider, rack).status == 201)
        }
    }

    @Test("Q7: every route of hires is in the OpenAPI document, and the document knows no other")
    func routes() async throws {
        try await OrderWorld.with { world in
            let router = Router(context: SeraiRequestContext.self)
            Self.routes(world, OrderServer.routes(world)).add(to: router)
            Self.bikes(world, OrderServer.routes(world)).add(to: router)
            let routes = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" })
            let document = try OpenAPIDocument(
                yaml: String(decoding: PackageResources.openapi_yaml, as: UTF8.self))
            #expect(document.faults == [] && routes.count == 11)
            #expect(document.operations.isSuperset(of: routes), "\(routes.subtracting(document.operations))")
        }
    }
}
