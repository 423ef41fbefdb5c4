import Contracts
import Foundation
import Messaging
import Postgres

/// An admin's ban of an account in one market, or a master admin's in all (I11). Its sessions end at once; from then on
/// its tokens have no role where it is banned, and other services are told of an account without those roles.
struct BanAccount: Sendable {
    /// Fires when a ban that has an end runs out: others are told of the roles again.
    static let deadline = "identity.ban-ends"

    let endSessions: EndSessions

    /// Bans, or changes the ban that there is.
    ///
    /// - Parameter isMaster: whether the admin is one of all markets.
    /// - Throws: ``IdentityError/noSuchAccount`` also for an account that is nothing in the market,
    ///   ``IdentityError/ownAccount``, ``IdentityError/adminsBan``.
    func callAsFunction(
        _ ban: Ban, _ id: UUID, by admin: UUID, isMaster: Bool, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        var account = try await Accounts.lock(id, in: transaction)
        if ban.market != Role.everyMarket {
            guard account.roles.contains(where: { ban.covers($0.market) }) else { throw IdentityError.noSuchAccount }
        }
        let isAdmin = account.isMasterAdmin || account.role(.admin, in: ban.market) != nil
        guard isMaster || !isAdmin else { throw IdentityError.adminsBan }
        account.ban(ban)
        transaction.send(UpdateAccount(account: account))
        transaction.send(PutBan(account: id, ban: ban, admin: admin, now: now))
        let subject = Self.subject(id, ban.market)
        if let until = ban.until {
            transaction.set(Deadline(kind: Self.deadline, subject: subject, dueAt: until))
        } else {
            transaction.clearDeadline(kind: Self.deadline, subject: subject)
        }
        try await endSessions.all(of: id, cause: .ban, at: now, in: transaction)
        let snapshot = AccountSnapshot(account, at: now)
        try transaction.publish(AccountChanged(account: snapshot, at: now))
        try transaction.publish(
            AccountBanned(
                account: id, market: ban.market, reason: ban.reason, until: ban.until, by: admin, at: now))
    }

    /// Takes a ban back.
    ///
    /// - Throws: ``AccountError/notBanned``, ``IdentityError/noSuchAccount``.
    func lift(
        of id: UUID, in market: String, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        var account = try await Accounts.lock(id, in: transaction)
        try account.unban(in: market)
        transaction.send(UpdateAccount(account: account))
        transaction.send(DeleteBan(account: id, market: market))
        transaction.clearDeadline(kind: Self.deadline, subject: Self.subject(id, market))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
        try transaction.publish(AccountUnbanned(account: id, market: market, by: admin, at: now))
    }

    /// A ban may have run out: the roles that it took are told of again.
    static func end(_ deadline: Deadline, at now: Date, in transaction: PostgresTransaction) async throws {
        let parts = deadline.subject.split(separator: " ")
        guard parts.count == 2, let id = UUID(uuidString: String(parts[0])),
            var account = try await Accounts.lockIfFound(id, in: transaction),
            // Prolonged or made permanent meanwhile: its own deadline ends that one, or none.
            let ban = account.bans.first(where: { $0.market == parts[1] }), !ban.holds(at: now)
        else { return }
        account.banHasEnded()
        transaction.send(UpdateAccount(account: account))
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    private static func subject(_ account: UUID, _ market: String) -> String { "\(account.text) \(market)" }
}
