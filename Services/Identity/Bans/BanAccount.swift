import Contracts
import Foundation
import Messaging
import Postgres

/// Bans an account in one market (by its admin) or in all markets (by a master admin) (I11). The account's sessions end
/// at once. New tokens have no roles in the banned market, and the snapshots for other services do not have them
/// either.
struct BanAccount: Sendable {
    /// The deadline at the end of a ban, when other services are told of the roles again.
    static let deadline = "identity.ban-ends"

    let endSessions: EndSessions

    /// Bans an account, or changes its existing ban.
    ///
    /// - Throws: ``IdentityError/noSuchAccount``, also for an account without a role in the market;
    ///   ``IdentityError/ownAccount``, ``IdentityError/adminsBan``, ``IdentityError/mastersBan``,
    ///   ``IdentityError/rightsLost``.
    func callAsFunction(
        _ ban: Ban, _ id: UUID, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        let rights = try await AdminRights.lock(of: admin, in: ban.market, at: now, in: transaction)
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        if ban.market != Role.everyMarket {
            guard account.roles.contains(where: { ban.covers($0.market) }) else { throw IdentityError.noSuchAccount }
        }
        if let old = account.bans.first(where: { $0.market == ban.market }), old.holds(at: now) {
            try await check(rights, account, ban.market, in: transaction)
        } else {
            try check(rights, account, ban.market)
        }
        account.ban(ban)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutBan(account: id, ban: ban, admin: admin, isMaster: rights.isMaster, now: now))
        let subject = Self.subject(id, ban.market)
        if let until = ban.until {
            transaction.set(Deadline(kind: Self.deadline, subject: subject, dueAt: until))
        } else {
            transaction.clearDeadline(kind: Self.deadline, subject: subject)
        }
        try await endSessions.all(of: id, cause: .ban, at: now, in: transaction)
        // Keys get no token while the ban holds; those that they have got are refused, too.
        let keys = try await transaction.query(ListBannedKeys(account: id, market: ban.market, now: now))
        try endSessions.tell(keys, of: id, at: now, in: transaction)
        let snapshot = AccountSnapshot(account, at: now)
        try transaction.publish(AccountChanged(account: snapshot, at: now))
        try transaction.publish(
            AccountBanned(
                account: id, market: ban.market, reason: ban.reason, until: ban.until, by: admin,
                version: account.version, at: now))
    }

    /// Lifts a ban, also one that is kept for a deleted account.
    ///
    /// - Throws: ``AccountError/notBanned``, ``IdentityError/noSuchAccount``, ``IdentityError/ownAccount``,
    ///   ``IdentityError/adminsBan``, ``IdentityError/mastersBan``, ``IdentityError/rightsLost``.
    func lift(
        of id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        if let isMasters = try await transaction.first(LockKeptBan(account: id, market: market)) {
            guard rights.isMaster || !isMasters else { throw IdentityError.mastersBan }
            transaction.send(DeleteKeptBan(account: id, market: market))
            try transaction.publish(
                AccountUnbanned(account: id, market: market, by: admin, version: nil, at: now))
            return
        }
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        try account.unban(in: market)
        try await check(rights, account, market, in: transaction)
        transaction.send(UpdateAccount(account: account))
        transaction.send(DeleteBan(account: id, market: market))
        transaction.clearDeadline(kind: Self.deadline, subject: Self.subject(id, market))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try transaction.publish(
            AccountUnbanned(account: id, market: market, by: admin, version: account.version, at: now))
    }

    /// Checks that the admin may ban this account in the market.
    private func check(_ rights: AdminRights, _ account: Account, _ market: String) throws {
        let isAdmin = account.isMasterAdmin || account.roles.contains { $0.isStaff && $0.market == market }
        guard rights.isMaster || !isAdmin else { throw IdentityError.adminsBan }
    }

    /// Checks that the admin may also change the existing ban.
    private func check(
        _ rights: AdminRights, _ account: Account, _ market: String, in transaction: PostgresTransaction
    ) async throws {
        try check(rights, account, market)
        guard !rights.isMaster else { return }
        let isMasters = try await transaction.first(FindBanAuthority(account: account.id, market: market))
        guard isMasters != true else { throw IdentityError.mastersBan }
    }

    /// Handles the deadline: when the ban has ended, publishes the account with its roles. The deadline fires by the
    /// database's clock, which may be ahead of this process's clock.
    static func end(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = deadline.subject.split(separator: " ")
        guard parts.count == 2, let id = UUID(uuidString: String(parts[0])),
            var account = try await Accounts.lockIfFound(id, in: transaction),
            // A ban that was prolonged has its own deadline; one that was made permanent has none.
            let ban = account.bans.first(where: { $0.market == parts[1] }), !ban.holds(at: deadline.dueAt)
        else { return }
        let now = max(now, deadline.dueAt)
        account.banHasEnded()
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    private static func subject(_ account: UUID, _ market: String) -> String { "\(account.text) \(market)" }
}
