import Contracts
import Foundation
import Postgres

struct InsertAccount: Statement {
    static let sql: SQL = """
        INSERT INTO accounts
            (id, version, name, gender, language, email, email_hash, mobile, mobile_hash, registered_at, confirms_by,
            confirmed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        """
    let account: Account
    let email: [UInt8]
    let emailHash: [UInt8]
    let mobile: [UInt8]
    let mobileHash: [UInt8]
    let confirmation: Market.Confirmation
    /// Whether the account is confirmed before any proof, as an invited one is.
    var isConfirmed = false
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            account.id, account.version, account.name.text, account.gender?.rawValue, account.language.rawValue, email,
            emailHash, mobile, mobileHash, now, confirmation == .none ? nil : confirmation.rawValue,
            confirmation == .none || isConfirmed ? now : nil)
    }
}

/// Finds the accounts that have this e-mail address or this mobile number, and says whether they hold it. An account
/// holds a contact that it has proved, or that its pending confirmation will prove. An account that was confirmed by
/// something else does not hold an unproved contact.
struct FindTaken: Statement {
    static let sql: SQL = """
        SELECT id, coalesce(email_hash = $1, false), coalesce(mobile_hash = $2, false),
            email_proved_at IS NOT NULL OR coalesce(confirms_by = 'email' AND confirmed_at IS NULL, false),
            mobile_proved_at IS NOT NULL OR coalesce(confirms_by = 'sms' AND confirmed_at IS NULL, false),
            coalesce(confirms_by = 'email' AND confirmed_at IS NOT NULL AND email_proved_at IS NULL, false)
        FROM accounts WHERE email_hash = $1 OR mobile_hash = $2
        """
    let emailHash: [UInt8]
    let mobileHash: [UInt8]

    struct Row: Sendable, Equatable {
        let account: UUID
        let email: Bool
        let mobile: Bool
        let holdsEmail: Bool
        let holdsMobile: Bool
        /// An admin made the account, and its owner has not used the invitation in the mail yet.
        let isInvited: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(emailHash, mobileHash) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            account: try row.next(), email: try row.next(), mobile: try row.next(), holdsEmail: try row.next(),
            holdsMobile: try row.next(), isInvited: try row.next())
    }
}

/// An account's row without its roles.
struct AccountRow: Sendable {
    let id: UUID
    let version: Int
    let name: String
    let gender: String?
    let language: String
    let isConfirmed: Bool
    let choices: NoticeChoices
    let avatar: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        id = try row.next()
        version = try row.next()
        name = try row.next()
        gender = try row.next()
        language = try row.next()
        isConfirmed = try row.next()
        choices = NoticeChoices(mail: try row.next(), sms: try row.next(), push: try row.next())
        avatar = try row.next()
    }

    func account(roles: [Role], bans: [Ban]) -> Account {
        Account(
            id: id, version: version, name: PersonName(stored: name), gender: gender.flatMap(Account.Gender.init),
            language: Account.Language(rawValue: language), roles: roles, bans: bans, choices: choices,
            avatar: avatar)
    }
}

/// Locks the account's row until the commit, so that its changes and the events about them have one order.
struct LockAccount: Statement {
    static let sql: SQL = """
        SELECT id, version, name, gender, language, confirmed_at IS NOT NULL, wants_mail, wants_sms, wants_push, avatar
        FROM accounts WHERE id = $1 FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AccountRow { try AccountRow(&row) }
}

struct FindAccount: Statement {
    static let sql: SQL = """
        SELECT id, version, name, gender, language, confirmed_at IS NOT NULL, wants_mail, wants_sms, wants_push, avatar
        FROM accounts WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AccountRow { try AccountRow(&row) }
}

struct UpdateAccount: Statement {
    static let sql: SQL = """
        UPDATE accounts SET version = $2, name = $3, gender = $4, language = $5, wants_mail = $6, wants_sms = $7,
            wants_push = $8, avatar = $9
        WHERE id = $1
        """
    let account: Account

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            account.id, account.version, account.name.text, account.gender?.rawValue, account.language.rawValue,
            account.choices.mail, account.choices.sms, account.choices.push, account.avatar)
    }
}

/// Contact data that only the owner of the account sees.
struct FindContact: Statement {
    static let sql: SQL = """
        SELECT email, mobile, email_proved_at IS NOT NULL, mobile_proved_at IS NOT NULL, registered_at
        FROM accounts WHERE id = $1
        """
    let account: UUID

    struct Row: Sendable {
        /// Nil for a person who signs in with Nafath and has given no address.
        let email: [UInt8]?
        /// Nil when another account has taken the number.
        let mobile: [UInt8]?
        let emailIsProved: Bool
        let mobileIsProved: Bool
        let registeredAt: Date

        /// Whether the mobile number alone is proved: the e-mail address may belong to a stranger.
        var provesByMobileAlone: Bool { mobile != nil && mobileIsProved && !emailIsProved }
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(
            email: try row.next(), mobile: try row.next(), emailIsProved: try row.next(),
            mobileIsProved: try row.next(), registeredAt: try row.next())
    }
}
