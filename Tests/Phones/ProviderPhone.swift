public import Contracts
public import Foundation

/// The phone of somebody who is ordered.
public final class ProviderPhone: Sendable {
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

    /// Registers, signs in and opens the stream. There is no work before an admin has verified the papers.
    public static func register(
        _ person: Person, in market: String, on network: PhoneNetwork
    ) async throws -> ProviderPhone {
        let phone = Phone(network, language: person.language)
        let session = try await phone.join(person, in: market, as: "provider")
        let provider = ProviderPhone(phone, person, session.account, market)
        try await provider.stream.open()
        return provider
    }

    /// Sets prices and goes to work. An admin has verified just now, so dispatch may need a moment to have heard of it.
    public func startWork(_ offerings: [Offering], at place: Coordinate) async throws {
        try await phone.until("dispatch knows that the provider is verified") {
            do {
                try await phone.setOfferings(offerings, in: market)
                try await phone.setAvailable(true, at: place, in: market)
                return true
            } catch let refusal as Refusal where [403, 404, 409].contains(refusal.status) {
                return false
            }
        }
        try await phone.post(position: place)
    }

    /// Puts money from a new card into the wallet.
    public func fillWallet(with amount: Int) async throws {
        let card = try await phone.add(.good, holder: person.name)
        let topUp = try await phone.topUp(amount, market: market, card: card.card)
        try await phone.until("the top-up is done") { try await phone.topUp(topUp.topUp).state == "completed" }
    }

    /// Buys a subscription from the wallet and waits until dispatch has heard of it.
    public func subscribe(to plan: PlanView) async throws {
        try await phone.subscribe(to: plan, in: market)
        try await phone.until("dispatch knows of the subscription") {
            do {
                return try await phone.availability(in: market).subscription?.endsAt != nil
            } catch let refusal as Refusal where [403, 404].contains(refusal.status) {
                // An admin has verified just now, and dispatch may not have heard of it.
                return false
            }
        }
    }

    public func stopWork() async throws { try await phone.setAvailable(false, in: market) }

    /// Waits until the stream brings a request.
    public func nextRequest(within limit: Duration = .seconds(15), from index: Int = 0) async throws -> OrderView {
        try await stream.log.first("a request", within: limit, from: index) { entry in
            guard case .order(let order) = entry.event, order.state == .requested else { return nil }
            return order
        }
    }
}
