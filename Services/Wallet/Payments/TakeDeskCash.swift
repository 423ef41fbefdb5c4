import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Records that an admin took an order's price in cash at the desk. The cash is the platform's money: the ledger holds it
/// for the order like money from outside, and no commission is taken from the provider.
enum TakeDeskCash {
    enum Refusal: Error, Hashable {
        /// The market's desk takes no cash, or the price has a promised discount.
        case notTaken
        /// The amount is not the price, in minor units.
        case notThePrice(Int, currency: String)
        /// The admin has taken so much within 24 hours that only this much may be added, in minor units.
        case limit(left: Int, currency: String)
    }

    /// - Parameter limit: what one admin may take within 24 hours, in minor units of a currency.
    /// - Returns: the payment afterwards; nil when the market has no such order.
    /// - Throws: ``Refusal``; ``PaymentRefusal``; ``AccountBlock``; ``Problem/accountLeaving``; a 403 ``Problem`` for an
    ///   admin who is a party of the order.
    static func take(
        _ amount: Int, for order: UUID, in market: Market, _ settings: MarketSettings, limit: (String) -> Int,
        by admin: UUID, at: Date, in transaction: PostgresTransaction
    ) async throws -> Payment? {
        guard let known = try await transaction.first(FindPayment(order: order)), known.market == market.id else {
            return nil
        }
        try await RefundPayment.refuseParty(admin, of: known, in: transaction)
        try await AccountDeletionGuard.refuse(known.customer, in: transaction)
        guard var payment = try await transaction.first(LockPayment(order: order)) else { return nil }
        try await AccountBlock.refuse(payment.customer, in: payment.market, transaction)
        guard settings.deskTakesCash, payment.terms.promised == nil else { throw Refusal.notTaken }
        if let refusal = PaymentRefusal(payment, at: at) { throw refusal }
        guard amount == payment.amount else {
            throw Refusal.notThePrice(payment.amount, currency: payment.currency)
        }
        // One admin's takings are counted one after the other.
        let (_, sums) = try await transaction.queryAll(
            LockDeskOfAdmin(admin: admin),
            SumDeskCash(admin: admin, currency: payment.currency, since: at.addingTimeInterval(-86_400)))
        let left = limit(payment.currency) - (sums.first ?? 0)
        guard amount <= left else { throw Refusal.limit(left: max(0, left), currency: payment.currency) }
        let effects = try payment.pay(by: .deskCash, at: at)
        transaction.send(
            InsertDeskCash(
                order: order, market: market.id, admin: admin, amount: amount, currency: payment.currency, at: at))
        try await PaymentEffects(transaction: transaction, at: at).perform(effects, of: payment)
        try transaction.publish(
            WalletManaged(
                market: market.id, act: .cashTaken, subject: order,
                details: ["amount": "\(amount)", "currency": payment.currency, "customer": payment.customer.text],
                by: admin, at: at))
        return payment
    }
}

/// Serializes what one admin takes at the desk, until the transaction ends.
struct LockDeskOfAdmin: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended('wallet.desk:' || $1::text, 0))::text"
    let admin: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(admin) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// Sums what an admin took in cash since a time, in minor units.
struct SumDeskCash: Statement {
    static let sql: SQL = """
        SELECT coalesce(sum(amount), 0)::bigint FROM desk_cash WHERE admin = $1 AND currency = $2 AND at > $3
        """
    let admin: UUID
    let currency: String
    let since: Date
    func bind(_ bindings: inout Bindings) { bindings.append(admin, currency, since) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct InsertDeskCash: Statement {
    static let sql: SQL = """
        INSERT INTO desk_cash (order_id, market, admin, currency, amount, at) VALUES ($1, $2, $3, $4, $5, $6)
        """
    let order: UUID
    let market: String
    let admin: UUID
    let amount: Int
    let currency: String
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(order, market, admin, currency, amount, at) }
}
