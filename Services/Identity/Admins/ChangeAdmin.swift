import Contracts
import Foundation
import Messaging
import Postgres

/// Gives and takes the rights of admins and of a market's support, at a master admin's request (I13).
struct ChangeAdmin: Sendable {
    let endSessions: EndSessions

    /// - Parameter rank: the role of an admin or of support.
    /// - Throws: ``AccountError/hasRole(_:)``, ``AccountError/hasOtherRank``, ``IdentityError/noSuchAccount``,
    ///   ``IdentityError/banned(_:)``, ``IdentityError/rightsLost``.
    func grant(
        _ rank: Role, to id: UUID, by master: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        _ = try await AdminRights.lock(of: master, in: Role.everyMarket, at: now, in: transaction)
        _ = try await ChangeAccount().add(rank, to: id, at: now, in: transaction)
        try tell(rank, of: id, isGiven: true, by: master, at: now, in: transaction)
    }

    /// Takes the rights away and ends all sessions of the account, so that no new token has them.
    ///
    /// - Throws: ``AccountError/notAnAdmin``, ``IdentityError/noSuchAccount``, ``IdentityError/rightsLost``,
    ///   ``IdentityError/ownAccount``: master admins cannot remove themselves, so one always remains.
    func revoke(
        _ market: String, from id: UUID, by master: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != master else { throw IdentityError.ownAccount }
        _ = try await AdminRights.lock(of: master, in: Role.everyMarket, at: now, in: transaction)
        var account = try await Accounts.lock(id, in: transaction)
        let rank = try account.removeRank(in: market)
        transaction.send(UpdateAccount(account: account))
        transaction.send(DeleteRank(account: id, rank: rank))
        try await endSessions.all(of: id, cause: .rights, at: now, in: transaction)
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try tell(rank, of: id, isGiven: false, by: master, at: now, in: transaction)
    }

    private func tell(
        _ rank: Role, of id: UUID, isGiven: Bool, by master: UUID, at now: Date, in transaction: PostgresTransaction
    ) throws {
        var changed = AdminChanged(account: id, market: rank.market, isAdmin: isGiven, by: master, at: now)
        if rank.kind == .support { changed.rank = rank.kind.rawValue }
        try transaction.publish(changed)
    }
}
