import Contracts
import Foundation
import Messaging
import Postgres

/// Stores identity's republished people, and anonymizes those that identity does not have.
enum StoreRepublishedAccounts {
    static func told(_ message: AccountsTold, in transaction: PostgresTransaction) async throws {
        for told in message.accounts {
            if try await transaction.execute(UpsertRepublishedPerson(told: told)) == 1 {
                try RecordPerson.storeRoles(of: told.account, in: transaction)
            }
        }
        transaction.send(UpsertRepublishedBans(told: message))
        transaction.send(LiftStaleBans(told: message))
        let lost = try await transaction.query(LockUntoldPeople(message: message))
        for person in lost {
            // As after a deletion, whose event was lost. A later snapshot of the person, if there is one, has a higher
            // version.
            try await ForgetAccount.deleted(
                AccountDeleted(account: person.account, version: person.version + 1, at: message.range.readAt),
                in: transaction)
        }
        transaction.send(DeleteStrayRoles(range: message.range))
        transaction.send(DeleteBansOfGone(range: message.range))
    }
}
