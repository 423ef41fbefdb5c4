import Contracts
import Foundation
import Postgres

/// Confirmed accounts after an id, in the order of their ids, with the time at which other services first learned of
/// each.
struct ListAccountsToTell: Statement {
    static let sql: SQL = """
        SELECT id, version, name, gender, language, confirmed_at IS NOT NULL, wants_mail, wants_sms, wants_push, avatar,
            CASE WHEN confirms_by IS NULL THEN registered_at ELSE confirmed_at END
        FROM accounts WHERE ($1::uuid IS NULL OR id > $1) AND confirmed_at IS NOT NULL ORDER BY id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: AccountRow, registeredAt: Date) {
        (try AccountRow(&row), try row.next())
    }
}

/// The same as ``ListRoles``, for several accounts.
struct ListRolesOfAccounts: Statement {
    static let sql: SQL = """
        SELECT account, market, role, title, state, reason, vehicle, car::text FROM roles WHERE account = ANY ($1::uuid[])
        ORDER BY account, requested_at, market, role
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, role: Role?) {
        (try row.next(), try ListRoles.decode(&row))
    }
}

/// The same as ``ListBans``, for several accounts, with the time of each ban.
struct ListBansOfAccounts: Statement {
    static let sql: SQL = """
        SELECT account, banned_at, market, reason, until FROM bans WHERE account = ANY ($1::uuid[])
        ORDER BY account, market
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (account: UUID, bannedAt: Date, ban: Ban) {
        (try row.next(), try row.next(), try ListBans.decode(&row))
    }
}

/// Confirmed links after an id, in the order of their ids.
struct ListLinksToTell: Statement {
    static let sql: SQL = """
        SELECT id, market, from_account, to_account, scopes FROM links
        WHERE ($1::uuid IS NULL OR id > $1) AND state = 'confirmed' ORDER BY id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LinksTold.Link {
        LinksTold.Link(
            link: try row.next(), market: try row.next(), from: try row.next(), to: try row.next(),
            scopes: try row.next([String].self).sorted())
    }
}
