import Contracts
import Foundation
import Messaging
import Postgres

/// An admin's word on a provider of a market (I7).
struct DecideProvider: Sendable {
    /// - Throws: ``AccountError/notAProvider``, ``AccountError/alreadyDecided(_:)``,
    ///   ``IdentityError/noSuchAccount``, ``IdentityError/ownProvider``.
    func callAsFunction(
        _ decision: ProviderDecision, on id: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        guard account.role(.provider, in: market) != nil else { throw AccountError.notAProvider }
        guard id != admin else { throw IdentityError.ownProvider }
        try account.decide(decision, in: market)
        guard let role = account.role(.provider, in: market) else { throw AccountError.notAProvider }
        transaction.send(UpdateAccount(account: account))
        transaction.send(DecideRole(account: id, role: role, admin: admin, now: now))
        let snapshot = AccountSnapshot(account, at: now)
        switch decision {
        case .verify:
            try transaction.publish(ProviderVerified(account: snapshot, market: market, by: admin, at: now))
        case .reject(let reason):
            try transaction.publish(
                ProviderRejected(account: snapshot, market: market, reason: reason, by: admin, at: now))
        }
    }
}
