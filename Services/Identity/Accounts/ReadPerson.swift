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
    /// - Parameter reader: sees the contact where the market opens contacts to its people, where an order of the two
    ///   people opens it, or where its owner shows it to the market. One of its people is who is at this moment a customer, a verified provider or an admin there
    ///   and is not banned: a token knows roles from minutes ago, and a provider who was rejected is none.
    func callAsFunction(
        _ id: UUID, for reader: UUID, in market: String, at now: Date
    ) async throws -> PublicPerson? {
        let (person, readers) = try await pool.withTransaction(.readOnly) { transaction in
            let person = try await transaction.queryAll(
                FindAccount(account: id), ListRoles(account: id), ListBans(account: id), FindContact(account: id),
                ListRatingSums(account: id, market: market),
                FindOpenedContact(one: reader, other: id, market: market, now: now),
                FindPublishedContact(account: id, market: market))
            let readers = try await transaction.queryAll(
                FindAccount(account: reader), ListRoles(account: reader), ListBans(account: reader))
            return (person, readers)
        }
        let (rows, roles, bans, contacts, ratings, opened, pages) = person
        let readerRoles = readers.0.first?.account(roles: readers.1.compactMap { $0 }, bans: readers.2).roles(at: now)
            .filter { $0.market == market || $0.market == "*" }
        let isKnown = readerRoles?.isEmpty == false
        let isOfMarket = readerRoles?.contains { $0.kind != .provider || $0.isVerified } == true
        let isOpen = reader == id || isOfMarket && onboarding(market).opensContact || isKnown && !opened.isEmpty
        let page = isOfMarket && onboarding(market).publishesContact ? pages.first ?? .none : .none
        guard let row = rows.first, row.isConfirmed, let contact = contacts.first else { return nil }
        let account = row.account(roles: roles.compactMap { $0 }, bans: bans)
        let parts = account.roles(at: now).filter { $0.market == market && !$0.isStaff }
        guard !parts.isEmpty else { return nil }
        return PublicPerson(
            account: account, roles: parts,
            email: isOpen || page.email ? try contact.email.map { try cipher.open($0, .email, of: id) } : nil,
            mobile: isOpen || page.mobile ? try contact.mobile.map { try cipher.open($0, .mobile, of: id) } : nil,
            ratings: ratings)
    }
}
