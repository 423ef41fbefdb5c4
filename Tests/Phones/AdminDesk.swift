public import Contracts
import Foundation

/// An admin at work.
public struct AdminDesk: Sendable {
    public let phone: Phone

    /// - Parameter secondFactor: the secret of the admin's authenticator app.
    public static func signIn(
        login: String, password: String, secondFactor: String, on network: PhoneNetwork
    ) async throws -> AdminDesk {
        let phone = Phone(network)
        try await phone.signIn(login: login, password: password, secondFactor: secondFactor)
        return AdminDesk(phone: phone)
    }

    /// A nurse who is registered, verified, priced, at work, and on the stream. Where the market asks for a subscription
    /// she has bought one, and her wallet is empty.
    /// - Parameter isSubscribed: false for a nurse who has not bought one yet.
    public func employ(
        _ person: Person, in market: String, offering offerings: [Offering], at place: Coordinate,
        isSubscribed: Bool = true
    ) async throws -> ProviderPhone {
        let provider = try await ProviderPhone.register(person, in: market, on: phone.network)
        try await phone.verify(provider.account, as: person.title ?? "", in: market)
        if isSubscribed, try await phone.settings(of: market)[.subscriptionRequired] == "true" {
            let plan = try await plan(in: market)
            try await provider.fillWallet(with: plan.price.amount)
            try await provider.subscribe(to: plan)
        }
        try await provider.startWork(offerings, at: place)
        return provider
    }

    /// A plan that can be bought in the market. The first to ask makes it.
    public func plan(in market: String) async throws -> PlanView {
        let currency = try await phone.market(market).currency
        let known = try await phone.plans(in: market)
        if let plan = known.first(where: { $0.endedAt == nil && $0.price.currency == currency }) { return plan }
        return try await phone.makePlan(price: Self.planPrice, in: market)
    }

    /// Minor units for thirty days.
    private static let planPrice = 5_000

    /// Changes settings and waits until every process goes by them.
    /// - Returns: what they were before, for ``change(_:in:)`` to restore.
    @discardableResult
    public func change(
        _ settings: [MarketSettings.Key: String], in market: String
    ) async throws -> [MarketSettings.Key: String] {
        let before = try await phone.settings(of: market)
        var earlier: [MarketSettings.Key: String] = [:]
        for (key, value) in settings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where before[key] != value {
            earlier[key] = before[key]
            try await phone.set(key, to: value, in: market)
        }
        // A change holds within about a second of being heard, in each process on its own.
        if !earlier.isEmpty { try await Task.sleep(for: .milliseconds(2_500)) }
        return earlier
    }

    /// The ledger of a currency.
    public func ledger(of currency: String) async throws -> TrialBalance.Currency? {
        try await phone.trialBalance().items.first { $0.currency == currency }
    }
}
