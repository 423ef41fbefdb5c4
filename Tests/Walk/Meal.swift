import Contracts
import Foundation
import Phones

/// One meal in Perth, step by step: ordered, paid, cooked, fetched by a courier whom the platform finds, and paid to three.
struct Meal {
    let town: Newcomer.Town
    let desk: AdminDesk

    func walk() async throws {
        let market = Market.btnc
        let before = try await desk.ledger(of: market.defaults.currency)
        let people = RideTown(town: town, desk: desk)
        // Elsewhere than who drives people, who would be asked too.
        let place = Coordinate(latitude: RideTown.perth.latitude - 0.3, longitude: RideTown.perth.longitude)
        let home = Coordinate(latitude: place.latitude + 0.01, longitude: place.longitude)
        say("owner", "Lina registers her restaurant, an admin verifies it, she writes the menu and opens")
        let kitchen = try await people.restaurant("Levant", at: place)
        say("courier", "Dora registers with her papers, is verified, and waits for work")
        let courier = try await people.driver("Dora Hall", at: home)
        let customer = try await people.rider("Mira Khan", with: 10_000)
        let books = Books(
            customer: customer.phone, provider: courier.phone, providerName: "courier", desk: desk,
            currency: market.defaults.currency, before: before)

        let order = try await people.meal(customer, of: kitchen, to: home)
        let total = order.snapshot.total.amount
        try await customer.pay(order.id)
        let new = try await kitchen.owner.stream.order(order.id, is: .requested)
        let sold = new.snapshot.total.amount
        let price = Money(amount: total, currency: market.defaults.currency)
        say(
            "customer",
            "Mira fills a cart and pays \(text(price)), the way included; the restaurant sees «\(new.label ?? "")»")
        try await books.expect(customer: 10_000 - total, held: total, provider: 0, platform: 0)
        try await people.prepare(order.id, kitchen)
        try await courier.stream.order(order.id, is: .offered, within: .seconds(60))
        say("owner", "accepts and cooks; the courier is asked so that she is there when it is ready")
        try await courier.phone.act("accept", on: order.id)
        try await kitchen.owner.phone.act("ready", on: order.id)
        try await courier.phone.act("arrive", on: order.id)
        let code = try await courier.phone.order(order.id).food?.handOverCode ?? ""
        try await kitchen.owner.phone.act("start", on: order.id, ["code": code])
        say("courier", "tells the restaurant her code, and has the meal")
        try await courier.phone.act("complete", on: order.id)
        try await customer.stream.order(order.id, "the courier says it is there") {
            $0.snapshot.confirmedBy == [.provider]
        }
        try await customer.phone.act("complete", on: order.id)
        try await kitchen.owner.stream.order(order.id, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        let toRestaurant = try await kitchen.owner.phone.balance(in: market.defaults.currency)
        let toCourier = try await courier.phone.balance(in: market.defaults.currency)
        say("customer", "confirms; restaurant and courier are paid, of \(sold) and \(total - sold) cents")
        guard toRestaurant > 0, toCourier > 0 else { throw NotAsItMustBe(description: "both must be paid") }
        try await books.expect(
            customer: 10_000 - total, held: 0, provider: toCourier, platform: total - toRestaurant - toCourier)
        say("", "  restaurant \(text(Money(amount: toRestaurant, currency: market.defaults.currency)))")
        for person in [customer, courier, kitchen.owner] { await person.stream.close() }
    }
}
