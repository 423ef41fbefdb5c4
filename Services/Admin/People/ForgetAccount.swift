import Contracts
import Foundation
import Messaging
import Postgres

/// Removes a deleted account's name, its texts and others' texts about it; orders, ratings and sums stay. The audit log
/// cannot be edited and stays as it is: it has ids and no names.
enum ForgetAccount {
    static func deleted(_ event: AccountDeleted, in transaction: PostgresTransaction) async throws {
        let (account, name) = (event.account, AccountSnapshot.goneName)
        transaction.send(ForgetPerson(account: account, version: event.version, name: name))
        transaction.send(DeleteRoles(account: account))
        transaction.send(DeleteBans(account: account))
        let orders = try await transaction.query(LockOrdersOfPerson(account: account))
        transaction.send(ForgetNames(orders: orders, name: name))
        transaction.send(ForgetComments(orders: orders))
        // Runs first, because it knows which reasons are a report's note.
        transaction.send(ForgetReports(orders: orders))
        transaction.send(ForgetReasons(orders: orders, name: name))
    }
}
