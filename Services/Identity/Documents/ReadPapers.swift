import Foundation
import Postgres

/// Reads the documents and details of a provider for a market.
struct ReadPapers: Sendable {
    struct Found: Sendable {
        let role: Role
        /// The typed details; nil when they were not asked for.
        let details: [String: String]?
        let papers: ProviderPapers
    }

    let documents: ProviderDocuments

    /// - Throws: ``AccountError/notAProvider``, also for an account that is not confirmed.
    func callAsFunction(
        of id: UUID, in market: String, withDetails: Bool = true, _ transaction: PostgresTransaction
    ) async throws -> Found {
        let (accounts, roles, details) = try await transaction.queryAll(
            FindAccount(account: id), ListRoles(account: id),
            FindRoleDetails(account: id, market: market, role: .provider))
        guard accounts.first?.isConfirmed == true,
            let role = roles.compactMap({ $0 }).first(where: { $0.kind == .provider && $0.market == market })
        else { throw AccountError.notAProvider }
        return Found(
            role: role,
            details: withDetails ? try RecordIntake(cipher: documents.cipher).open(details.first) : nil,
            papers: try await documents.papers(of: id, title: role.title, in: market, transaction))
    }
}
