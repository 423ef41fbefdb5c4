import Foundation
import Postgres

/// Reads accounts with their roles.
enum Accounts {
    /// Locks the account until the commit.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    static func lock(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account {
        guard let account = try await lockIfFound(id, in: transaction) else { throw IdentityError.noSuchAccount }
        return account
    }

    /// Locks an account that somebody else decides about. One that is not confirmed may lapse, and nobody knows of it.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``.
    static func lockConfirmed(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account {
        let (rows, roles, bans) = try await transaction.queryAll(
            LockAccount(account: id), ListRoles(account: id), ListBans(account: id))
        guard let row = rows.first, row.isConfirmed else { throw IdentityError.noSuchAccount }
        return row.account(roles: roles.compactMap { $0 }, bans: bans)
    }

    static func lockIfFound(_ id: UUID, in transaction: PostgresTransaction) async throws -> Account? {
        // The roles are read after the lock is had, so they are what the one before has left.
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
