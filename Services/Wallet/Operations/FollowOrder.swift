import Contracts
import Foundation
import Messaging
import Postgres

/// Lets an order's payment follow the order. Any event may come first, late or twice: the newest snapshot counts.
struct FollowOrder: Sendable {
    /// What the platform takes, by market.
    let commissionBasisPoints: @Sendable (String) -> Int
    /// How long the payment provider keeps an authorisation.
    var authorisationLifetime: Duration = .seconds(7 * 86_400)

    func callAsFunction(_ order: OrderSnapshot, at: Date, in transaction: PostgresTransaction) async throws {
        let terms = PaymentTerms(
            provider: order.provider?.account, providerName: order.provider?.name, title: Self.title(order.services),
            amount: order.total.amount, commissionBasisPoints: commissionBasisPoints(order.market))
        let new = Payment(
            id: .timeOrdered(), order: order.order, market: order.market, customer: order.customer.account,
            customerName: order.customer.name, currency: order.total.currency, terms: terms)
        let (_, found) = try await transaction.queryAll(
            InsertPayment(payment: new), LockPayment(order: order.order))
        guard var payment = found.first, payment.orderVersion < order.version else { return }
        let effects = payment.follow(
            orderState: order.state.rawValue, version: order.version, deadline: order.deadline, terms: terms)
        if payment.terms != found.first?.terms { transaction.send(UpdatePaymentTerms(payment: payment)) }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        if order.paysByConsent == true, found.first?.state == .requested {
            try await ChargeByConsent.begin(payment, lifetime: authorisationLifetime, at: at, in: transaction)
        }
    }

    /// The services' names in each language.
    private static func title(_ services: [OrderSnapshot.Service]) -> [String: String] {
        let languages = Set(services.flatMap { $0.name.texts.keys })
        return Dictionary(
            uniqueKeysWithValues: languages.map { language in
                (
                    language,
                    services.map { $0.name.text(in: language) }.joined(separator: language == "ar" ? "، " : ", ")
                )
            })
    }
}
