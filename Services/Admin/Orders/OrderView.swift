import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// An order in a list: the parts that both parties see, and the companion.
struct OrderView: Encodable, Sendable {
    struct Service: Encodable, Sendable {
        let service: String
        let name: String
        let price: Int
    }

    /// How the order is paid, as dispatch knows it, with words.
    struct Payment: Encodable, Sendable {
        let method: String?
        let methodText: String?
        let state: OrderSnapshot.Payment.State
        let stateText: String

        init(_ payment: OrderSnapshot.Payment, in language: String) {
            method = payment.method
            methodText = payment.method.flatMap { Market.words(forMethod: $0)?.text(in: language) }
            state = payment.state
            stateText = Market.words(forPayment: payment.state).text(in: language)
        }
    }

    let order: String
    let market: String
    let kind: String
    /// In the caller's language.
    let kindName: String
    let version: Int
    let state: String
    /// The market's word for the state, in the customers' view.
    let label: String
    let customer: PersonView
    let provider: PersonView?
    /// The seller of delivered goods.
    let merchant: PersonView?
    let companion: String?
    let services: [Service]
    let total: Money
    let payment: Payment
    let confirmedBy: [OrderSnapshot.Actor]
    let deadline: Date?
    let by: String
    let reason: String?
    /// The reason in the caller's language; nil for a person's own words.
    let reasonText: String?
    let requestedAt: Date
    let changedAt: Date
    let fine: Money?
    /// The report that is or was decided.
    let report: String?
    let outcome: OrderSnapshot.Outcome?

    init(_ row: OrderRow, in market: Market?, language: Language) throws {
        self.init(try row.order(), in: market, companion: row.companion, language: language)
    }

    /// - Parameter known: the order's market as its admins have changed it last; nil where it is not known.
    init(_ order: OrderSnapshot, in known: Market?, companion: String?, language: Language) {
        let code = language.rawValue
        self.order = order.order.text
        market = order.market
        kind = order.kind
        kindName = known?.kind(order.kind)?.name.text(in: code) ?? order.kind
        version = order.version
        state = order.state.rawValue
        label =
            known?.label(
                of: order.labelState, for: .admin, in: code, kind: order.kind, provider: order.provider?.providerTitle)
            ?? order.state.rawValue
        customer = PersonView(account: order.customer.account.text, name: order.customer.name)
        provider = order.provider.map { PersonView(account: $0.account.text, name: $0.name) }
        merchant = order.merchant.map { PersonView(account: $0.account.text, name: $0.name) }
        self.companion = companion
        services = order.services.map { Service(service: $0.service, name: $0.name.text(in: code), price: $0.price) }
        total = order.total
        payment = Payment(order.payment, in: code)
        confirmedBy = order.confirmedBy
        deadline = order.deadline
        by = order.by.rawValue
        reason = order.reason
        reasonText = order.reason.flatMap { known?.words(for: $0)?.text(in: code) }
        requestedAt = order.requestedAt
        changedAt = order.changedAt
        fine = order.fine
        report = order.report?.text
        outcome = order.outcome
    }
}

extension OrderRow {
    func order() throws -> OrderSnapshot { try JSON.wire.decode(OrderSnapshot.self, snapshot.text) }
}
