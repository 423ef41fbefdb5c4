import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// The sessions of a person of a market, for its admins (I13, I15): whoever has lost a phone can call.
struct PersonSessionRoutes: Sendable {
    let parts: IdentityParts

    func add(to router: Router<SeraiRequestContext>) {
        router.group("identity/v1/markets/{market}/people/{account}/sessions", context: AuthenticatedContext.self)
            .get(use: list)
            .delete("{session}", use: end)
            .delete(use: endAll)
    }

    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let id = try context.uuid("account")
        let isMaster = context.caller.has(Role.Kind.admin.rawValue, in: Role.everyMarket)
        let rows = try await parts.pool.withTransaction(.readOnly) { transaction in
            let account = try await Accounts.find(id, in: transaction)
            guard let account, account.roles.contains(where: { $0.market == market && !$0.isStaff }) else {
                throw IdentityError.noSuchAccount
            }
            guard !account.isStaff || isMaster else { throw IdentityError.adminsAccount }
            return try await transaction.query(
                ListSessions(account: id, now: parts.clock(), limit: SessionRule.maximumSessions))
        }
        return try .json(.ok, SessionListView(items: rows.map { SessionItemView($0, current: nil) }))
    }

    private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await end(try context.uuid("session"), context)
    }

    private func endAll(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        try await end(nil, context)
    }

    /// - Parameter session: nil for all of the account.
    private func end(_ session: UUID?, _ context: AuthenticatedContext) async throws -> Response {
        let market = try context.administeredMarket().id
        let id = try context.uuid("account")
        try await parts.pool.withTransaction { transaction in
            try await parts.managePeople.logOut(
                id, of: session, in: market, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }
}

extension ManagePeople {
    /// Ends one session of a person, or all, in every market: the person logs in again.
    ///
    /// - Parameter session: nil for all.
    /// - Throws: ``IdentityError/ownAccount``, ``IdentityError/noSuchAccount`` for a person without a role in the
    ///   market, ``IdentityError/adminsAccount``, ``IdentityError/noSuchSession``, ``IdentityError/rightsLost``.
    func logOut(
        _ id: UUID, of session: UUID?, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        guard id != admin else { throw IdentityError.ownAccount }
        _ = try await lock(id, in: market, by: admin, at: now, in: transaction)
        if let session {
            guard try await endSessions.one(session, of: id, cause: .admin, at: now, in: transaction) else {
                throw IdentityError.noSuchSession
            }
        } else {
            try await endSessions.all(of: id, cause: .admin, at: now, in: transaction)
        }
        try tell(.sessionsEnded, id, market, by: admin, at: now, in: transaction)
    }
}
