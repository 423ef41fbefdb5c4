import Contracts
import Foundation
import Logging
import Messaging
import Postgres

/// Makes an order's payment, deposit and fine follow the order's snapshots. Snapshots may arrive late, twice or out of
/// order; the newest version counts.
struct ApplyOrderSnapshot: Sendable {
    /// The settings of a market; nil for a market that this version does not know, whose commission is then zero.
    let settings: @Sendable (String) -> MarketSettings?
    /// How long the payment provider keeps an authorisation.
    var authorisationLifetime: Duration = .seconds(7 * 86_400)
    var logger = Logger(label: "wallet")

    /// - Throws: `PoisonMessage`, before anything is written, for an order that no dispatch sends.
    func callAsFunction(_ order: OrderSnapshot, at: Date, in transaction: PostgresTransaction) async throws {
        let settings = settings(order.market)
        guard order.isPaidToSomebody else { throw PoisonMessage("a completed order that is nobody's") }
        let terms = try PaymentTerms(order, settings)
        let isReported = order.state == .disputed || order.report != nil
        // Waits for a concurrent decision: there may be no payment row yet that both transactions could lock.
        if isReported { transaction.send(LockOrder(order: order.order)) }
        let new = Payment(
            id: .timeOrdered(), order: order.order, market: order.market, customer: order.customer.account,
            customerName: order.customer.name, currency: order.total.currency, terms: terms)
        let (_, found, deposits) = try await transaction.queryAll(
            InsertPayment(payment: new), LockPayment(order: order.order), FindLockedDeposit(order: order.order))
        guard let before = found.first, before.orderVersion < order.version else { return }
        var payment = before
        let effects = payment.follow(
            orderState: order.state.rawValue, version: order.version, deadline: order.deadline, terms: terms,
            isReported: isReported, isFined: Self.isFined(order))
        if payment.terms != before.terms { transaction.send(UpdatePaymentTerms(payment: payment)) }
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment, after: before)
        if order.isUnattended, before.state == .requested {
            let charge = ChargeByConsent(settings: self.settings, lifetime: authorisationLifetime)
            try await charge.begin(payment, of: order, at: at, in: transaction)
        }
        // An order may become due by its placing or by its acceptance.
        try await PayFreeOrder.begin(payment, at: at, in: transaction)
        if Self.isFined(order), let fine = order.fine {
            try await ChargeFine.charge(fine.amount, of: order, settings, at: at, in: transaction)
        }
        try await FollowDeposit.follow(order, locked: deposits.first, at: at, in: transaction)
        if isReported { try await decide(order, at: at, in: transaction) }
    }

    /// Whether the customer cancelled late and pays a fine.
    private static func isFined(_ order: OrderSnapshot) -> Bool {
        order.state == .cancelled && order.fine.map { $0.amount > 0 } == true
    }

    /// Applies an earlier decision. A decision that does not fit the order is logged and deleted; the snapshot is still
    /// applied.
    private func decide(_ order: OrderSnapshot, at: Date, in transaction: PostgresTransaction) async throws {
        do {
            try await DecideReport.apply(to: order.order, isReported: true, at: at, in: transaction)
        } catch let error as MismatchedDecision {
            logger.error(
                "a decision about a report is ignored",
                metadata: ["correlation.id": "\(order.order.text)", "error": "\(error)"])
            transaction.send(ForgetDecision(order: order.order))
        }
    }
}

extension OrderSnapshot {
    /// False for a completed order without provider and merchant, unless it is of a kind that the platform sells
    /// itself.
    fileprivate var isPaidToSomebody: Bool {
        state != .completed || provider != nil || merchant != nil
            || Market.Workflow(rawValue: kind)?.hasProvider == false
    }
}

extension PaymentTerms {
    /// - Throws: `PoisonMessage` for amounts in several currencies, and for shares above the order's total.
    init(_ order: OrderSnapshot, _ settings: MarketSettings?) throws {
        let currency = order.total.currency
        guard [order.fine, order.deposit].allSatisfy({ $0 == nil || $0?.currency == currency }) else {
            throw PoisonMessage("money of an order in two currencies")
        }
        let shares = (order.shares ?? []).map { share in
            Payee(
                party: share.party == .provider ? .provider : .merchant, account: share.account, name: share.name,
                amount: share.amount)
        }
        guard let payees = Payee.all(shares, of: order.total.amount) else {
            throw PoisonMessage("shares that are no part of the order's total")
        }
        self.init(
            provider: order.provider?.account, providerName: order.provider?.name, title: Self.title(order.services),
            amount: order.total.amount, commissionBasisPoints: settings?.commissionBasisPoints ?? 0,
            merchantCommissionBasisPoints: settings?.merchantCommissionBasisPoints ?? 0, payees: payees,
            total: payees.isEmpty ? nil : order.total.amount,
            promised: order.promo.map { PromisedDiscount(code: $0.code, discount: $0.discount) },
            isCustomerPriced: Market.Workflow(rawValue: order.kind)?.isCustomerPriced == true)
    }

    /// The names of the services in each language.
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
