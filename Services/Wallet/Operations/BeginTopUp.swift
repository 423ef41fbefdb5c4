import Foundation
import Messaging
import Postgres

/// Puts money into a wallet: a charge that the worker carries on with.
enum BeginTopUp {
    /// Minor units.
    static let amounts = 100...10_000_000

    static func begin(
        amount: Int, currency: String, market: String, account: UUID, with instrument: Instrument, at: Date,
        in transaction: PostgresTransaction
    ) -> TopUp {
        let topUp = TopUp(
            id: .timeOrdered(), account: account, market: market, currency: currency, amount: amount,
            holder: instrument.holder, method: instrument.method)
        let charge = Charge(
            id: .timeOrdered(), purpose: .topUp, subject: topUp.id, amount: amount, currency: currency,
            with: instrument, madeAt: at)
        transaction.send(InsertTopUp(topUp: topUp))
        transaction.send(InsertCharge(charge: charge))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: topUp.statementLine, at: at))
        transaction.raiseAfterCommit(PaymentWorker.signalName)
        return topUp
    }
}
