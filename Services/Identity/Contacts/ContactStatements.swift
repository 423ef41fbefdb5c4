import Foundation
import Postgres

/// An e-mail address or a mobile number by its keyed hash.
struct ContactHash: Hashable, Sendable {
    let kind: NewContact.Kind
    let hash: [UInt8]

    fileprivate var email: [UInt8]? { kind == .email ? hash : nil }
    fileprivate var mobile: [UInt8]? { kind == .mobile ? hash : nil }
}

/// Takes an advisory lock until the commit, so that all operations on one contact run one after the other. Must be
/// taken before any account is locked; several are taken in the order of their bytes.
struct LockContact: Statement {
    static let sql: SQL =
        "SELECT pg_advisory_xact_lock(hashtextextended('contact ' || encode($1, 'hex'), 0))"
    let hash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(hash) }
}

/// Locks an account and all accounts that have a contact, in the order of their ids, until the commit.
struct LockHolders: Statement {
    static let sql: SQL = """
        SELECT id, confirmed_at IS NOT NULL,
            (CASE WHEN $2::bytea IS NULL THEN mobile_proved_at ELSE email_proved_at END) IS NOT NULL
        FROM accounts WHERE id = $1 OR email_hash = $2 OR mobile_hash = $3 ORDER BY id FOR UPDATE
        """
    let account: UUID
    let contact: ContactHash

    struct Row: Sendable {
        let account: UUID
        let isConfirmed: Bool
        let isProved: Bool
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, contact.email, contact.mobile) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(account: try row.next(), isConfirmed: try row.next(), isProved: try row.next())
    }
}

/// The hashes of an account's e-mail address and mobile number.
struct FindContactHashes: Statement {
    static let sql: SQL = "SELECT email_hash, mobile_hash FROM accounts WHERE id = $1"
    let account: UUID

    struct Row: Sendable {
        let email: [UInt8]?
        let mobile: [UInt8]?

        func contact(_ kind: NewContact.Kind) -> ContactHash? {
            (kind == .email ? email : mobile).map { ContactHash(kind: kind, hash: $0) }
        }
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(email: try row.next(), mobile: try row.next())
    }
}

/// Records that the owner has proved the account's current contact.
struct ProveContact: Statement {
    static let sql: SQL = """
        UPDATE accounts SET
            email_proved_at = CASE WHEN email_hash = $2 THEN $4 ELSE email_proved_at END,
            mobile_proved_at = CASE WHEN mobile_hash = $3 THEN $4 ELSE mobile_proved_at END
        WHERE id = $1 AND (email_hash = $2 OR mobile_hash = $3)
        """
    let account: UUID
    let contact: ContactHash
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, contact.email, contact.mobile, now) }
}

/// Removes the number from an account, because another account has it now.
struct RemoveMobile: Statement {
    static let sql: SQL = """
        UPDATE accounts SET mobile = NULL, mobile_hash = NULL, mobile_proved_at = NULL WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Removes the address from an account, so that the owner of the address can have it.
struct RemoveEmail: Statement {
    static let sql: SQL = """
        UPDATE accounts SET email = NULL, email_hash = NULL, email_proved_at = NULL WHERE id = $1
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Finds the unconfirmed registration with a contact. Registrations that this contact confirms come first, then the
/// newest.
struct FindWaiting: Statement {
    static let sql: SQL = """
        SELECT id FROM accounts
        WHERE (email_hash = $1 OR mobile_hash = $2 OR mobile_hash = $3) AND confirmed_at IS NULL
        ORDER BY coalesce(mobile_hash = $3, false), confirms_by = (CASE WHEN $1::bytea IS NULL THEN 'sms' ELSE 'email' END) DESC, registered_at DESC, id
        LIMIT 1
        """
    let login: FindPassword

    func bind(_ bindings: inout Bindings) {
        bindings.append(login.emailHash, login.mobileHash, login.formerMobileHash)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}
