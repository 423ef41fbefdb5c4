import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("C6: bikes that are broken, lost, brought back by an admin, or rated", .timeLimit(.minutes(15)))
struct BikeStateTests {
    private static let bikes = "/dispatch/v1/markets/btnc/bikes"

    private struct Hire {
        let order: UUID
        let bike: String
        let rack: UUID
        let key: String
    }

    private static func hire(_ server: OrderServer, _ rider: OrderServer.Person, bikes: Int = 1) async throws -> Hire {
        let (rack, key) = try await HireTests.rack(server, bikes: bikes)
        let (order, code) = try await HireTests.ready(server, rider, rack)
        let out = try await HireTests.report(server, "pick-ups", rack, key: key, #"{"code": "\#(code)"}"#)
        return Hire(order: order, bike: try #require(out["bike"]?.text, "\(out.json)"), rack: rack, key: key)
    }

    private static func say(
        _ server: OrderServer, _ state: String, _ bike: String, as admin: OrderServer.Person
    ) async throws -> Answer {
        try await server.post("\(bikes)/\(bike)/state", as: admin, #"{"state": "\#(state)", "note": "seen"}"#)
    }

    @Test("B10, C6: a lost bike ends its hire at the longest price and no more; a rack that has it again makes it good")
    func lost() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let hire = try await Self.hire(server, rider)
            #expect(try await Self.say(server, "lost", hire.bike, as: rider).status == 403)
            #expect(try await Self.say(server, "repaired", hire.bike, as: admin).problem == "bike-not-broken")
            #expect(try await Self.say(server, "lost", hire.bike, as: admin).status == 204)
            let ended = try await server.get(server.path(hire.order), as: rider)
            #expect(ended["state"]?.text == "completed" && ended["reason"]?.text == "not-brought-back")
            #expect(ended["total", "amount"]?.int == 3_700, "\(ended.json)")
            let list = try await server.get("\(Self.bikes)/out", as: admin).items
            #expect(list.map { $0["state"]?.text } == ["lost"] && list.first?["note"]?.text == "seen")
            #expect(list.first?["customer"] == nil && list.first?["isOverdue"] == .bool(false))
            #expect(try await HireTests.order(server, rider, hire.rack).problem == "no-bike")
            let back = #"{"bike": "\#(hire.bike)"}"#
            #expect(try await HireTests.report(server, "returns", hire.rack, key: hire.key, back).status == 204)
            #expect(try await server.get("\(Self.bikes)/out", as: admin).items.isEmpty)
            #expect(try await HireTests.order(server, rider, hire.rack).status == 201)
            let told = try await server.world.pool.query(ReadEvents(order: hire.bike)).map(\.name)
            #expect(told == ["dispatch.bike.managed.v1"])
        }
    }

    @Test("B10, C6: a broken bike is not given out until it is repaired; one that an order has reserved is left to it")
    func broken() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let hire = try await Self.hire(server, rider)
            #expect(try await Self.say(server, "broken", hire.bike, as: admin).status == 204)
            #expect(try await server.world.state(hire.order) == .inProgress)
            let back = #"{"bike": "\#(hire.bike)"}"#
            #expect(try await HireTests.report(server, "returns", hire.rack, key: hire.key, back).status == 204)
            #expect(try await HireTests.order(server, rider, hire.rack).problem == "no-bike")
            #expect(try await Self.say(server, "repaired", hire.bike, as: admin).status == 204)
            let next = try await HireTests.order(server, rider, hire.rack)
            #expect(next.status == 201, "\(next.json)")
            #expect(try await Self.say(server, "broken", hire.bike, as: admin).problem == "bike-reserved")
        }
    }

    @Test("B10, C6: an admin brings a bike back, and the hire ends at the time that the admin says, within the hire")
    func returned() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let hire = try await Self.hire(server, rider)
            try await server.world.pool.execute(AgeVisit(order: hire.order, seconds: 3_600))
            func bring(_ at: Date?, as person: OrderServer.Person) async throws -> Answer {
                let time = at.map { #", "at": "\#(Timestamp.text($0))""# } ?? ""
                return try await server.post(
                    "\(Self.bikes)/\(hire.bike)/return", as: person, #"{"rack": "\#(hire.rack.text)"\#(time)}"#)
            }
            #expect(try await bring(nil, as: rider).status == 403)
            #expect(try await bring(Date() + 60, as: admin).codes == ["/at": "not-within-the-hire"])
            #expect(try await bring(Date() - 7_200, as: admin).codes == ["/at": "not-within-the-hire"])
            #expect(try await bring(Date() - 1_800, as: admin).status == 204)
            let ended = try await server.get(server.path(hire.order), as: rider)
            #expect(ended["state"]?.text == "completed", "\(ended.json)")
            // Half an hour of the hour.
            #expect((545...560).contains(ended["total", "amount"]?.int ?? 0), "\(ended.json)")
            #expect(try await bring(nil, as: admin).status == 204)
        }
    }

    @Test(
        "B10, C6: a rider whose bike is broken ends the hire and pays until then; the bike stays out and admins see it"
    )
    func breaksDown() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let other = try await server.owner("Ron", in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let hire = try await Self.hire(server, rider)
            try await server.world.pool.execute(AgeVisit(order: hire.order, seconds: 1_799))
            let path = "/dispatch/v1/hires/\(hire.order.text)/broken"
            #expect(try await server.post(path, as: other, "{}").status == 404)
            let ended = try await server.post(path, as: rider, #"{"note": "The chain is gone"}"#)
            #expect(ended.status == 200 && ended["state"]?.text == "completed", "\(ended.json)")
            #expect((550...553).contains(ended["total", "amount"]?.int ?? 0), "\(ended.json)")
            #expect(try await server.post(path, as: rider, "{}").problem == "order-state")
            let list = try await server.get("\(Self.bikes)/out", as: admin).items
            #expect(list.first?["state"]?.text == "broken" && list.first?["note"]?.text == "The chain is gone")
            #expect(list.first?["customer"]?["name"]?.text == "Rita")
            let reports = try await server.get(server.path(hire.order, "reports"), as: rider).items
            #expect(reports.map { $0["reason"]?.text } == ["bike-broken"], "\(reports)")
        }
    }

    @Test(
        "B9, C6: a hire that has ended is rated once: stars for the bike, and for the racks where it was taken and left"
    )
    func rated() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let admin = try await server.person(roles: ["admin"], in: "btnc")
            let hire = try await Self.hire(server, rider)
            let rating = #"{"stars": 2, "serviceStars": 5, "comment": "The brakes are weak"}"#
            #expect(try await server.act("rating", hire.order, as: rider, rating).problem == "order-state")
            let (other, otherKey) = try await HireTests.rack(server, bikes: 0)
            let back = #"{"bike": "\#(hire.bike)"}"#
            #expect(try await HireTests.report(server, "returns", other, key: otherKey, back).status == 204)
            let rated = try await server.act("rating", hire.order, as: rider, rating)
            #expect(rated.status == 201 && rated["ratings", "customer", "stars"]?.int == 2, "\(rated.json)")
            #expect(try await server.act("rating", hire.order, as: rider, rating).problem == "already-rated")
            let racks = try await server.world.pool.query(ListRacks(market: "btnc", after: nil, limit: 100))
            #expect(racks.allSatisfy { $0.standing == OrderDetails.Standing(stars: 5, count: 1) })
            #expect(Set(racks.map(\.id)) == [hire.rack, other])
            #expect(try await Self.say(server, "broken", hire.bike, as: admin).status == 204)
            let list = try await server.get("\(Self.bikes)/out", as: admin).items
            #expect(list.first?["rating"]?.int == 2 && list.first?["ratings"]?.int == 1, "\(list)")
        }
    }
}
