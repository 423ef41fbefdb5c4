import Foundation
import Postgres

/// Reads accounts with their roles and bans.
enum Accounts {
    /// Locks the account's row until the commit.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    static func lock(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account {
        guard let account = try await lockIfFound(id, in: transaction) else { throw IdentityError.noSuchAccount }
        return account
    }

    /// Locks an account about which another person decides. An unconfirmed account counts as unknown, since it may
    /// lapse.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    static func lockConfirmed(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account {
        let (rows, roles, bans) = try await transaction.queryAll(
            LockAccount(account: id), ListRoles(account: id), ListBans(account: id))
        guard let row = rows.first, row.isConfirmed else { throw IdentityError.noSuchAccount }
        return row.account(roles: roles.compactMap { $0 }, bans: bans)
    }

    static func lockIfFound(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account? {
        // The roles are read after the lock is granted, so they include the changes of the previous holder of the lock.
        let (rows, roles, bans) = try await transaction.queryAll(
            LockAccount(account: id), ListRoles(account: id), ListBans(account: id))
        return rows.first?.account(roles: roles.compactMap { $0 }, bans: bans)
    }

    static func find(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account? {
        let (rows, roles, bans) = try await transaction.queryAll(
            FindAccount(account: id), ListRoles(account: id), ListBans(account: id))
        return rows.first?.account(roles: roles.compactMap { $0 }, bans: bans)
    }
}
