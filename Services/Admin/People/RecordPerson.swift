import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON

/// Stores people: the newest snapshot of each account.
enum RecordPerson {
    static func registered(_ event: AccountRegistered, in transaction: PostgresTransaction) async throws {
        try await snapshot(event.account, in: transaction)
        transaction.send(SetRegistered(account: event.account.account, at: event.at))
    }

    static func snapshot(_ account: AccountSnapshot, in transaction: PostgresTransaction) async throws {
        // The row stays locked until the commit, so that roles and version match.
        guard try await transaction.execute(StorePerson(account: account)) == 1 else { return }
        try storeRoles(of: account, in: transaction)
    }

    /// Stores the roles; the caller has locked the person's row.
    static func storeRoles(of account: AccountSnapshot, in transaction: PostgresTransaction) throws {
        transaction.send(DeleteRoles(account: account.account))
        for (market, roles) in Dictionary(grouping: account.roles, by: \.market).sorted(by: { $0.key < $1.key }) {
            transaction.send(
                InsertRoles(
                    market: market, account: account.account, name: account.name, names: roles.map(\.role),
                    roles: PostgresJSON(try JSON.wire.encode(roles))))
        }
    }
}
