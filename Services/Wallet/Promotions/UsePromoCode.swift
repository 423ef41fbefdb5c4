import Foundation
import Messaging
import Postgres

/// Takes a use of a promo code for a payment, or computes what the code would give.
enum UsePromoCode {
    /// The maximum number of attempts per account within ``attemptWindowSeconds``, so that codes cannot be guessed.
    static let attempts = 20
    static let attemptWindowSeconds = 600.0

    /// Takes a use of the entered code, otherwise of the code of the order's quote.
    ///
    /// - Returns: nil when there is neither.
    /// - Throws: ``PromoCode/NotUsable`` when another code than the quote's was entered and gives less, with nothing
    ///   changed; ``PromisedDiscountLost`` when the quote's code gives less; ``PromoCode/Unfit``.
    static func use(
        typed: String?, for payment: Payment, by method: PaymentMethod, at: Date, in transaction: PostgresTransaction
    ) async throws -> AppliedPromotion? {
        if typed != nil || payment.terms.promised != nil {
            try PromoCode.check(isCustomerPriced: payment.terms.isCustomerPriced, by: method)
        }
        guard let promised = payment.terms.promised else {
            guard let typed else { return nil }
            return try await use(typed, for: payment, at: at, in: transaction)
        }
        let isOther = typed.map { $0 != promised.code } ?? false
        do {
            let taken = try await use(typed ?? promised.code, for: payment, at: at, in: transaction)
            guard taken.discount >= promised.discount else { throw PromoCode.NotUsable() }
            return taken
        } catch let refusal as PromoCode.NotUsable {
            if isOther { throw refusal }
            throw PromisedDiscountLost(order: payment.order)
        }
    }

    /// Counts a use. The code's row stays locked until the commit, so only one of two concurrent payments gets the last
    /// use.
    ///
    /// - Parameter payment: locked by this transaction.
    static func use(
        _ code: String, for payment: Payment, at: Date, in transaction: PostgresTransaction
    ) async throws -> AppliedPromotion {
        guard let found = try await transaction.first(LockPromoCode(market: payment.market, code: code)),
            found.code.currency == payment.currency
        else { throw PromoCode.NotUsable() }
        // Settles returned uses under the code's lock.
        let (returned, own) = try await transaction.queryAll(
            SettleReturnedUses(code: found.code.id), CountUses(code: found.code.id, account: payment.customer))
        let all = found.uses - returned.count
        let discount = try found.code.discount(
            on: payment.amount, in: payment.market, uses: (all, own.first ?? 0), at: at)
        let use = AppliedPromotion(use: .timeOrdered(), discount: discount, code: found.code.id)
        transaction.send(
            InsertPromoUse(use: use, code: found.code.id, account: payment.customer, order: payment.order, at: at))
        transaction.send(SetPromoUses(code: found.code.id, uses: all + 1))
        // With the last use it is published that the code is used up.
        if let limit = found.code.limit, all + 1 >= limit {
            try await PublishPromoCode.tell(found.code.id, .unknown, at: at, in: transaction)
        }
        return use
    }

    /// Computes what a code would give now, without counting a use.
    ///
    /// - Parameter methods: the methods that the order can be paid by.
    static func quote(
        _ code: String, for payment: Payment, payableBy methods: [String], at: Date,
        in transaction: PostgresTransaction
    ) async throws -> Int {
        let isCash = !methods.isEmpty && methods.allSatisfy { $0 == PaymentMethod.cash.rawValue }
        try PromoCode.check(isCustomerPriced: payment.terms.isCustomerPriced, by: isCash ? .cash : nil)
        guard let found = try await transaction.first(FindPromoCodeByText(market: payment.market, code: code)),
            found.code.currency == payment.currency
        else { throw PromoCode.NotUsable() }
        let (returned, own) = try await transaction.queryAll(
            CountReturnedUses(code: found.code.id), CountUses(code: found.code.id, account: payment.customer))
        return try found.code.discount(
            on: payment.amount, in: payment.market, uses: (found.uses - (returned.first ?? 0), own.first ?? 0), at: at)
    }

    /// Counts an attempt, valid or not, for all processes together.
    ///
    /// - Returns: whether the account may try.
    static func mayTry(_ account: UUID, _ pool: PostgresPool) async throws -> Bool {
        let count = try await pool.first(CountPromoAttempt(account: account, windowSeconds: attemptWindowSeconds))
        return count.map { $0 <= attempts } ?? false
    }
}
