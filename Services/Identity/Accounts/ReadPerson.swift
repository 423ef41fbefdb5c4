import Contracts
import Foundation
import Postgres

/// A person as shown to other people of a market.
struct PublicPerson: Sendable {
    let account: Account
    /// The roles as customer or provider of the market.
    let roles: [Role]
    let email: String?
    let mobile: String?
    /// By role, without roles that have no ratings.
    let ratings: [ListRatingSums.Row]
}

struct ReadPerson: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding

    /// Nil for a person who is neither customer nor provider in the market, is banned there, or has not confirmed the
    /// account.
    ///
    /// - Parameter reader: also sees the contact where an order of the two people opens it.
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
