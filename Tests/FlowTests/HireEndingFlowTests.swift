import Contracts
import Foundation
import Phones
import TestKit
import Testing

extension HireFlowTests {
    private struct Terms: Decodable {
        let minimum: Int
        let held: Money
    }

    private struct Pin: Decodable { let served: Bool }

    private static func hire(_ rack: RideTown.Rack, _ rider: Newcomer) async throws -> OrderView {
        try await rider.phone.send(
            try .post("/dispatch/v1/markets/btnc/hires", ["rack": rack.rack.path, "type": "city"])
        ).decode()
    }

    private static func pin(latitude: String, _ rider: Newcomer) async throws -> Pin {
        let query = [("latitude", latitude), ("longitude", "115.9")] as [(String, String?)]
        return try await rider.phone.send(.get("/dispatch/v1/markets/btnc/places/at", query: query)).decode()
    }

    @Test("C6, P3a: use case 13: the nearest rack that has bikes; cancelled, or not picked up in time, it has it again")
    func endings() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rider = try await town.rider("Rita")
        let place = Coordinate(latitude: -32.1000, longitude: 115.9000)
        _ = try await town.rack(at: place, bikes: 0)
        let rack = try await town.rack(
            at: Coordinate(latitude: place.latitude + 0.01, longitude: place.longitude), bikes: 1)
        func racks() async throws -> [UUID] { try await town.racks(near: place, for: rider).map(\.rack) }

        try await refuses(400) { try await Self.pin(latitude: "-95", rider) }
        #expect(try await !Self.pin(latitude: "-33", rider).served)
        #expect(try await Self.pin(latitude: "-32.1", rider).served)
        let near = try await town.racks(near: place, for: rider)
        #expect(near.map(\.rack) == [rack.rack] && near.map(\.bikes) == [["city": 1]])
        #expect((1_000...1_300).contains(near.first?.metres ?? 0))
        let terms: Terms = try await rider.phone.send(.get("/dispatch/v1/markets/btnc/hires/terms")).decode()
        #expect(terms.minimum == 300 && terms.held == Money(amount: 3_700, currency: "AUD"))

        let cancelled = try await Self.hire(rack, rider)
        #expect(try await racks().isEmpty)
        let taken = try await refuses(409) { try await Self.hire(rack, rider) }
        #expect(taken?.slug == "no-bike")
        try await rider.pay(cancelled.id)
        try await rider.sees(cancelled.id, .accepted)
        #expect(try await rider.phone.cancellation(of: cancelled.id).isFree)
        #expect(try await rider.phone.act("cancel", on: cancelled.id).state == .cancelled)
        #expect(try await racks() == [rack.rack])
        try await rider.has(10_000, in: "AUD")

        let before = try await desk.change([.arrivalWindowSeconds: "3"], in: RideTown.market)
        let forgotten = try await Self.hire(rack, rider)
        try await rider.pay(forgotten.id)
        let told = try await rider.sees(forgotten.id, .expired)
        #expect(told.snapshot.reason == "not-picked-up" && told.label == "Expired")
        try await refuses(409, state: "expired") {
            try await rider.phone.send(try .post("/dispatch/v1/hires/\(forgotten.id.path)/code", [String: String]()))
        }
        #expect(try await racks() == [rack.rack])
        try await rider.has(10_000, in: "AUD")
        try await desk.settled("AUD")
        _ = try await desk.change(before, in: RideTown.market)
    }
}
