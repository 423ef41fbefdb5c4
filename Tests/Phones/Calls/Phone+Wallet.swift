import Contracts
public import Foundation

/// A card as one types it. Only test cards: it goes to the sandbox.
public struct TestCard: Sendable {
    public let number: String

    public init(number: String) { self.number = number }

    public static let good = TestCard(number: "4242424242424242")
    public static let declined = TestCard(number: "4000000000000002")
    public static let insufficientFunds = TestCard(number: "4000000000009995")
    /// Its bank asks its owner first (3-D Secure).
    public static let asks = TestCard(number: "4000002760003184")
    /// The payment provider cannot be reached for it.
    public static let providerDown = TestCard(number: "4000000000006660")
}

extension Phone {
    private struct CardForm: Encodable {
        let number, cvv, holder: String
        let expiryMonth, expiryYear: Int
        let consent: Bool?
    }

    private struct TopUpForm: Encodable {
        let market: String
        let amount: Int
        let method: String
        let card: UUID?
        let cvv, token: String?
    }

    private struct PaymentForm: Encodable {
        let method: String
        let card: UUID?
        let cvv, token: String?
    }

    /// - Parameter consents: whether recurring orders may charge it without asking.
    public func add(
        _ card: TestCard, holder: String, cvv: String = "123", consents: Bool = false
    ) async throws -> CardView {
        let form = CardForm(
            number: card.number, cvv: cvv, holder: holder, expiryMonth: 12, expiryYear: 2034,
            consent: consents ? true : nil)
        return try await send(try .post("/wallet/v1/cards", form)).decode()
    }

    public func wallets() async throws -> [WalletView] {
        try await send(.get("/wallet/v1/wallets")).decode(Items<WalletView>.self).items
    }

    /// Zero where there is no wallet yet.
    public func balance(in currency: String) async throws -> Int {
        try await wallets().first { $0.currency == currency }?.balance ?? 0
    }

    /// - Parameter amount: minor units of the market's currency.
    public func topUp(
        _ amount: Int, market: String, by method: String = "card", card: UUID? = nil, cvv: String = "123",
        token: String? = nil, key: String = UUID().uuidString.lowercased()
    ) async throws -> TopUpView {
        let form = TopUpForm(
            market: market, amount: amount, method: method, card: card, cvv: card == nil ? nil : cvv, token: token)
        return try await send(try .post("/wallet/v1/topups", form, key: key)).decode()
    }

    public func topUp(_ id: UUID) async throws -> TopUpView {
        try await send(.get("/wallet/v1/topups/\(id.path)")).decode()
    }

    /// - Parameters:
    ///   - card: for the method `card`; its CVV is given with it.
    ///   - token: for `applePay` and `googlePay`.
    @discardableResult
    public func pay(
        _ order: UUID, by method: String, card: UUID? = nil, cvv: String = "123", token: String? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> PaymentView {
        let form = PaymentForm(method: method, card: card, cvv: card == nil ? nil : cvv, token: token)
        return try await send(try .post("/wallet/v1/orders/\(order.path)/payment", form, key: key)).decode()
    }

    public func payment(of order: UUID) async throws -> PaymentView {
        try await send(.get("/wallet/v1/orders/\(order.path)/payment")).decode()
    }

    public func trialBalance() async throws -> TrialBalance {
        try await send(.get("/wallet/v1/ledger/trial-balance")).decode()
    }
}
