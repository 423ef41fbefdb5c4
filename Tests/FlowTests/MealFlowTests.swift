import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A meal", .serialized, .platform(), .timeLimit(.minutes(15)))
struct MealFlowTests {
    /// What Perth's tests of rides do not disturb.
    private static let perth = Coordinate(latitude: -31.9523, longitude: 115.8613)
    private static let south = Coordinate(latitude: -32.1000, longitude: 115.8613)
    /// Two soups and a bread.
    private static let sold = 2_750

    private static func near(_ place: Coordinate) -> Coordinate {
        Coordinate(latitude: place.latitude + 0.01, longitude: place.longitude)
    }

    /// After a commission in hundredths of a percent, rounded half up.
    private static func net(_ amount: Int, _ commission: Int) -> Int {
        amount - (amount * commission + 5_000) / 10_000
    }

    @Test("O9, W6, use cases 11 and 15: from the list of restaurants over the cart and the hand-over to three payouts")
    func whole() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let kitchen = try await town.restaurant("Levant", at: Self.perth)
        let customer = try await town.rider("Mira")
        let courier = try await town.driver("Dan", at: Self.near(Self.perth))
        #expect(try await town.restaurants(customer, near: Self.near(Self.perth)) == [kitchen.id])
        let meal = try await town.meal(customer, of: kitchen, to: Self.near(Self.perth))
        let total = meal.snapshot.total.amount
        let delivery = total - Self.sold
        #expect(meal.state == .pending && delivery >= 400)
        try await customer.pay(meal.id)

        let new = try await kitchen.owner.stream.order(meal.id, is: .requested)
        #expect(new.label == "New order" && new.snapshot.total.amount == Self.sold)
        try await town.prepare(meal.id, kitchen)
        let cooking = try await customer.stream.order(meal.id, is: .preparing)
        #expect(cooking.label == "Being prepared")
        let offer = try await courier.stream.order(meal.id, is: .offered, within: .seconds(150))
        #expect(offer.label == "Offered to you")
        try await courier.phone.act("accept", on: meal.id)
        // What was offered is the price of the way to the rounded door; the exact one comes with the yes.
        let taken = try await courier.stream.order(meal.id, is: .accepted)
        #expect(offer.snapshot.total.amount >= 400 && taken.snapshot.total.amount == delivery)
        let coming = try await kitchen.owner.stream.order(meal.id, is: .accepted)
        #expect(coming.snapshot.provider?.name == "Dan")
        try await kitchen.owner.phone.act("ready", on: meal.id)
        try await customer.phone.act("met", on: meal.id)
        try await courier.phone.act("arrive", on: meal.id)
        try await refuses(422) { try await kitchen.owner.phone.act("start", on: meal.id, ["code": "x"]) }
        let code = try #require(try await courier.phone.order(meal.id).food?.handOverCode)
        try await kitchen.owner.phone.act("start", on: meal.id, ["code": code])
        try await customer.stream.order(meal.id, is: .inProgress)
        try await customer.phone.act("met", on: meal.id)
        try await courier.phone.act("complete", on: meal.id)
        try await customer.stream.order(meal.id, "the courier says it is there") {
            $0.snapshot.confirmedBy == [.provider]
        }
        try await customer.phone.act("complete", on: meal.id)
        for person in [customer, courier, kitchen.owner] {
            try await person.stream.order(meal.id, "paid out", within: .seconds(150)) {
                $0.snapshot.payment.state == .captured
            }
        }
        // What the restaurant sold, less 15 %, and the way, less a fifth; the rest is the platform's.
        let (restaurants, couriers) = (Self.net(Self.sold, 1_500), Self.net(delivery, 2_000))
        try await eventually("the restaurant and the courier are paid") {
            let sold = try await kitchen.owner.phone.balance(in: "AUD")
            let brought = try await courier.phone.balance(in: "AUD")
            return sold == restaurants && brought == couriers
        }
        #expect(try await customer.phone.balance(in: "AUD") == 10_000 - total)
        let ledger = try #require(try await desk.ledger(of: "AUD"))
        #expect(ledger.sum == 0 && ledger.heldInEscrow == 0)
        #expect(ledger.balance(of: "platform") == total - restaurants - couriers)
        let sales = try await town.sales(kitchen)
        #expect(sales.items.map(\.count).sorted() == [1, 2])
        #expect(sales.items.map(\.amount).reduce(0, +) == Self.sold)
        try await courier.phone.setAvailable(false, at: Self.near(Self.perth), in: RideTown.market)
    }

    @Test(
        "O9, P3a: refused, the money is back; a courier gives up and another comes; nobody comes, and an admin decides")
    func alternatives() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let town = RideTown(town: platform.town, desk: desk)
        let kitchen = try await town.restaurant("Nonna", at: Self.south)
        let customer = try await town.rider("Mira")
        let home = Self.near(Self.south)
        func balance(_ amount: Int) async throws {
            try await eventually("\(amount) are there") { try await customer.phone.balance(in: "AUD") == amount }
        }

        let refused = try await town.meal(customer, of: kitchen, to: home)
        try await customer.pay(refused.id)
        try await kitchen.owner.stream.order(refused.id, is: .requested)
        try await kitchen.owner.phone.act("decline", on: refused.id, ["reason": "No more bread"])
        let told = try await customer.stream.order(refused.id, is: .refused)
        #expect(told.snapshot.reason == "No more bread")
        try await balance(10_000)

        let first = try await town.driver("Ida", at: Self.south)
        let meal = try await town.meal(customer, of: kitchen, to: home)
        try await customer.pay(meal.id)
        try await kitchen.owner.stream.order(meal.id, is: .requested)
        try await town.prepare(meal.id, kitchen)
        try await first.stream.order(meal.id, is: .offered, within: .seconds(150))
        try await first.phone.act("accept", on: meal.id)
        let second = try await town.driver("Ole", at: Self.south)
        try await first.phone.giveUp(meal.id)
        try await second.stream.order(meal.id, is: .offered, within: .seconds(150))
        try await second.phone.act("accept", on: meal.id)
        let code = try #require(try await second.phone.order(meal.id).food?.handOverCode)
        try await kitchen.owner.phone.act("start", on: meal.id, ["code": code])
        try await customer.phone.act("met", on: meal.id)
        try await second.phone.act("complete", on: meal.id)
        try await customer.phone.act("complete", on: meal.id)
        try await customer.stream.order(meal.id, is: .completed)
        let left = 10_000 - meal.snapshot.total.amount
        try await balance(left)
        for driver in [first, second] {
            try await driver.phone.setAvailable(false, at: Self.south, in: RideTown.market)
        }

        let before = try await desk.change([.searchWindowSeconds: "2"], in: RideTown.market)
        let alone = try await town.meal(customer, of: kitchen, to: home)
        try await customer.pay(alone.id)
        try await kitchen.owner.stream.order(alone.id, is: .requested)
        try await town.prepare(alone.id, kitchen)
        let stuck = try await customer.stream.order(alone.id, is: .disputed, within: .seconds(150))
        #expect(stuck.snapshot.reason == "nobody-found")
        try await desk.phone.until("the report is on the desk") {
            try await desk.phone.openReports(in: RideTown.market).items.contains { $0.order == alone.id }
        }
        try await desk.phone.decide(
            try #require(stuck.snapshot.report), .returnToCustomer, reason: "Nobody could bring it")
        try await kitchen.owner.stream.order(alone.id, is: .cancelled)
        try await balance(left)
        let ledger = try #require(try await desk.ledger(of: "AUD"))
        #expect(ledger.sum == 0 && ledger.heldInEscrow == 0)
        _ = try await desk.change(before, in: RideTown.market)
    }
}
