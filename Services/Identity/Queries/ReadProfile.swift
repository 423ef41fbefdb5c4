import Foundation
import Postgres

/// An account with what only its owner sees.
struct Profile: Sendable {
    let account: Account
    /// Nil where none was given.
    let email: String?
    let mobile: String
    let registeredAt: Date
}

struct ReadProfile: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    /// Nil when there is no such account.
    func callAsFunction(_ id: UUID) async throws -> Profile? {
        try await pool.withTransaction(.readOnly) { transaction in try await read(id, in: transaction) }
    }

    func read(_ id: UUID, in transaction: PostgresTransaction) async throws -> Profile? {
        let (rows, roles, bans, contacts) = try await transaction.queryAll(
            FindAccount(account: id), ListRoles(account: id), ListBans(account: id), FindContact(account: id))
        guard let row = rows.first, let contact = contacts.first else { return nil }
        return Profile(
            account: row.account(roles: roles.compactMap { $0 }, bans: bans),
            email: try contact.email.map { try cipher.open($0, .email, of: id) },
            mobile: try cipher.open(contact.mobile, .mobile, of: id), registeredAt: contact.registeredAt)
    }
}
