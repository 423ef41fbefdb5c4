import Foundation
import Messaging
import Postgres
import ServiceKit

/// A person asks for money out of the wallet. It is held at once, so that what is asked for together cannot be more than
/// the balance.
enum RequestCashOut {
    /// Minor units. From the smallest one on: what cannot be taken out would keep its account from being deleted.
    static let amounts = 1...100_000_000

    /// What the market says of cash-outs.
    struct Terms: Sendable {
        var holds = CardHolds()
        /// How much an account may ask for in a day; nil for any.
        var limit: DailyLimit?
    }

    /// Some of what is wanted came from a card not long ago.
    struct Held: Error, Hashable {
        let leaving: CardMoney.Leaving
        let currency: String
    }

    /// - Parameter saving: keeps the bank account for the next time.
    /// - Throws: ``OutOfBounds``, ``Held``, ``DailyLimit/Reached``, ``WalletFreeze``, ``LedgerError/insufficientFunds``, ``AccountBlock``, ``Problem/accountLeaving``,
    ///   ``Problem/tooManyBankAccounts``; a 422 ``Problem`` when the card was removed meanwhile.
    static func request(
        amount: Int, currency: String, market: String, account: UUID, to destination: PayoutDestination, saving: Bool,
        on terms: Terms = Terms(), at: Date, in transaction: PostgresTransaction
    ) async throws -> CashOut {
        try OutOfBounds.refuse(amount, currency, .cashOut)
        try await LeavingAccounts.refuse(account, in: transaction)
        try await AccountBlock.refuse(account, in: nil, transaction)
        // Before it is looked at how much there is: that would be another answer.
        try await WalletFreeze.refuse(account, in: transaction)
        if destination.kind == .card {
            try await CardToCharge.keep(destination.reference, of: account, in: transaction)
        }
        if saving {
            _ = try await SaveBankAccount.save(
                BankAccount(id: .timeOrdered(), account: account, destination: destination), in: transaction)
        }
        let cashOut = CashOut(
            id: .timeOrdered(), account: account, market: market, currency: currency, amount: amount,
            destination: destination, madeAt: at)
        transaction.send(InsertCashOut(cashOut: cashOut))
        transaction.send(StoreStatementLine(id: .timeOrdered(), line: cashOut.statementLine, at: at))
        try await Ledger.post([Transfers.holdCashOut(cashOut, id: .timeOrdered())], in: transaction)
        try await admit(cashOut, on: terms, at: at, in: transaction)
        return cashOut
    }

    /// Looks once the wallet is locked by the posting: whatever else moves its money is before this, or after.
    private static func admit(
        _ cashOut: CashOut, on terms: Terms, at: Date, in transaction: PostgresTransaction
    ) async throws {
        try await WalletFreeze.refuse(cashOut.account, in: transaction)
        let money = try await CardMoney.of(
            cashOut.account, cashOut.currency, terms.holds, at: at, passing: cashOut.id, in: transaction)
        let leaving = money.leaving(at: at, terms.holds)
        guard cashOut.amount <= leaving.now else { throw Held(leaving: leaving, currency: cashOut.currency) }
        guard let limit = terms.limit else { return }
        let asked = try await transaction.first(
            SumCashOuts(account: cashOut.account, currency: cashOut.currency, since: limit.beginsAt))
        // This one is among them.
        try limit.admit(cashOut.amount, cashOut.currency, after: (asked ?? 0) - cashOut.amount, .cashOut)
    }
}

enum SaveBankAccount {
    /// - Returns: it; of a number that the account has saved already the one that is there, with the newest words.
    /// - Throws: ``Problem/tooManyBankAccounts``.
    static func save(
        _ bankAccount: BankAccount, in transaction: PostgresTransaction
    ) async throws -> BankAccount {
        transaction.send(LockBankAccounts(account: bankAccount.account))
        let destination = bankAccount.destination
        if let fingerprint = destination.fingerprint,
            let known = try await transaction.first(
                RenameSameBankAccount(
                    account: bankAccount.account, fingerprint: fingerprint, holder: destination.holder,
                    bankName: destination.bankName ?? ""))
        {
            return known
        }
        guard try await transaction.execute(InsertBankAccount(bankAccount: bankAccount)) == 1 else {
            throw Problem.tooManyBankAccounts
        }
        return bankAccount
    }
}
