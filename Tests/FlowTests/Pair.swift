import Contracts
import Foundation
import Phones
import Testing

/// A customer with a card and a nurse at work, for one test.
struct Pair {
    static let market = Market.assef
    static let home = Coordinate(latitude: 24.7136, longitude: 46.6753)
    /// Some 400 m away: positions that would need more than 300 km/h are not believed.
    static let clinic = Coordinate(latitude: 24.7168, longitude: 46.6774)
    static let prices = [
        Offering(service: "wound-care", price: 15_000), Offering(service: "injection", price: 5_001),
    ]
    static let services = prices.map(\.service)
    static let total = 20_001
    /// 15 % of the total, whole minor units.
    static let commission = 3_000

    let platform: Platform
    let desk: AdminDesk
    let customer: CustomerPhone
    let provider: ProviderPhone
    let card: CardView

    /// - Parameters:
    ///   - name: the customer's.
    ///   - language: of both.
    static func meet(name: String = "Omar", language: String = "en", card: TestCard = .good) async throws -> Pair {
        try await meet(on: try Platform.ofSuite(), name: name, language: language, card: card)
    }

    static func meet(
        on platform: Platform, name: String = "Omar", language: String = "en", card: TestCard = .good
    ) async throws -> Pair {
        let desk = try await AdminDesk.signIn(platform)
        let provider = try await desk.employ(
            Person("Huda", title: "nurse", gender: "female", language: language), in: market.id, offering: prices,
            at: clinic)
        let customer = try await CustomerPhone.register(
            Person(name, language: language), in: market.id, on: platform.network)
        return Pair(
            platform: platform, desk: desk, customer: customer, provider: provider,
            card: try await customer.addCard(card)
        )
    }

    var phones: [(role: String, phone: Phone, stream: LiveStream)] {
        [("customer", customer.phone, customer.stream), ("provider", provider.phone, provider.stream)]
    }

    /// Until both have heard of it.
    func requested(description: String = "Second floor") async throws -> UUID {
        let services = Self.services
        let account = provider.account
        try await customer.phone.until("the nurse is on the list") {
            try await customer.phone.providers(in: Self.market.id, for: services, near: Self.home)
                .contains { $0.provider == account }
        }
        let order = try await customer.request(
            account, services: services, at: Self.home, description: description
        ).id
        try await both(order, .requested)
        return order
    }

    func accepted(companion: String? = nil) async throws -> UUID {
        let order = try await requested()
        try await provider.phone.act("accept", on: order, companion.map { ["companion": $0] } ?? [:])
        try await both(order, .accepted)
        return order
    }

    func enRoute(by method: String = "card") async throws -> UUID {
        let order = try await accepted()
        try await pay(order, by: method)
        try await both(order, .enRoute)
        return order
    }

    func arrived(by method: String = "card") async throws -> UUID {
        let order = try await enRoute(by: method)
        try await customer.phone.act("met", on: order)
        try await provider.phone.act("arrive", on: order)
        try await both(order, .arrived)
        return order
    }

    func completed(by method: String = "card") async throws -> UUID {
        let order = try await arrived(by: method)
        try await provider.phone.act("complete", on: order)
        try await customer.phone.act("complete", on: order)
        try await both(order, .completed)
        try await paidOut(order)
        return order
    }

    /// Pays as soon as the wallet has heard that it may.
    func pay(_ order: UUID, by method: String = "card", card: CardView? = nil) async throws {
        try await customer.phone.until("the wallet asks for the payment") {
            do {
                try await customer.phone.pay(order, by: method, card: method == "card" ? (card ?? self.card).card : nil)
                return true
            } catch let refusal as Refusal where refusal.isBeforeAcceptance {
                return false
            }
        }
    }

    func paidOut(_ order: UUID) async throws {
        for (_, _, stream) in phones {
            try await stream.order(order, "paid out", within: .seconds(150)) { $0.snapshot.payment.state == .captured }
        }
    }

    /// Waits until both streams have said that the order is in this state.
    func both(_ order: UUID, _ state: OrderSnapshot.State, within limit: Duration = .seconds(150)) async throws {
        for (_, _, stream) in phones { try await stream.order(order, is: state, within: limit) }
    }

    func balances() async throws -> [Int] {
        [
            try await customer.phone.balance(in: Self.market.defaults.currency),
            try await provider.phone.balance(in: Self.market.defaults.currency),
        ]
    }

    /// Puts money into the customer's wallet.
    func fill(_ amount: Int) async throws { try await customer.fillWallet(with: amount, from: card.card) }

    /// The states that a stream has told of an order, each once, in the order in which they came.
    func states(_ order: UUID, on stream: LiveStream) -> [OrderSnapshot.State] {
        var states: [OrderSnapshot.State] = []
        for entry in stream.log.entries {
            if case .order(let view) = entry.event, view.id == order, states.last != view.state {
                states.append(view.state)
            }
        }
        return states
    }
}
