import Foundation
import Messaging
import Postgres
import ServiceKit

/// A person asks for money out of the wallet. It is held at once, so that what is asked for together cannot be more than
/// the balance.
enum RequestCashOut {
    /// Minor units. From the smallest one on: what cannot be taken out would keep its account from being deleted.
    static let amounts = 1...100_000_000

    /// - Parameter saving: keeps the bank account for the next time.
    /// - Throws: ``LedgerError/insufficientFunds``, ``AccountBlock``, ``Problem/accountLeaving``,
    ///   ``Problem/tooManyBankAccounts``; a 422 ``Problem`` when the card was removed meanwhile.
    static func request(
        amount: Int, currency: String, market: String, account: UUID, to destination: PayoutDestination, saving: Bool,
        at: Date, in transaction: PostgresTransaction
    ) async throws -> CashOut {
        try await LeavingAccounts.refuse(account, in: transaction)
        try await AccountBlock.refuse(account, in: nil, transaction)
        if destination.kind == .card {
            try await CardToCharge.keep(destination.reference, of: account, in: transaction)
        }
        if saving {
            try await SaveBankAccount.save(
                BankAccount(id: .timeOrdered(), account: account, destination: destination), in: transaction)
        }
        let cashOut = CashOut(
            id: .timeOrdered(), account: account, market: market, currency: currency, amount: amount,
            destination: destination, madeAt: at)
        transaction.send(InsertCashOut(cashOut: cashOut))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: cashOut.statementLine, at: at))
        try await Ledger.post([Transfers.holdCashOut(cashOut, id: .timeOrdered())], in: transaction)
        return cashOut
    }
}

enum SaveBankAccount {
    /// - Throws: ``Problem/tooManyBankAccounts``.
    static func save(_ bankAccount: BankAccount, in transaction: PostgresTransaction) async throws {
        transaction.send(LockBankAccounts(account: bankAccount.account))
        guard try await transaction.execute(InsertBankAccount(bankAccount: bankAccount)) == 1 else {
            throw Problem.tooManyBankAccounts
        }
    }
}
