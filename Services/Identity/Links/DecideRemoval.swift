import Contracts
import Foundation
import Messaging
import Postgres

/// Applies an admin's decision about an account that is not used, or whose removal a relative has asked for (I12).
struct DecideRemoval: Sendable {
    enum Word: String, Sendable, CaseIterable { case remove, keep }

    let askDeletion: AskDeletion

    /// Asks for a removal, by a relative: a person with a confirmed family link to the account.
    ///
    /// - Returns: the market whose admins are asked; nil for a link that belongs to none.
    /// - Throws: ``LinkError/notFound``, ``IdentityError/removalAsked``.
    static func ask(
        by relative: UUID, link id: UUID, reason: String, at now: Date, in transaction: PostgresTransaction
    ) async throws -> String? {
        guard case let link?? = try await transaction.first(LockLink(link: id)), link.isOf(relative),
            link.kind == .family, link.state == .confirmed
        else { throw LinkError.notFound }
        let asked = try await transaction.first(
            InsertRemoval(
                account: link.other(than: relative), cause: .relative, askedBy: relative, market: link.market,
                reason: reason, now: now, dueAt: now))
        guard asked != nil else { throw IdentityError.removalAsked }
        if let market = link.market {
            try transaction.publish(
                RemovalAsked(account: link.other(than: relative), market: market, by: relative, at: now))
        }
        return link.market
    }

    /// - Returns: the deletion that begins; nil when the account is kept.
    /// - Throws: ``IdentityError/ownAccount``, ``IdentityError/noSuchAccount`` for an account that is not listed,
    ///   ``IdentityError/otherMarkets``, ``IdentityError/deletionRefused(_:orders:)``, ``IdentityError/rightsLost``.
    func callAsFunction(
        _ word: Word, on id: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Deletion? {
        guard id != admin else { throw IdentityError.ownAccount }
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        let account = try await Accounts.lockConfirmed(id, in: transaction)
        guard
            try await transaction.first(FindRemoval(market: market, account: id, now: now, isMaster: rights.isMaster))
                != nil
        else {
            throw IdentityError.noSuchAccount
        }
        try ManagePeople.checkAlone(account, market, rights)
        switch word {
        case .remove:
            // The row is deleted with the account; if the deletion is refused, the account stays listed.
            return try await askDeletion(account, by: .admin(admin, market: market), at: now, in: transaction)
        case .keep:
            transaction.send(DeleteRemoval(account: id))
            // The account can be listed again after another eighteen months.
            transaction.send(TouchActivity(account: id, now: now))
            try transaction.publish(AccountManaged(account: id, market: market, act: .kept, by: admin, at: now))
            return nil
        }
    }
}
