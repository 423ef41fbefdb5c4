import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Handles the deletion of an account (I12). Records that financial law requires are kept: the ledger, payments and
/// top-ups, under an id that no longer identifies anybody.
///
/// Each message has a transaction of its own, which locks the account before anything else, so that deletions cannot
/// deadlock.
enum WalletDeletionHandlers {
    static func register(in handlers: inout MessageHandlers, clock: @escaping @Sendable () -> Date) {
        handlers.on(DeletionAsked.self, sharesTransaction: false) {
            try await answer($0.message, at: clock(), $1)
        }
        handlers.on(DeletionRefused.self, sharesTransaction: false) { received, transaction in
            let refused = received.message
            try await AccountDeletionGuard.end(refused.account, version: refused.version, in: transaction)
        }
        handlers.on(AccountDeleted.self, sharesTransaction: false) { try await forget($0.message, $1) }
    }

    /// Answers a deletion request with the open obstacles. From here on no payment, top-up or card of the account
    /// begins.
    static func answer(
        _ asked: DeletionAsked, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        guard try await AccountDeletionGuard.begin(asked.account, version: asked.version, in: transaction) else {
            return
        }
        let open = try await transaction.first(FindOpenMoney(account: asked.account)) ?? []
        let owed = try await transaction.query(ListOwed(account: asked.account))
        try transaction.publish(
            WalletAnsweredDeletion(
                deletion: asked.deletion, account: asked.account, obstacles: open, owed: owed, at: now))
    }

    static func forget(_ deleted: AccountDeleted, _ transaction: PostgresTransaction) async throws {
        let (account, name) = (deleted.account, AccountSnapshot.goneName)
        try await AccountDeletionGuard.close(account, version: deleted.version, in: transaction)
        // It needs the statement, which tells the merchant's orders.
        transaction.send(ForgetInDecisions(account: account))
        transaction.send(ForgetOwnTitles(account: account))
        transaction.send(ForgetInStatements(account: account, name: name))
        transaction.send(ForgetInPayees(account: account, name: name))
        transaction.send(ForgetInDeposits(account: account, name: name))
        transaction.send(DeleteStatement(account: account))
        transaction.send(ForgetInPayments(account: account, name: name))
        transaction.send(ForgetInTopUps(account: account, name: name))
        transaction.send(RemoveAccountAtProvider(account: account))
        transaction.send(DeleteCards(account: account))
        transaction.send(DeleteCardAttempts(account: account))
        transaction.send(DeleteAccountMethod(account: account))
        transaction.send(DeleteBankAccounts(account: account))
        transaction.send(ForgetInCashOuts(account: account, name: name))
        transaction.send(ForgetInDisputes(account: account))
        transaction.send(ForgetInWriteOffs(account: account))
        transaction.send(DeleteUnattendedPayments(account: account))
        transaction.send(DeleteSubscriptions(account: account))
    }
}
