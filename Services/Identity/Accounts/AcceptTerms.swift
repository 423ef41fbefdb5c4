import Contracts
import Foundation
import Postgres

/// Stores that an account's owner accepts the terms of a market in their current version (X8).
struct AcceptTerms: Sendable {
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// - Throws: ``AccountError/noSuchRole`` for a person without a role in the market,
    ///   ``IdentityError/termsNeeded(version:)`` for another version than the current one.
    func callAsFunction(
        _ version: String, in market: String, by id: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        guard account.roles.contains(where: { $0.market == market && !$0.isStaff }),
            let current = onboarding(market).terms
        else { throw AccountError.noSuchRole }
        guard version == current.version else { throw IdentityError.termsNeeded(version: current.version) }
        transaction.send(PutAcceptedTerms(account: id, market: market, version: version, now: now))
    }
}

/// Terms that the owner has not accepted in their current version.
struct AskedTerms: Encodable, Sendable, Equatable {
    let market: String
    let version: String

    /// - Parameter accepted: the versions that the owner has accepted so far.
    static func of(
        _ account: Account, accepted: [AcceptedTerms], _ onboarding: (_ market: String) -> Market.Onboarding
    ) -> [AskedTerms] {
        let versions = Set(accepted.map { TermsVersion(market: $0.market, version: $0.version) })
        return TermsRule.asked(of: account.roles, accepted: versions) { onboarding($0).terms?.version }
            .map { AskedTerms(market: $0.market, version: $0.version) }
    }

    /// The markets among these where the account has no rights until the owner accepts.
    static func enforced(
        _ asked: [AskedTerms], _ onboarding: (_ market: String) -> Market.Onboarding
    ) -> Set<String> {
        Set(asked.map(\.market).filter { onboarding($0).enforcesTerms })
    }
}
