import Foundation
import Postgres

/// The rights that an admin has now, whatever the access token says.
struct AdminRights: Sendable {
    let isMaster: Bool

    /// Locks the roles of all master admins and the admin's own role, in one order, until the commit. Admins' actions
    /// on each other therefore run one after the other, and a master admin always remains. Must run before any account
    /// is locked.
    ///
    /// - Parameter market: the market of which the caller must be an admin, if not a master admin.
    /// - Throws: ``IdentityError/rightsLost``.
    static func lock(
        of admin: UUID, in market: String, at now: Date, in transaction: PostgresTransaction
    ) async throws -> AdminRights {
        _ = try await transaction.query(LockAdmins(market: market, account: admin))
        // Read after the lock is granted, so it includes the changes of the previous holder of the lock.
        let roles = try await Accounts.find(admin, in: transaction)?.roles(at: now).filter { $0.kind == .admin } ?? []
        let isMaster = roles.contains { $0.market == Role.everyMarket }
        guard isMaster || roles.contains(where: { $0.market == market }) else { throw IdentityError.rightsLost }
        return AdminRights(isMaster: isMaster)
    }
}
