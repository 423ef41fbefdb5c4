import Foundation
import Messaging
import Postgres

/// Begins a top-up: a charge that the worker continues.
enum BeginTopUp {
    /// Minor units of every currency. The payment provider's bounds apply as well (``AmountOutOfBounds``).
    static let amounts = 100...10_000_000

    /// - Parameter limit: the account's daily limit; nil for none.
    /// - Throws: ``AmountOutOfBounds``, ``DailyLimit/Reached``; a 422 ``Problem`` when the card was removed meanwhile, a 429
    ///   ``Problem`` after too many refused cards.
    static func begin(
        amount: Int, currency: String, market: String, account: UUID, with instrument: Instrument,
        limit: DailyLimit? = nil, at: Date, in transaction: PostgresTransaction
    ) async throws -> TopUp {
        try AmountOutOfBounds.refuse(amount, currency, .topUp)
        try await CardRemovalGuard.keep(instrument, of: account, in: transaction)
        let topUp = TopUp(
            id: .timeOrdered(), account: account, market: market, currency: currency, amount: amount,
            holder: instrument.holder, method: instrument.method)
        let charge = Charge(
            id: .timeOrdered(), purpose: .topUp, subject: topUp.id, amount: amount, currency: currency,
            with: instrument, madeAt: at)
        try await CardAttempts.begin(charge, of: account, in: transaction)
        if let limit {
            // Not every method counts as an attempt with a card, so the lock is an own one.
            let (_, used) = try await transaction.queryAll(
                LockTopUps(account: account),
                SumTopUps(account: account, currency: currency, since: limit.beginsAt))
            try limit.admit(amount, after: used.first ?? .nothing, .topUp)
        }
        transaction.send(InsertTopUp(topUp: topUp))
        transaction.send(InsertCharge(charge: charge))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: topUp.statementLine, at: at))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return topUp
    }
}
