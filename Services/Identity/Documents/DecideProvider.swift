import Contracts
import Foundation
import Messaging
import Postgres

/// Applies an admin's decision about a provider of a market (I7).
struct DecideProvider: Sendable {
    /// A mail about the decision that is not sent within a week is dropped.
    static let mailSeconds: Double = 7 * 86_400

    let documents: ProviderDocuments
    let deliver: RequestDelivery
    /// The proof by which a market confirms people.
    let confirmation: @Sendable (_ market: String) -> Market.Confirmation

    /// Verifies or rejects a provider. Verification requires that every required paper is verified, all required
    /// details are there, the age is known and high enough where the market has a minimum, and the contact by which the
    /// market confirms people is proved. A mail tells the provider, with instructions for preparing.
    ///
    /// - Throws: ``AccountError/notAProvider``, ``AccountError/alreadyDecided(_:)``,
    ///   ``AccountError/providerChanged(title:version:)``, ``IdentityError/noSuchAccount``,
    ///   ``IdentityError/ownProvider``, ``IdentityError/papersMissing(_:)``, ``IdentityError/contactUnproved(_:)``,
    ///   ``IdentityError/rightsLost``.
    func callAsFunction(
        _ decision: ProviderDecision, on id: UUID, in market: String, by admin: UUID, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        var account = try await Accounts.lockConfirmed(id, in: transaction)
        guard !account.providers(in: market).isEmpty else { throw AccountError.notAProvider }
        guard id != admin else { throw IdentityError.ownProvider }
        let role = try account.decide(decision, in: market)
        if case .verify = decision {
            let missing = try await documents.missing(of: id, title: role.title, in: market, at: now, transaction)
            guard missing.isEmpty else { throw IdentityError.papersMissing(missing) }
            try await ProvedContact.check(id, for: confirmation(market), in: transaction)
            transaction.send(DeleteLeftMarket(account: id, market: market))
        }
        transaction.send(UpdateAccount(account: account))
        transaction.send(DecideRole(account: id, role: role, admin: admin, now: now))
        try await tell(account, decision, in: market, at: now, in: transaction)
        let snapshot = AccountSnapshot(account, at: now)
        switch decision {
        case .verify:
            try transaction.publish(ProviderVerified(account: snapshot, market: market, by: admin, at: now))
        case .reject(let reason, _):
            try transaction.publish(
                ProviderRejected(account: snapshot, market: market, reason: reason, by: admin, at: now))
        }
    }

    private func tell(
        _ account: Account, _ decision: ProviderDecision, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        switch decision {
        case .verify(let title, _):
            try await NotifyVerified(deliver: deliver)(account, in: market, title: title, at: now, in: transaction)
        case .reject(let reason, _):
            try await deliver(
                .providerRejected(market: Market.named(market)?.name ?? ["en": market], reason: reason), to: account,
                until: now.addingTimeInterval(Self.mailSeconds), at: now, in: transaction)
        }
    }
}
