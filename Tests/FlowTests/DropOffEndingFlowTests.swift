import Contracts
import Foundation
import Phones
import TestKit
import Testing

extension DropOffFlowTests {
    @Test(
        "O10, O2: use case 12: an invalid place; the driver gives up and another is found; cancelled, the bike is free")
    func endings() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        // Further from the suite's other rack than any is looked for.
        let place = Coordinate(latitude: -32.4500, longitude: 115.8000)
        let home = Coordinate(latitude: -32.4300, longitude: 115.8000)
        let rack = try await town.rack(at: place, bikes: 1)
        let customer = try await town.rider("Mira")
        func free() async throws -> [[String: Int]] {
            try await town.racks(near: place, for: customer).filter { $0.rack == rack.rack }.map(\.bikes)
        }
        let refusal = try await refuses(422) {
            try await town.dropOff(customer, to: Coordinate(latitude: -33.0000, longitude: 115.8000))
        }
        #expect(refusal?.fields.map(\.field) == ["/to"])
        #expect(refusal?.fields.map(\.code) == ["outside-service-area"])

        let unpaid = try await town.dropOff(customer, to: home)
        #expect(try await free().isEmpty)
        #expect(try await customer.phone.act("cancel", on: unpaid.id).state == .cancelled)
        #expect(try await free() == [["city": 1]])

        let first = try await town.driver("Ida", at: place)
        let order = try await town.dropOff(customer, to: home)
        try await customer.pay(order.id)
        try await first.sees(order.id, .offered)
        try await first.phone.act("accept", on: order.id)
        try await customer.sees(order.id, .accepted)
        let second = try await town.driver("Ole", at: place)
        try await first.phone.giveUp(order.id)
        let told = try await customer.hears("dispatch.order.reopened.v1", of: order.id)
        #expect(told.snapshot.reason == "given-up" && told.snapshot.provider == nil)
        try await second.sees(order.id, .offered)
        // It is the customer's all the time.
        #expect(try await free().isEmpty)
        try await second.phone.act("accept", on: order.id)
        try await customer.stream.order(order.id, "the second one comes", within: .seconds(150)) {
            $0.state == .accepted && $0.snapshot.provider?.account == second.account
        }

        let shown = try await customer.phone.cancellation(of: order.id)
        #expect(shown.fine == Money(amount: 500, currency: "AUD"))
        #expect(try await customer.phone.cancel(order.id, for: shown).state == .cancelled)
        try await second.sees(order.id, .cancelled)
        #expect(try await free() == [["city": 1]])
        // The platform's part of a fine is 15 %.
        try await second.has(425, in: "AUD")
        try await customer.has(9_500, in: "AUD")
        try await first.has(0, in: "AUD")
        try await desk.settled("AUD")
        for driver in [first, second] {
            try await driver.phone.setAvailable(false, in: RideTown.market)
        }
    }
}
