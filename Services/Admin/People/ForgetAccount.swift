import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps nothing of a person whose account is gone: orders, ratings and figures stay, without the name. The audit log,
/// which cannot be edited, keeps what it says.
enum ForgetAccount {
    static func deleted(_ event: AccountDeleted, in transaction: PostgresTransaction) async throws {
        let (account, name) = (event.account, AccountSnapshot.goneName)
        transaction.send(ForgetPerson(account: account, version: event.version, name: name))
        transaction.send(DeleteRoles(account: account))
        let orders = try await transaction.query(LockOrdersOfPerson(account: account))
        transaction.send(ForgetNames(orders: orders, name: name))
        transaction.send(ForgetComments(account: account))
        // First, for it knows what a reason in own words stands for.
        transaction.send(ForgetReports(account: account))
        transaction.send(ForgetReasons(orders: orders, name: name))
    }
}
