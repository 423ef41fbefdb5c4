import Contracts
import Foundation
import Phones

/// One meal in Perth, step by step: ordered, paid, cooked, fetched by a courier whom the platform finds, and paid to three.
struct Meal {
    let town: Newcomer.Town
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

    func walk() async throws {
        let market = Market.btnc
        let journal = try await Journal(of: market, desk: desk, people: people, tell: tell)
        let perth = RideTown(town: town, desk: desk)
        // Elsewhere than who drives people, who would be asked too.
        let place = Coordinate(latitude: RideTown.perth.latitude - 0.3, longitude: RideTown.perth.longitude)
        let home = Coordinate(latitude: place.latitude + 0.01, longitude: place.longitude)
        let kitchen = try await perth.restaurant("Levant", at: place)
        journal.meet("owner", kitchen.owner.phone, kitchen.owner.person)
        try await journal.step(
            "owner", "Lina registers her restaurant, an admin verifies it, she writes the menu and opens")
        let courier = try await perth.driver("Dora Hall", at: home)
        journal.meet("courier", courier.phone, courier.person)
        try await journal.step("courier", "Dora registers with her papers, is verified, and waits for work")
        let customer = try await perth.rider("Mira Khan", with: 10_000)
        journal.meet("customer", customer.phone, customer.person)
        try await journal.step(
            "customer", "Mira registers, and fills her wallet",
            moving: [.outside: -10_000, .wallet("customer"): 10_000])

        let order = try await perth.meal(customer, of: kitchen, to: home)
        let total = order.snapshot.total.amount
        try await customer.pay(order.id)
        let new = try await kitchen.owner.stream.order(order.id, is: .requested)
        let sold = new.snapshot.total.amount
        let price = Money(amount: total, currency: market.defaults.currency)
        try await journal.step(
            "customer",
            "Mira fills a cart and pays \(text(price)), the way included; the restaurant sees «\(new.label ?? "")»",
            moving: [.wallet("customer"): -total, .held: total])
        try await perth.prepare(order.id, kitchen)
        try await courier.stream.order(order.id, is: .offered, within: .seconds(60))
        try await journal.step(
            "owner", "accepts and cooks; the courier is asked so that she is there when it is ready")
        try await courier.phone.act("accept", on: order.id)
        try await kitchen.owner.phone.act("ready", on: order.id)
        try await customer.phone.act("met", on: order.id)
        try await courier.phone.act("arrive", on: order.id)
        let code = try await courier.phone.order(order.id).food?.handOverCode ?? ""
        try await kitchen.owner.phone.act("start", on: order.id, ["code": code])
        try await journal.step("courier", "tells the restaurant her code, and has the meal")
        try await customer.phone.act("met", on: order.id)
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
        guard toRestaurant > 0, toCourier > 0 else { throw NotAsItMustBe(description: "both must be paid") }
        let meal = Money(amount: sold, currency: market.defaults.currency)
        let way = Money(amount: total - sold, currency: market.defaults.currency)
        try await journal.step(
            "customer", "confirms; restaurant and courier are paid, of \(text(meal)) and \(text(way))",
            moving: [
                .held: -total, .wallet("owner"): toRestaurant, .wallet("courier"): toCourier,
                .platform: total - toRestaurant - toCourier,
            ])
        // Who stays on would be asked first when the next one is walked.
        try await courier.phone.setAvailable(false, in: market.id)
        for person in [customer, courier, kitchen.owner] { await person.stream.close() }
    }
}
