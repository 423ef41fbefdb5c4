import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A bike that is brought", .platform(), .serialized, .timeLimit(.minutes(15)))
struct DropOffFlowTests {
    /// South of the others, so that no other test's drivers and racks are near.
    private static let place = Coordinate(latitude: -32.30, longitude: 115.80)
    private static let home = Coordinate(latitude: -32.28, longitude: 115.80)

    @Test("O10, C6: paid, fetched with a code, confirmed by both, paid out; not received, both see contacts")
    func whole() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let rack = try await town.rack(at: Self.place, bikes: 2)
        let customer = try await town.rider("Mira")
        let driver = try await town.driver("Dana", at: Self.place)
        func bring() async throws -> (order: OrderView, bike: RideTown.Bike) {
            try await driver.phone.post(position: Self.place)
            let order = try await town.dropOff(customer, to: Self.home)
            try await customer.pay(order.id)
            try await driver.stream.order(order.id, is: .offered, within: .seconds(150))
            try await driver.phone.act("accept", on: order.id)
            try await customer.stream.order(order.id, is: .accepted)
            let bike = try await town.fetch(order.id, driver, at: rack)
            try await customer.stream.order(order.id, is: .inProgress)
            try await customer.phone.act("met", on: order.id)
            try await driver.phone.act("complete", on: order.id)
            return (order, bike)
        }

        let (order, bike) = try await bring()
        let total = order.snapshot.total.amount
        try await customer.phone.act("complete", on: order.id)
        for person in [customer, driver] {
            try await person.stream.order(order.id, "paid out", within: .seconds(150)) {
                $0.snapshot.payment.state == .captured
            }
        }
        // The use of the bike is the platform's, and a fifth of the delivery.
        let use = try #require(Market.btnc.defaults.tariffs["bikeUse"]).base
        let share = (total - use) - ((total - use) * 2_000 + 5_000) / 10_000
        try await eventually("the driver is paid") { try await driver.phone.balance(in: "AUD") == share }
        #expect(try await customer.phone.balance(in: "AUD") == 10_000 - total)
        try await town.bringBack(bike, to: rack)
        #expect(try await town.page(of: driver, to: customer).mobile == nil)

        let (lost, _) = try await bring()
        try await customer.phone.report(lost.id, "not-received", cancels: true)
        try await driver.stream.order(lost.id, is: .disputed)
        try await eventually("both see the other's contact") {
            let pages = [try await town.page(of: driver, to: customer), try await town.page(of: customer, to: driver)]
            return pages.allSatisfy { $0.mobile != nil && $0.email != nil }
        }
        let report = try #require(try await customer.phone.order(lost.id).snapshot.report)
        try await desk.phone.until("the report is on the desk") {
            try await desk.phone.openReports(in: RideTown.market).items.contains { $0.order == lost.id }
        }
        try await desk.phone.decide(report, .returnToCustomer, reason: "It was nowhere")
        try await customer.stream.order(lost.id, is: .cancelled)
        try await eventually("the contacts are closed") {
            try await town.page(of: driver, to: customer).mobile == nil
        }
        try await eventually("the money is back") {
            try await customer.phone.balance(in: "AUD") == 10_000 - total
        }
        try await driver.phone.setAvailable(false, at: Self.place, in: RideTown.market)
    }
}
