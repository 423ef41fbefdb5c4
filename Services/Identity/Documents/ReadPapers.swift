import Contracts
import Foundation
import Postgres

/// Reads the documents and details of a provider for a market.
struct ReadPapers: Sendable {
    struct Found: Sendable {
        let role: Role
        /// The account's version, which a decision about it names.
        let version: Int
        /// The typed details; nil when they were not asked for.
        let details: [String: String]?
        let papers: ProviderPapers

        /// The same without what tells how somebody is reached, for the market's support.
        func withoutContacts(_ asked: [Market.Onboarding.Detail]) -> Found {
            let hidden = Set(asked.filter { [.mobile, .email].contains($0.kind) }.map(\.id))
            return Found(
                role: role, version: version, details: details?.filter { !hidden.contains($0.key) }, papers: papers)
        }
    }

    let documents: ProviderDocuments

    /// - Parameter title: nil is the work, or else the restaurant.
    /// - Throws: ``AccountError/notAProvider``, also for an account that is not confirmed.
    func callAsFunction(
        of id: UUID, title: String? = nil, in market: String, withDetails: Bool = true,
        _ transaction: PostgresTransaction
    ) async throws -> Found {
        let (accounts, roles, details) = try await transaction.queryAll(
            FindAccount(account: id), ListRoles(account: id),
            FindRoleDetails(account: id, market: market, role: .provider))
        guard let row = accounts.first, row.isConfirmed else { throw AccountError.notAProvider }
        let account = row.account(roles: roles.compactMap { $0 }, bans: [])
        guard let role = account.provider(in: market, title: title) else { throw AccountError.notAProvider }
        let known = withDetails ? try RecordIntake(cipher: documents.cipher).open(details.first) : nil
        // Those of another title that the account has, too, are not this role's.
        let others = documents.onboarding(market).details.filter {
            !$0.titles.isEmpty && !$0.titles.contains(role.title ?? "")
        }.map(\.id)
        return Found(
            role: role, version: account.version, details: known?.filter { !others.contains($0.key) },
            papers: try await documents.papers(of: id, title: role.title, in: market, transaction))
    }
}
