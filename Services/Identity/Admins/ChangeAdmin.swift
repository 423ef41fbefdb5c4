import Contracts
import Foundation
import Messaging
import Postgres

/// Gives and takes admin rights, at a master admin's request (I13).
struct ChangeAdmin: Sendable {
    let endSessions: EndSessions

    /// - Throws: ``AccountError/hasRole(_:)``, ``IdentityError/noSuchAccount``, ``IdentityError/banned(_:)``,
    ///   ``IdentityError/rightsLost``.
    func grant(
        _ market: String, to id: UUID, by master: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        _ = try await AdminRights.lock(of: master, in: Role.everyMarket, at: now, in: transaction)
        _ = try await ChangeAccount().add(.admin(of: market), to: id, at: now, in: transaction)
        try transaction.publish(AdminChanged(account: id, market: market, isAdmin: true, by: master, at: now))
    }

    /// Takes admin rights away and ends all sessions of the account, so that no new token has them.
    ///
    /// - Throws: ``AccountError/notAnAdmin``, ``IdentityError/noSuchAccount``, ``IdentityError/rightsLost``,
    ///   ``IdentityError/ownAccount``: master admins cannot remove themselves, so one always remains.
    func revoke(
        _ market: String, from id: UUID, by master: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != master else { throw IdentityError.ownAccount }
        _ = try await AdminRights.lock(of: master, in: Role.everyMarket, at: now, in: transaction)
        var account = try await Accounts.lock(id, in: transaction)
        try account.removeAdmin(of: market)
        transaction.send(UpdateAccount(account: account))
        transaction.send(DeleteAdminRole(account: id, market: market))
        try await endSessions.all(of: id, cause: .rights, at: now, in: transaction)
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try transaction.publish(AdminChanged(account: id, market: market, isAdmin: false, by: master, at: now))
    }
}
