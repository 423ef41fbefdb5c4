import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps nothing of a person whose account is gone: orders, ratings and figures stay, without the name. The audit log,
/// which cannot be edited, keeps what it says.
enum ForgetAccount {
    static func deleted(_ event: AccountDeleted, in transaction: PostgresTransaction) {
        let (account, name) = (event.account, AccountSnapshot.goneName)
        transaction.send(ForgetPerson(account: account, version: event.version, name: name))
        transaction.send(DeleteRoles(account: account))
        transaction.send(LockOrdersOfPerson(account: account))
        transaction.send(ForgetCustomer(account: account, name: name))
        transaction.send(ForgetProvider(account: account, name: name))
        transaction.send(ForgetComments(account: account))
        transaction.send(ForgetReports(account: account))
    }
}
