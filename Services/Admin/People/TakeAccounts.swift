import Contracts
import Foundation
import Messaging
import Postgres

/// Takes over what identity tells again of people, and forgets those that it does not know any more.
enum TakeAccounts {
    static func told(_ message: AccountsTold, in transaction: PostgresTransaction) async throws {
        for told in message.accounts {
            if try await transaction.execute(StoreToldPerson(told: told)) == 1 {
                try RecordPerson.storeRoles(of: told.account, in: transaction)
            }
        }
        let lost = try await transaction.query(LockUntoldPeople(message: message))
        for person in lost {
            // As by the event of the deletion, which was lost. What is told of the person later, if anything, is newer.
            try await ForgetAccount.deleted(
                AccountDeleted(account: person.account, version: person.version + 1, at: message.range.readAt),
                in: transaction)
        }
        transaction.send(DeleteStrayRoles(range: message.range))
    }
}
