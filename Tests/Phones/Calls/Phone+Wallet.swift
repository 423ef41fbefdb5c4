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
        let paymentMethod, holder: String
        let consent: Bool?
    }

    private struct TopUpForm: Encodable {
        let market: String
        let amount: Int
        let method: String
        let card: UUID?
        let cvvToken, token: String?
    }

    private struct PaymentForm: Encodable {
        let method: String
        let card: UUID?
        let cvvToken, token: String?
    }

    /// The payment provider's test token of any card's CVV: good any number of times, so that a repeat is the same.
    private static let cvvToken = "cvctok_test"

    /// Hands the card to the payment provider, then tells the wallet what it is called there.
    ///
    /// - Parameter consents: whether recurring orders may charge it without asking.
    public func add(
        _ card: TestCard, holder: String, cvv: String = "123", consents: Bool = false
    ) async throws -> CardView {
        let method = try await PaymentProviderForm(network: network).hand(card, cvv: cvv, holder: holder)
        let form = CardForm(paymentMethod: method, holder: holder, consent: consents ? true : nil)
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
        _ amount: Int, market: String, by method: String = "card", card: UUID? = nil, token: String? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> TopUpView {
        let form = TopUpForm(
            market: market, amount: amount, method: method, card: card, cvvToken: card == nil ? nil : Self.cvvToken,
            token: token)
        return try await send(try .post("/wallet/v1/topups", form, key: key)).decode()
    }

    public func topUp(_ id: UUID) async throws -> TopUpView {
        try await send(.get("/wallet/v1/topups/\(id.path)")).decode()
    }

    /// - Parameters:
    ///   - card: for the method `card`; the token of its CVV is given with it.
    ///   - token: for `applePay` and `googlePay`.
    @discardableResult
    public func pay(
        _ order: UUID, by method: String, card: UUID? = nil, token: String? = nil,
        key: String = UUID().uuidString.lowercased()
    ) async throws -> PaymentView {
        let form = PaymentForm(
            method: method, card: card, cvvToken: card == nil ? nil : Self.cvvToken, token: token)
        return try await send(try .post("/wallet/v1/orders/\(order.path)/payment", form, key: key)).decode()
    }

    public func payment(of order: UUID) async throws -> PaymentView {
        try await send(.get("/wallet/v1/orders/\(order.path)/payment")).decode()
    }

    // MARK: Subscriptions

    private struct PlanForm: Encodable {
        let price: Int
        let period = "monthly"
        let name = ["en": "Month", "ar": "شهر"]
        let brief = ["en": "Thirty days of requests", "ar": "طلبات لثلاثين يومًا"]
    }

    private struct Choice: Encodable {
        let plan: UUID
        let price: Int
        let method: String
    }

    /// The plans of a market that can be bought; to its admins, those that have ended, too.
    public func plans(in market: String) async throws -> [PlanView] {
        try await send(.get("/wallet/v1/markets/\(market)/subscription-plans")).decode(Items<PlanView>.self).items
    }

    /// For admins: a plan of thirty days.
    public func makePlan(price: Int, in market: String) async throws -> PlanView {
        try await send(try .post("/wallet/v1/markets/\(market)/subscription-plans", PlanForm(price: price))).decode()
    }

    /// Buys a subscription from the wallet.
    @discardableResult
    public func subscribe(to plan: PlanView, in market: String) async throws -> SubscriptionView {
        let choice = Choice(plan: plan.plan, price: plan.price.amount, method: "wallet")
        return try await send(try .post("/wallet/v1/markets/\(market)/subscription", choice)).decode()
    }

    public func subscription(in market: String) async throws -> SubscriptionView {
        try await send(.get("/wallet/v1/markets/\(market)/subscription")).decode()
    }

    public func trialBalance() async throws -> TrialBalance {
        try await send(.get("/wallet/v1/ledger/trial-balance")).decode()
    }
}
