import Contracts
import Foundation
import HTTPTypes
import Matching
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C6: racks and bikes", .timeLimit(.minutes(15)))
struct RackTests {
    static let racks = "markets/btnc/racks"
    static let hire = HireBike(signingKey: Array(repeating: 7, count: 32))

    /// A rack with free bikes, made as an admin does it.
    static func rack(
        _ ground: PlacesGround, _ name: String, metresNorth: Double = 0, bikes: [String: Int] = [:]
    ) async throws -> (id: UUID, key: String) {
        let place = PlacesGround.north(metresNorth)
        let made = try await ground.ask(
            .post, racks, #"{"name":"\#(name)","latitude":\#(place.latitude),"longitude":\#(place.longitude)}"#,
            as: .timeOrdered(), ["admin"])
        #expect(made.status == 201, "\(made.json)")
        let id = try #require(made.json["rack"]?.asText)
        for (type, count) in bikes {
            let stocked = try await ground.ask(
                .put, "\(racks)/\(id)/bikes/\(type)", #"{"count":\#(count)}"#, as: .timeOrdered(), ["admin"])
            #expect(stocked.status == 204)
        }
        return (try #require(UUID(uuidString: id)), try #require(made.json["key"]?.asText))
    }

    static func nearest(_ ground: PlacesGround, _ more: String = "") async throws -> [JSONValue] {
        try await ground.ask(
            .get, "\(racks)/nearest?\(PlacesGround.query(PlacesGround.perth))\(more)", as: .timeOrdered()
        ).items
    }

    @Test("C6: the nearest rack that has bikes of the kind is found, with its stock by type")
    func nearest() async throws {
        try await PlacesGround.run { ground in
            _ = try await Self.rack(ground, "Empty")
            let city = try await Self.rack(ground, "City", metresNorth: 400, bikes: ["city": 3])
            _ = try await Self.rack(ground, "Both", metresNorth: 900, bikes: ["city": 1, "electric": 2])
            _ = try await Self.rack(ground, "Far", metresNorth: 12_000, bikes: ["city": 9])
            var found = try await Self.nearest(ground)
            #expect(found.compactMap { $0["name"]?.asText } == ["City", "Both"])
            #expect(found.first?["bikes"]?["city"]?.asInt == 3 && found.first?["key"] == nil)
            #expect(abs((found.first?["metres"]?.asInt ?? 0) - 400) < 5)
            found = try await Self.nearest(ground, "&type=electric")
            #expect(found.compactMap { $0["name"]?.asText } == ["Both"])

            // One that gives none out is not found.
            let place = PlacesGround.north(400)
            let off = try await ground.ask(
                .put, "\(Self.racks)/\(city.id.text)",
                #"{"name":"City","latitude":\#(place.latitude),"longitude":\#(place.longitude),"active":false}"#,
                as: .timeOrdered(), ["admin"])
            #expect(off.status == 200)
            #expect(try await Self.nearest(ground).compactMap { $0["name"]?.asText } == ["Both"])
            let all = try await ground.ask(.get, Self.racks, as: .timeOrdered(), ["admin"])
            #expect(all.items.count == 4)
        }
    }

    @Test("P9: what admins do about racks is told, and never the key")
    func told() async throws {
        try await PlacesGround.run { ground in
            let (id, key) = try await Self.rack(ground, "City", bikes: ["city": 2])
            let renewed = try await ground.ask(
                .post, "\(Self.racks)/\(id.text)/key", as: .timeOrdered(), ["admin"])
            let other = try #require(renewed.json["key"]?.asText)
            #expect(renewed.status == 200 && other != key && other.count == 64)
            let events = try await ground.pool.query(ReadEvents(order: id.text))
            #expect(events.map(\.name) == Array(repeating: "dispatch.rack.managed.v1", count: 3))
            #expect(!events.contains { $0.payload.contains(key) || $0.payload.contains(other) })
            #expect(try await ground.pool.first(FindRackByKey(rack: id, keyHash: RackKey.hash(other))) == "btnc")
            #expect(try await ground.pool.first(FindRackByKey(rack: id, keyHash: RackKey.hash(key))) == nil)
        }
    }

    @Test("C6: of many who want the last bikes each has another one or none")
    func reserving() async throws {
        try await PlacesGround.run { ground in
            let (rack, _) = try await Self.rack(ground, "City", bikes: ["city": 5])
            let bikes = try await withThrowingTaskGroup(of: UUID?.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        do {
                            return try await ground.pool.withTransaction { transaction in
                                let order = UUID.timeOrdered()
                                let bike = try await HireBike.reserve(.city, at: rack, for: order, in: transaction)
                                transaction.send(InsertBareOrder(order: order))
                                return bike
                            }
                        } catch RackRefusal.noBike { return nil }
                    }
                }
                return try await group.reduce(into: [UUID]()) { if let bike = $1 { $0.append(bike) } }
            }
            #expect(bikes.count == 5 && Set(bikes).count == 5)
            #expect(try await Self.nearest(ground).isEmpty)
        }
    }

    @Test("C6: a code opens its rack once, before it runs out; a newer one makes it worthless; it is kept as a hash")
    func codes() async throws {
        try await PlacesGround.run { ground in
            let (rack, _) = try await Self.rack(ground, "City", bikes: ["city": 2])
            let (other, _) = try await Self.rack(ground, "Other", metresNorth: 300)
            let order = UUID.timeOrdered()
            let now = Date.thisMillisecond
            let (bike, old, code) = try await ground.pool.withTransaction { transaction in
                let bike = try await HireBike.reserve(.city, at: rack, for: order, in: transaction)
                transaction.send(InsertBareOrder(order: order))
                let old = try await Self.hire.code(for: order, at: rack, random: 12, at: now, in: transaction)
                let code = try await Self.hire.code(for: order, at: rack, random: 99_999_999, at: now, in: transaction)
                return (bike, old, code)
            }
            #expect(old.text == "00000012" && code.text == "99999999")
            func pickUp(_ text: String, at rack: UUID, at time: Date = now) async throws -> (order: UUID, bike: UUID) {
                try await ground.pool.withTransaction { transaction in
                    try await Self.hire.pickUp(text, at: rack, at: time, in: transaction)
                }
            }
            for (text, at, time) in [
                (old.text, rack, now), (code.text, other, now), (code.text, rack, now + UnlockCode.seconds + 1),
                ("1234567", rack, now), ("abcdefgh", rack, now), ("", rack, now),
            ] {
                await #expect(throws: RackRefusal.wrongCode, "\(text)") { try await pickUp(text, at: at, at: time) }
            }
            let out = try await pickUp(code.text, at: rack)
            #expect(out.order == order && out.bike == bike)
            await #expect(throws: RackRefusal.wrongCode) { try await pickUp(code.text, at: rack) }
            await #expect(throws: RackRefusal.wrongCode) {
                try await ground.pool.withTransaction { transaction in
                    try await Self.hire.code(for: order, at: rack, random: 5, at: now, in: transaction)
                }
            }
            // It comes back to another rack, once.
            let back = try await ground.pool.withTransaction { transaction in
                try await Self.hire.bringBack(bike, to: other, in: "btnc", in: transaction)
            }
            #expect(back == order)
            await #expect(throws: RackRefusal.notOut) {
                try await ground.pool.withTransaction { transaction in
                    try await Self.hire.bringBack(bike, to: other, in: "btnc", in: transaction)
                }
            }
            #expect(try await Self.nearest(ground).compactMap { $0["bikes"]?["city"]?.asInt } == [1, 1])
        }
    }

    @Test("C6: an order that ends before the pick-up leaves its bike to others; free ones are taken away by admins")
    func releasing() async throws {
        try await PlacesGround.run { ground in
            let (rack, _) = try await Self.rack(ground, "City", bikes: ["city": 2])
            let order = UUID.timeOrdered()
            try await ground.pool.withTransaction { transaction in
                _ = try await HireBike.reserve(.city, at: rack, for: order, in: transaction)
                transaction.send(InsertBareOrder(order: order))
            }
            #expect(try await Self.nearest(ground).first?["bikes"]?["city"]?.asInt == 1)
            try await ground.pool.execute(ReleaseBike(order: order))
            #expect(try await Self.nearest(ground).first?["bikes"]?["city"]?.asInt == 2)
            let path = "\(Self.racks)/\(rack.text)/bikes/city"
            #expect(try await ground.ask(.put, path, #"{"count":0}"#, as: .timeOrdered(), ["admin"]).status == 204)
            #expect(try await Self.nearest(ground).isEmpty)
            #expect(try await ground.ask(.put, path, #"{"count":201}"#, as: .timeOrdered(), ["admin"]).status == 422)
        }
    }
}
