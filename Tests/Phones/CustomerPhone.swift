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
        try await phone.register(person, market: market, role: "customer")
        let session = try await phone.signIn(login: person.email, password: person.password)
        let customer = CustomerPhone(phone, person, session.account, market)
        try await customer.stream.open()
        return customer
    }

    public func addCard(_ card: TestCard = .good) async throws -> CardView {
        try await phone.add(card, holder: person.name)
    }

    /// Asks a provider.
    public func request(
        _ provider: UUID, services: [String], at place: Coordinate, description: String? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> OrderView {
        let form = OrderForm(
            market: market, provider: provider, services: services, at: place, description: description)
        return try await phone.order(form, key: key)
    }

    /// Puts money from a card into the wallet and waits until it is there.
    public func fillWallet(with amount: Int, from card: UUID) async throws {
        let topUp = try await phone.topUp(amount, market: market, card: card)
        try await phone.until("the top-up is done") { try await phone.topUp(topUp.topUp).state == "completed" }
    }
}
