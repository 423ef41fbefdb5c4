import Foundation
import Postgres

/// A provider's role in one market.
struct ProviderRole: Sendable, Equatable {
    let title: String?
    let isVerified: Bool
    let isAvailable: Bool
    let availableSince: Date?
}

/// Reads a provider's role and locks its row until the transaction ends.
struct LockProviderRole: Statement {
    static let sql: SQL = """
        SELECT title, verified, available, available_at FROM provider_roles
        WHERE market = $1 AND account = $2 ORDER BY sells LIMIT 1 FOR UPDATE
        """
    let market: String
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(market, account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> ProviderRole {
        try row.nextProviderRole()
    }
}

extension RowReader {
    /// Reads the columns title, verified, available, available_at.
    mutating func nextProviderRole() throws(PostgresError) -> ProviderRole {
        ProviderRole(
            title: try next(), isVerified: try next(), isAvailable: try next(), availableSince: try next())
    }
}
