import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Requests a cash-out. The amount leaves the wallet at once, so concurrent requests can never exceed the balance.
enum RequestCashOut {
    /// Minor units. Any positive amount is possible, because a remainder that cannot be cashed out would prevent the
    /// account's deletion.
    static let amounts = 1...100_000_000

    /// The market's terms for cash-outs.
    struct Terms: Sendable {
        var holds = CardHolds()
        /// The account's daily limit; nil for none.
        var limit: DailyLimit?
    }

    /// A part of the amount recently came from a card and cannot leave yet.
    struct Held: Error, Hashable {
        let leaving: CardMoney.Leaving
        let currency: String
    }

    /// - Parameter saving: whether to save the bank account for later.
    /// - Throws: ``AmountOutOfBounds``, ``Held``, ``DailyLimit/Reached``, ``WalletFreeze``,
    ///   ``LedgerError/insufficientFunds``, ``AccountBlock``, ``Problem/accountLeaving``,
    ///   ``Problem/tooManyBankAccounts``; a 422 ``Problem`` when the card was removed meanwhile.
    static func request(
        amount: Int, currency: String, market: String, account: UUID, to destination: PayoutDestination, saving: Bool,
        on terms: Terms = Terms(), at: Date, in transaction: PostgresTransaction
    ) async throws -> CashOut {
        try AmountOutOfBounds.refuse(amount, currency, .cashOut)
        try await AccountDeletionGuard.refuse(account, in: transaction)
        try await AccountBlock.refuse(account, in: nil, transaction)
        // Checked before the balance, so that a frozen wallet always gets this answer.
        try await WalletFreeze.refuse(account, in: transaction)
        if destination.kind == .card {
            try await CardRemovalGuard.keep(destination.reference, of: account, in: transaction)
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
        try transaction.publish(
            CashOutAsked(
                cashOut: cashOut.id, account: account, market: market,
                amount: Money(amount: amount, currency: currency), at: at))
        return cashOut
    }

    /// Checks freeze, card money and daily limit after the posting has locked the wallet, so that no concurrent change
    /// is missed.
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
        // The sum includes this cash-out.
        let used = DailyLimit.Used(sum: (asked?.sum ?? 0) - cashOut.amount, oldest: asked?.oldest)
        try limit.admit(cashOut.amount, after: used, .cashOut)
    }
}

enum SaveBankAccount {
    /// - Returns: the saved bank account; for a number that the account has saved already, the existing one with the
    ///   new holder and bank name.
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
