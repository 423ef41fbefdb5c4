import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("C6: what goes wrong with hires", .timeLimit(.minutes(15)))
struct HireFaultTests {
    /// What a rack answered about a code.
    private static func pickUp(
        _ server: OrderServer, _ rack: (id: UUID, key: String), _ code: String
    ) async throws -> Answer {
        try await HireTests.report(server, "pick-ups", rack.id, key: rack.key, #"{"code": "\#(code)"}"#)
    }

    /// What a rack answered about a bike that stands in it.
    private static func bringBack(
        _ server: OrderServer, _ rack: (id: UUID, key: String), _ bike: UUID
    ) async throws -> Answer {
        try await HireTests.report(server, "returns", rack.id, key: rack.key, #"{"bike": "\#(bike.text)"}"#)
    }

    /// A hire whose bike is out.
    private static func out(
        _ server: OrderServer, _ rider: OrderServer.Person, _ rack: (id: UUID, key: String)
    ) async throws -> (order: UUID, bike: UUID) {
        let (order, code) = try await HireTests.ready(server, rider, rack.id)
        let answer = try await pickUp(server, rack, code)
        return (order, try #require(answer["bike"]?.text.flatMap(UUID.init(uuidString:)), "\(answer.json)"))
    }

    /// Where a bike is, and whose.
    private static func place(_ server: OrderServer, _ bike: UUID) async throws -> (rack: UUID?, order: UUID?) {
        let found = try #require(try await server.world.pool.first(FindBike(bike: bike, market: "btnc")))
        return (found.rack, found.order)
    }

    @Test("C6: told twice at the same moment, a pick-up and a return happen once, and each rack hears the same")
    func twice() async throws {
        try await OrderServer.with { server in
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: 1)
            for round in 0..<20 {
                let (order, code) = try await HireTests.ready(server, rider, rack.id)
                async let first = Self.pickUp(server, rack, code)
                async let second = Self.pickUp(server, rack, code)
                let (one, two) = try await (first, second)
                #expect(one.status == 200 && two.status == 200 && one["bike"] == two["bike"], "round \(round)")
                let bike = try #require(one["bike"]?.text.flatMap(UUID.init(uuidString:)))
                async let third = Self.bringBack(server, rack, bike)
                async let fourth = Self.bringBack(server, rack, bike)
                let back = try await (third.status, fourth.status)
                #expect(back == (204, 204), "round \(round): \(back)")
                #expect(
                    try await server.world.events(order) == ["pending", "accepted", "started", "completed"])
            }
        }
    }

    @Test("C6: what a rack tells once more changes nothing for the next rider; what cannot be is refused")
    func reports() async throws {
        try await OrderServer.with { server in
            let (rider, next) = (try await server.owner("Rita", in: "btnc"), try await server.owner("Ron", in: "btnc"))
            let rack = try await HireTests.rack(server, bikes: 1)
            let other = try await HireTests.rack(server, bikes: 0)
            let (order, code) = try await HireTests.ready(server, rider, rack.id)
            let bike = try #require(try await server.world.details(order).order.bike?.bike)
            // Reserved, and not out: it is where it is, and nowhere else.
            #expect(try await Self.bringBack(server, rack, bike).status == 204)
            #expect(try await Self.bringBack(server, other, bike).problem == "bike-not-out")
            #expect(try await server.world.state(order) == .accepted)

            #expect(try await Self.pickUp(server, rack, code).status == 200)
            #expect(try await Self.bringBack(server, other, bike).status == 204)
            // The rack it was taken from knows nothing of it, and its code is of no more use.
            #expect(try await Self.bringBack(server, rack, bike).problem == "bike-not-out")
            #expect(try await Self.pickUp(server, rack, code).problem == "wrong-code")
            #expect(try await Self.place(server, bike) == (other.id, nil))

            let (second, secondCode) = try await HireTests.ready(server, next, other.id)
            #expect(try await Self.bringBack(server, other, bike).status == 204)
            #expect(try await server.world.state(second) == .accepted)
            #expect(try await Self.place(server, bike) == (other.id, second))
            #expect(try await Self.pickUp(server, rack, code).problem == "wrong-code")
            #expect(try await Self.pickUp(server, other, secondCode)["bike"]?.text == bike.text)
            #expect(try await server.world.details(order).order.state == .completed)
        }
    }

    @Test("C6: only the newest code opens, until it runs out; told again, a used one is of no use after two minutes")
    func codes() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: 1)
            let (order, old) = try await HireTests.ready(server, rider, rack.id)
            let path = "/dispatch/v1/hires/\(order.text)/code"
            let code = try #require(try await server.post(path, as: rider)["code"]?.text)
            #expect(try await Self.pickUp(server, rack, old).problem == "wrong-code")
            let run = HireTests.routes(world, OrderServer.routes(world)).run
            func pickUp(after seconds: Double) async throws -> UUID {
                try await world.pool.withTransaction { transaction in
                    try await run.pickUp(
                        code, at: rack.id, now: .thisMillisecond + seconds, in: transaction)
                }
            }
            await #expect(throws: RackRefusal.wrongCode) { try await pickUp(after: UnlockCode.seconds + 1) }
            let bike = try await pickUp(after: 0)
            #expect(try await pickUp(after: RunHire.repeatSeconds - 10) == bike)
            await #expect(throws: RackRefusal.wrongCode) { try await pickUp(after: RunHire.repeatSeconds + 1) }
            #expect(try await server.post(path, as: rider).problem == "order-state")
        }
    }

    @Test("C6: a code that is asked for shortly before the bike is for others is good until then, and none after")
    func lastCode() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: 1)
            let (order, _) = try await HireTests.ready(server, rider, rack.id)
            let due = try #require(try await world.details(order).order.deadline)
            let run = HireTests.routes(world, OrderServer.routes(world)).run
            func until(_ now: Date) async throws -> Date {
                try await world.pool.withTransaction { transaction in
                    try await run.code(
                        of: order, for: rider.account, as: .rider, random: 5, mayHold: { _ in }, at: now,
                        in: transaction
                    ).until
                }
            }
            #expect(try await until(due - 3_000) == due - 3_000 + UnlockCode.seconds)
            #expect(try await until(due - 60) == due)
            await #expect(throws: OrderRefusal.tooLate(.accepted)) { try await until(due) }
        }
    }

    @Test("C6: two riders never have one bike, and one rider never more than there may be, 20 times")
    func reserving() async throws {
        try await OrderServer.with { server in
            let (rider, other) = (try await server.owner("Rita", in: "btnc"), try await server.owner("Ron", in: "btnc"))
            for round in 0..<20 {
                let rack = try await HireTests.rack(server, bikes: 1)
                async let first = HireTests.order(server, rider, rack.id)
                async let second = HireTests.order(server, other, rack.id)
                let answers = try await [first, second]
                #expect(answers.map(\.status).sorted() == [201, 409], "round \(round)")
                #expect(answers.compactMap(\.problem) == ["no-bike"])
                let won = try #require(
                    answers.first { $0.status == 201 }?["order"]?.text.flatMap(UUID.init(uuidString:)))
                let winner = answers[0].status == 201 ? rider : other
                #expect(try await server.act("cancel", won, as: winner).status == 200)
            }
            let big = try await HireTests.rack(server, bikes: 9)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await HireTests.order(server, rider, big.id).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == Rack.maximumHires && statuses.count { $0 == 409 } == 4)
            // The same request once more is the same hire.
            let (key, body) = (UUID().uuidString, #"{"rack": "\#(big.id.text)", "type": "city"}"#)
            let once = try await server.post(HireTests.hires, as: other, body, key: key)
            let again = try await server.post(HireTests.hires, as: other, body, key: key)
            #expect(once.status == 201 && once["order"] == again["order"])
        }
    }

    @Test("C6: who does not bring bikes back has them still: they count as hires until a rack has them")
    func kept() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: Rack.maximumHires + 1)
            var last: UUID?
            for _ in 0..<Rack.maximumHires {
                let (order, bike) = try await Self.out(server, rider, rack)
                let due = try #require(try await world.details(order).order.deadline)
                try await world.pool.withTransaction { transaction in
                    try await world.operations.endWindow(.completion, of: order, due: due, at: due, in: transaction)
                }
                #expect(try await world.details(order).order.reason == "not-brought-back")
                last = bike
            }
            #expect(try await HireTests.order(server, rider, rack.id).problem == "too-many-hires")
            let bike = try #require(last)
            #expect(try await Self.bringBack(server, rack, bike).status == 204)
            #expect(try await HireTests.order(server, rider, rack.id).status == 201)
        }
    }

    @Test("C6, I11: neither a lost payment nor a ban ends a hire that is out; its return does, and nobody is paid")
    func lost() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: 1)
            let (order, bike) = try await Self.out(server, rider, rack)
            try await world.pay(order, .paymentReleased(.init(method: "card", version: 9)))
            try await world.ban(rider.account, in: "btnc")
            try await world.pool.withTransaction { transaction in
                try await world.operations.endBanned(order, at: .thisMillisecond, in: transaction)
            }
            #expect(try await world.state(order) == .inProgress)
            #expect(try await Self.bringBack(server, rack, bike).status == 204)
            let ended = try await world.details(order).order
            #expect(ended.state == .completed && ended.paidTo == .nobody && ended.total == 300)
            #expect(try await Self.place(server, bike) == (rack.id, nil))
        }
    }

    @Test("C6: of a pick-up, a cancellation and the end of the window at once, one happens, 100 times")
    func races() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let rider = try await server.owner("Rita", in: "btnc")
            let rack = try await HireTests.rack(server, bikes: 1)
            for round in 0..<100 {
                let (order, code) = try await HireTests.ready(server, rider, rack.id)
                let before = try await world.details(order).order
                let (bike, due) = (try #require(before.bike?.bike), try #require(before.deadline))
                async let pickUp = Self.pickUp(server, rack, code)
                async let cancel = server.act("cancel", order, as: rider)
                async let over: Void = world.pool.withTransaction { transaction in
                    try await world.operations.endWindow(.arrival, of: order, due: due, at: due, in: transaction)
                }
                let (out, cancelled, _) = try await (pickUp.status, cancel.status, over)
                let after = try await world.details(order).order
                let expected: [OrderState: [Int]] = [
                    .inProgress: [200, 409], .cancelled: [409, 200], .expired: [409, 409],
                ]
                #expect(expected[after.state] == [out, cancelled], "round \(round): \(after.state)")
                let place = try await Self.place(server, bike)
                let isOut = place.rack == nil && place.order == order
                let isFree = place.rack == rack.id && place.order == nil
                #expect(out == 200 ? isOut : isFree, "round \(round): \(after.state)")
                guard out == 200 else { continue }
                #expect(try await Self.bringBack(server, rack, bike).status == 204)
            }
        }
    }
}
