import Contracts
import Foundation
import Phones

/// One home visit in Riyadh, step by step.
struct Visit {
    let network: PhoneNetwork
    let desk: AdminDesk
    let people: Acquaintances
    let tell: @Sendable (String) -> Void

    private static let market = Market.assef
    private static let home = Coordinate(latitude: 24.7136, longitude: 46.6753)
    /// Some 400 m away: positions that would need more than 300 km/h are not believed, and nobody wants to watch for long.
    private static let clinic = Coordinate(latitude: 24.7168, longitude: 46.6774)
    private static let prices = [
        Offering(service: "wound-care", price: 15_000), Offering(service: "injection", price: 5_001),
    ]
    private static let total = 20_001

    func walk() async throws {
        let market = Self.market
        let journal = try await Journal(of: market, desk: desk, people: people, tell: tell)

        let nurse = Person("Huda Al-Otaibi", title: "nurse", gender: "female", language: "ar")
        let provider = try await desk.employ(
            nurse, in: market.id, offering: Self.prices, at: Self.clinic, isSubscribed: false)
        journal.meet("nurse", provider.phone, provider.person)
        try await journal.step(
            "nurse",
            "\(nurse.name) registers and confirms her number by the code of an SMS; the admin verifies her papers; she sets prices and goes to work"
        )

        try await subscribe(provider, journal)

        let person = Person("Omar Haddad", language: "en")
        let customer = try await CustomerPhone.register(person, in: market.id, on: network)
        let card = try await customer.addCard()
        journal.meet("customer", customer.phone, customer.person)
        try await journal.step(
            "customer",
            "\(person.name) registers, confirms the number and adds a card; the wallet keeps \(card.brand) ending in \(card.lastFour), and no number"
        )

        let order = try await request(customer, provider, journal)
        try await accept(order, customer, provider, journal)
        try await pay(order, customer, provider, card, journal)
        try await travel(order, customer, provider, journal)
        try await finish(order, customer, provider, journal)
        try await lookBack(order, customer, provider, journal)
        try await provider.phone.setAvailable(false, in: market.id)
        await customer.stream.close()
        await provider.stream.close()
    }

    private func subscribe(_ provider: ProviderPhone, _ journal: Journal) async throws {
        let plan = try await desk.plan(in: provider.market)
        try await journal.step("admin", "offers a subscription: thirty days for \(text(plan.price))")
        try await provider.fillWallet(with: plan.price.amount)
        try await journal.step(
            "nurse", "has no subscription, so nobody sees her; she tops up her wallet by a card",
            moving: [.outside: -plan.price.amount, .wallet("nurse"): plan.price.amount])
        try await provider.subscribe(to: plan)
        try await journal.step(
            "nurse", "subscribes for thirty days, and is on the list",
            moving: [.wallet("nurse"): -plan.price.amount, .platform: plan.price.amount])
    }

    private func request(
        _ customer: CustomerPhone, _ provider: ProviderPhone, _ journal: Journal
    ) async throws -> UUID {
        let services = Self.prices.map(\.service)
        let account = provider.account
        try await customer.phone.until("the nurse is on the list") {
            try await customer.phone.providers(
                in: customer.market, for: services, near: Self.home, name: provider.person.name
            ).contains { $0.provider == account }
        }
        let list = try await customer.phone.providers(
            in: customer.market, for: services, near: Self.home, name: provider.person.name)
        guard let found = list.first(where: { $0.provider == account }) else {
            throw NotAsItMustBe(description: "the nurse left the list")
        }
        try check(found.total.amount == Self.total, "the total of the services is \(found.total.amount)")
        try await journal.step(
            "customer",
            "finds \(found.name), \(found.title ?? ""), \(found.metresAway ?? 0) m and \((found.secondsAway ?? 0) / 60) min away, for \(text(found.total))"
        )
        let order = try await customer.request(
            account, services: services, at: Self.home, description: "Second floor, the door on the left",
            total: found.total)
        try await journal.step("customer", "asks her: order \(order.id.path), «\(order.label ?? "")»")
        let seen = try await provider.nextRequest()
        try check(seen.id == order.id && seen.version == 1, "the nurse sees another order")
        try await journal.step(
            "nurse", "sees the request on her stream: «\(seen.label ?? "")», \(seen.snapshot.customer.name)")
        return order.id
    }

    private func accept(
        _ order: UUID, _ customer: CustomerPhone, _ provider: ProviderPhone, _ journal: Journal
    ) async throws {
        try await provider.phone.act("accept", on: order, ["companion": "Sara Al-Qahtani"])
        try await journal.step("nurse", "accepts, with a companion")
        let seen = try await customer.stream.order(order, is: .accepted)
        try check(seen.companion == nil, "the customer is shown the companion")
        try await journal.step(
            "customer", "sees it: «\(seen.label ?? "")»; to be paid by \(seen.snapshot.deadline.map { "\($0)" } ?? "-")"
        )
    }

    private func pay(
        _ order: UUID, _ customer: CustomerPhone, _ provider: ProviderPhone, _ card: CardView, _ journal: Journal
    ) async throws {
        // The wallet hears of the acceptance by a message, as the customer's phone does.
        try await customer.phone.until("the wallet asks for the payment") {
            do {
                try await customer.phone.pay(order, by: "card", card: card.card)
                return true
            } catch let refusal as Refusal where [404, 409].contains(refusal.status) {
                return false
            }
        }
        let seen = try await provider.stream.order(order, is: .enRoute)
        try await customer.stream.order(order, is: .enRoute)
        try await journal.step("customer", "pays by card", moving: [.outside: -Self.total, .held: Self.total])
        try await journal.step("nurse", "sees it: «\(seen.label ?? "")», and sets out")
    }

    private func travel(
        _ order: UUID, _ customer: CustomerPhone, _ provider: ProviderPhone, _ journal: Journal
    ) async throws {
        let steps = 6
        for step in 1...steps {
            try await Task.sleep(for: .seconds(1))
            let part = Double(step) / Double(steps)
            let mark = customer.stream.log.count
            try await provider.phone.post(
                position: Coordinate(
                    latitude: Self.clinic.latitude + (Self.home.latitude - Self.clinic.latitude) * part,
                    longitude: Self.clinic.longitude + (Self.home.longitude - Self.clinic.longitude) * part))
            let place = try await customer.stream.log.first("the nurse moves", from: mark) { entry in
                if case .position(let place) = entry.event, place.order == order { place } else { nil }
            }
            tell(line("customer", "sees her \(place.metresLeft ?? 0) m away, \(place.secondsLeft ?? 0) s"))
        }
        try await customer.phone.act("met", on: order)
        try await provider.phone.act("arrive", on: order)
        let seen = try await customer.stream.order(order, is: .arrived)
        try await journal.step("nurse", "is there; the customer sees «\(seen.label ?? "")»")
    }

    private func finish(
        _ order: UUID, _ customer: CustomerPhone, _ provider: ProviderPhone, _ journal: Journal
    ) async throws {
        try await provider.phone.act("complete", on: order)
        try await customer.stream.order(order, "one has confirmed") { $0.snapshot.confirmedBy == [.provider] }
        try await journal.step("nurse", "says that the work is done")
        try await customer.phone.act("complete", on: order)
        try await provider.stream.order(order, is: .completed)
        try await customer.stream.order(order, is: .completed)
        try await provider.stream.order(order, "paid out", within: .seconds(20)) {
            $0.snapshot.payment.state == .captured
        }
        let commission = Self.total * Self.market.defaults.commissionBasisPoints / 10_000
        try await journal.step(
            "customer", "says so too, and the wallet pays out",
            moving: [.held: -Self.total, .wallet("nurse"): Self.total - commission, .platform: commission])
        try await customer.phone.rate(order, stars: 5, serviceStars: 5, comment: "Kind and quick")
        try await provider.phone.rate(order, stars: 5)
        try await journal.step("both", "rate each other")
    }

    private func lookBack(
        _ order: UUID, _ customer: CustomerPhone, _ provider: ProviderPhone, _ journal: Journal
    ) async throws {
        try await desk.phone.until("the admin sees the order with its companion") {
            do {
                let seen = try await desk.phone.adminOrder(order)
                return seen.companion == "Sara Al-Qahtani" && seen.state == .completed
            } catch let refusal as Refusal where refusal.status == 404 {
                return false
            }
        }
        try await journal.step("admin", "sees the order, completed, with the companion's name")
        for (who, phone) in [("customer", customer.phone), ("nurse", provider.phone)] {
            let inbox = try await phone.inbox()
            try check(!inbox.isEmpty, "the inbox of the \(who) is empty")
            try await journal.step(who, "finds in the inbox: \(inbox.map(\.subject).joined(separator: " · "))")
        }
    }

    private func check(_ isSo: Bool, _ otherwise: String) throws {
        guard isSo else { throw NotAsItMustBe(description: otherwise) }
    }
}
