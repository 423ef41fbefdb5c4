import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("Nobody at the door", .platform(settings: [.noShowWaitSeconds: "1"], in: .btnc), .timeLimit(.minutes(15)))
struct NoShowFlowTests {
    private static let kitchen = Coordinate(latitude: -31.9523, longitude: 115.8613)
    /// Round the corner.
    private static let home = Coordinate(latitude: -31.9513, longitude: 115.8613)

    /// A meal that its courier carries.
    private func carried(
        _ town: RideTown, _ customer: Newcomer, _ courier: Newcomer
    ) async throws -> (meal: OrderView, kitchen: RideTown.Kitchen) {
        let kitchen = try await town.restaurant("Levant", at: Self.kitchen)
        let meal = try await town.meal(customer, of: kitchen, to: Self.home)
        try await customer.pay(meal.id)
        try await kitchen.owner.stream.order(meal.id, is: .requested)
        try await town.prepare(meal.id, kitchen)
        try await courier.stream.order(meal.id, is: .offered, within: .seconds(150))
        try await courier.phone.act("accept", on: meal.id)
        let code = try #require(try await courier.phone.order(meal.id).food?.handOverCode)
        try await kitchen.owner.phone.act("start", on: meal.id, ["code": code])
        return (meal, kitchen)
    }

    @Test("O9, P3a, W6: the courier has waited near the door: the meal is paid, and restaurant and courier have theirs")
    func meal() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let customer = try await town.rider("Mira")
        let courier = try await town.driver("Dan", at: Self.kitchen)
        let (meal, kitchen) = try await carried(town, customer, courier)
        try await eventually("the courier has waited near the door", poll: .milliseconds(300)) {
            try await courier.phone.post(position: Self.home)
            do {
                try await courier.phone.act("no-show", on: meal.id)
                return true
            } catch let refusal as Refusal where refusal.status == 409 {
                return false
            }
        }
        for person in [customer, courier, kitchen.owner] {
            let end = try await person.stream.order(meal.id, is: .completed, within: .seconds(150))
            #expect(end.snapshot.reason == "customer-no-show" && end.snapshot.fine == nil)
            try await person.stream.order(meal.id, "paid out", within: .seconds(150)) {
                $0.snapshot.payment.state == .captured
            }
        }
        let total = meal.snapshot.total.amount
        try await eventually("all have theirs, and nothing is held") {
            let left = try await customer.phone.balance(in: "AUD")
            let sold = try await kitchen.owner.phone.balance(in: "AUD")
            let brought = try await courier.phone.balance(in: "AUD")
            let ledger = try await desk.ledger(of: "AUD")
            return left == 10_000 - total && sold > 0 && brought > 0 && ledger?.sum == 0 && ledger?.heldInEscrow == 0
        }
        try await eventually("the customer is told what it cost") {
            try await customer.phone.inbox().contains { $0.subject == "Your order was brought, and you were not there" }
        }
    }
}
