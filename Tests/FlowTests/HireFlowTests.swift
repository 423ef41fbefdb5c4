import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A bike from a rack", .platform(), .serialized, .timeLimit(.minutes(15)))
struct HireFlowTests {
    private struct Card: Encodable {
        var name = "City"
        var latitude = -31.9523
        var longitude = 115.8613
    }
    private struct Made: Decodable {
        let rack: UUID
        let key: String
    }
    private struct Stock: Encodable { let count: Int }
    private struct Wish: Encodable {
        let rack: UUID
        var type = "city"
    }
    private struct Code: Codable { let code: String }
    private struct Bike: Codable { let bike: UUID }

    @Test("C6: paid, unlocked by a code, brought back, and what the time did not cost is given back")
    func whole() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let rider = try await RideTown(town: platform.town, desk: desk).riderWithoutCard("Rita")
        let rack: Made = try await desk.phone.send(try .post("/dispatch/v1/markets/btnc/racks", Card())).decode()
        try await desk.phone.send(
            try .put("/dispatch/v1/markets/btnc/racks/\(rack.rack.path)/bikes/city", Stock(count: 1)))
        try await refuses(409) {
            try await rider.phone.send(try .post("/dispatch/v1/markets/btnc/hires", Wish(rack: rack.rack)))
        }
        try await rider.fill(5_000, in: "btnc")
        try await RideTown.dispatchKnowsCard(of: rider)
        let order: OrderView = try await rider.phone.send(
            try .post("/dispatch/v1/markets/btnc/hires", Wish(rack: rack.rack))
        ).decode()
        try await rider.pay(order.id)
        try await rider.stream.order(order.id, is: .accepted)
        #expect(try await rider.phone.wallets().first { $0.currency == "AUD" }?.held == 3_700)
        let code: Code = try await rider.phone.send(
            try .post("/dispatch/v1/hires/\(order.id.path)/code", [String: String]())
        ).decode()

        // The rack has a key, and no account.
        let machine = Phone(platform.network)
        let bike: Bike = try await machine.send(
            try .post("/dispatch/v1/racks/\(rack.rack.path)/pick-ups", code).byRack(rack.key)
        ).decode()
        try await rider.stream.order(order.id, is: .inProgress)
        try await machine.send(try .post("/dispatch/v1/racks/\(rack.rack.path)/returns", bike).byRack(rack.key))
        try await rider.stream.order(order.id, "paid", within: .seconds(150)) { $0.snapshot.payment.state == .captured }
        // The least that a hire costs.
        #expect(try await rider.phone.balance(in: "AUD") == 4_700)
        #expect(try await rider.phone.wallets().first { $0.currency == "AUD" }?.held == 0)
    }
}
