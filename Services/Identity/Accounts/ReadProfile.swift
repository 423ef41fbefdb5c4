import Foundation
import Postgres
import SeraiJSON

/// An account with the data that only its owner sees.
struct Profile: Sendable {
    let account: Account
    /// Nil for an account without an address.
    let email: String?
    /// Nil when another account has proved the number.
    let mobile: String?
    let emailIsProved: Bool
    let mobileIsProved: Bool
    /// The new address that waits for confirmation.
    let newEmail: String?
    let newMobile: String?
    let birthDate: CalendarDate?
    /// The role that the owner used last; nil when the account no longer has it.
    let active: Role?
    let registeredAt: Date
    /// The accepted versions of terms, with the time.
    let terms: [AcceptedTerms]
    /// The accompanying adults, by market.
    let adults: [String: String]
    /// The markets in which the account has a billing address.
    var billedMarkets: Set<String> = []
}

struct AcceptedTerms: Encodable, Sendable, Equatable {
    let market: String
    let version: String
    let acceptedAt: Date
}

struct ReadProfile: Sendable {
    let pool: PostgresPool
    let cipher: PersonalDataCipher

    /// Nil for an unknown account.
    func callAsFunction(_ id: UUID, at now: Date) async throws -> Profile? {
        try await pool.withTransaction(.readOnly) { transaction in try await read(id, at: now, in: transaction) }
    }

    func read(_ id: UUID, at now: Date, in transaction: PostgresTransaction) async throws -> Profile? {
        let billed = try await transaction.query(ListBillingAddresses(account: id, market: nil))
        let (rows, roles, bans, contacts, parts, changes, terms, details) = try await transaction.queryAll(
            FindAccount(account: id), ListRoles(account: id), ListBans(account: id), FindContact(account: id),
            FindProfileParts(account: id), ListContactChanges(account: id, now: now),
            ListAcceptedTerms(account: id), ListRoleDetails(account: id))
        guard let row = rows.first, let contact = contacts.first, let part = parts.first else { return nil }
        let account = row.account(roles: roles.compactMap { $0 }, bans: bans)
        func waiting(_ kind: NewContact.Kind) throws -> String? {
            try changes.first { $0.kind == kind }.map { try cipher.open($0.value, .newContact, of: $0.id) }
        }
        return Profile(
            account: account, email: try contact.email.map { try cipher.open($0, .email, of: id) },
            mobile: try contact.mobile.map { try cipher.open($0, .mobile, of: id) },
            emailIsProved: contact.emailIsProved, mobileIsProved: contact.mobileIsProved, newEmail: try waiting(.email),
            newMobile: try waiting(.mobile), birthDate: try birthDate(part, of: id),
            active: active(part, of: account, at: now), registeredAt: contact.registeredAt, terms: terms,
            adults: try adults(details),
            billedMarkets: Set(billed.map(\.market)))
    }

    /// Of two titles the one that the owner used last, or else the first.
    private func active(_ part: FindProfileParts.Row, of account: Account, at now: Date) -> Role? {
        let all = account.roles(at: now).filter {
            $0.market == part.activeMarket && $0.kind.rawValue == part.activeRole
        }
        return all.first { $0.title == part.activeTitle } ?? all.first
    }

    private func adults(_ rows: [ListRoleDetails.Row]) throws -> [String: String] {
        try rows.filter { $0.role == Role.Kind.customer.rawValue }.reduce(into: [:]) { adults, row in
            let json = try cipher.open(bytes: row.sealed, .details, of: row.id)
            let values = try JSON.stored.decode([String: String].self, json)
            adults[row.market] = values[RoleIntake.adult]
        }
    }

    /// The account's date of birth.
    func birthDate(of id: UUID) async throws -> CalendarDate? {
        guard let part = try await pool.first(FindProfileParts(account: id)) else { return nil }
        return try birthDate(part, of: id)
    }

    func birthDate(of id: UUID, in transaction: PostgresTransaction) async throws -> CalendarDate? {
        guard let part = try await transaction.first(FindProfileParts(account: id)) else { return nil }
        return try birthDate(part, of: id)
    }

    private func birthDate(_ part: FindProfileParts.Row, of id: UUID) throws -> CalendarDate? {
        try part.birthDate.flatMap { CalendarDate(try cipher.open($0, .birthDate, of: id)) }
    }
}
