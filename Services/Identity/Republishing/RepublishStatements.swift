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

/// Confirmed links after an id, in the order of their ids. Of friends with their names.
struct ListLinksToTell: Statement {
    static let sql: SQL = """
        SELECT l.id, l.market, l.from_account, l.to_account, l.scopes, CASE WHEN l.kind = 'friend' THEN f.name END,
            CASE WHEN l.kind = 'friend' THEN t.name END
        FROM links AS l JOIN accounts AS f ON f.id = l.from_account JOIN accounts AS t ON t.id = l.to_account
        WHERE ($1::uuid IS NULL OR l.id > $1) AND l.state = 'confirmed' ORDER BY l.id LIMIT $2
        """
    let after: UUID?
    let limit: Int
    func bind(_ bindings: inout Bindings) { bindings.append(after, limit) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> LinksTold.Link {
        LinksTold.Link(
            link: try row.next(), market: try row.next(), from: try row.next(), to: try row.next(),
            scopes: try row.next([String].self).sorted(), fromName: try row.next(), toName: try row.next())
    }
}
