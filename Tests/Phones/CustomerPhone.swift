public import Contracts
public import Foundation

/// The phone of somebody who orders.
public final class CustomerPhone: Sendable {
    public let phone: Phone
    public let stream: LiveStream
    public let person: Person
    public let account: UUID
    public let market: String

    private init(_ phone: Phone, _ person: Person, _ account: UUID, _ market: String) {
        self.phone = phone
        self.person = person
        self.account = account
        self.market = market
        stream = LiveStream(phone)
    }

    /// Registers, signs in and opens the stream.
    public static func register(
        _ person: Person, in market: String, on network: PhoneNetwork
    ) async throws -> CustomerPhone {
        let phone = Phone(network, language: person.language)
        let session = try await phone.join(person, in: market, as: "customer")
        let customer = CustomerPhone(phone, person, session.account, market)
        try await customer.stream.open()
        return customer
    }

    public func addCard(_ card: TestCard = .good) async throws -> CardView {
        try await phone.add(card, holder: person.name)
    }

    /// Asks a provider, for the price that was shown: a given one, or the list's.
    public func request(
        _ provider: UUID, services: [String], at place: Coordinate, description: String? = nil, total: Money? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> OrderView {
        var seen = total
        if seen == nil { seen = try await shown(provider, services, near: place) }
        let form = OrderForm(
            market: market, provider: provider, services: services, at: place, description: description,
            total: seen)
        return try await phone.order(form, key: key)
    }

    /// What the list says that the services cost; of one who is not on it a price that nothing costs.
    private func shown(_ provider: UUID, _ services: [String], near place: Coordinate) async throws -> Money {
        let listed = try await phone.providers(in: market, for: services, near: place, limit: 100)
        return listed.first { $0.provider == provider }?.total
            ?? Money(amount: 1_000_000_000, currency: Market.named(market)?.defaults.currency ?? "")
    }

    /// Puts money from a card into the wallet and waits until it is there.
    public func fillWallet(with amount: Int, from card: UUID) async throws {
        let topUp = try await phone.topUp(amount, market: market, card: card)
        try await phone.until("the top-up is done") { try await phone.topUp(topUp.topUp).state == "completed" }
    }
}
