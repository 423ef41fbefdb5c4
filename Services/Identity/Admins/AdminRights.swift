import Foundation
import Postgres

/// What an admin may do at this moment, whatever his token still says.
struct AdminRights: Sendable {
    let isMaster: Bool

    /// Locks the roles of the master admins, and the admin's own, in one order until the commit: what admins do to each
    /// other comes one after the other, so that a master admin always remains. Before any account is locked.
    ///
    /// - Parameter market: that he must be an admin of, or of all.
    /// - Throws: ``IdentityError/rightsLost``.
    static func lock(
        of admin: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws -> AdminRights {
        _ = try await transaction.query(LockAdmins(market: market, account: admin))
        // Read after the lock is had, so it is what the one before has left.
        let roles = try await Accounts.find(admin, in: transaction)?.roles(at: now).filter { $0.kind == .admin } ?? []
        let isMaster = roles.contains { $0.market == Role.everyMarket }
        guard isMaster || roles.contains(where: { $0.market == market }) else { throw IdentityError.rightsLost }
        return AdminRights(isMaster: isMaster)
    }
}
