import Contracts
import Foundation
import Postgres

/// Somebody as others in a market see him.
struct PublicPerson: Sendable {
    let account: Account
    /// As a customer or a provider of the market.
    let roles: [Role]
    let email: String?
    let mobile: String?
    /// By role; only those who were rated.
    let ratings: [ListRatingSums.Row]
}

struct ReadPerson: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// Nil for who is neither customer nor provider there, is banned there, or has not confirmed the account.
    ///
    /// - Parameter reader: who sees the contact also where only a dispute between the two opens it.
    func callAsFunction(
        _ id: UUID, for reader: UUID, in market: String, at now: Date
    ) async throws -> PublicPerson? {
        let (rows, roles, bans, contacts, ratings, opened) = try await pool.withTransaction(.readOnly) { transaction in
            try await transaction.queryAll(
                FindAccount(account: id), ListRoles(account: id), ListBans(account: id), FindContact(account: id),
                ListRatingSums(account: id, market: market), FindOpenedContact(one: reader, other: id, market: market))
        }
        let isOpen = onboarding(market).opensContact || !opened.isEmpty
        guard let row = rows.first, row.isConfirmed, let contact = contacts.first else { return nil }
        let account = row.account(roles: roles.compactMap { $0 }, bans: bans)
        let parts = account.roles(at: now).filter { $0.market == market && $0.kind != .admin }
        guard !parts.isEmpty else { return nil }
        return PublicPerson(
            account: account, roles: parts,
            email: isOpen ? try contact.email.map { try cipher.open($0, .email, of: id) } : nil,
            mobile: isOpen ? try contact.mobile.map { try cipher.open($0, .mobile, of: id) } : nil, ratings: ratings)
    }
}
