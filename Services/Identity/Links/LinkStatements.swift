import Foundation
import Postgres

/// As ``RowReader/nextLink()`` reads them.
private let linkColumns: SQL = "id, kind, market, from_account, to_account, scopes, state, blocked_by_asker"

/// Inserts a link. No row when the two already have such a link, or one of them has the maximum of links. The caller
/// has locked both accounts, otherwise two requests at once would not count each other's link.
struct InsertLink: Statement {
    static let sql: SQL = """
        INSERT INTO links (id, kind, market, from_account, to_account, scopes, state, asked_at, confirmed_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
        WHERE (SELECT count(*) FROM links WHERE from_account = $4 OR to_account = $4) < $10
            AND (SELECT count(*) FROM links WHERE from_account = $5 OR to_account = $5) < $10
        ON CONFLICT DO NOTHING RETURNING id
        """
    let link: Link
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            link.id, link.kind.rawValue, link.market, link.from, link.to, link.scopes.map(\.rawValue).sorted(),
            link.state.rawValue, now, link.state == .confirmed ? now : nil, Link.maximum)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The existing link of a pair.
struct FindLinkOfPair: Statement {
    static let sql: SQL = """
        SELECT \(linkColumns) FROM links
        WHERE least(from_account, to_account) = least($1::uuid, $2::uuid)
            AND greatest(from_account, to_account) = greatest($1::uuid, $2::uuid)
            AND kind = $3 AND coalesce(market, '') = coalesce($4, '')
        """
    let link: Link

    func bind(_ bindings: inout Bindings) { bindings.append(link.from, link.to, link.kind.rawValue, link.market) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Link? { try row.nextLink() }
}

/// Whether the other account has blocked the asking account, as a friend.
struct IsBlocked: Statement {
    static let sql: SQL = """
        SELECT EXISTS (
            SELECT FROM links
            WHERE least(from_account, to_account) = least($1::uuid, $2::uuid)
                AND greatest(from_account, to_account) = greatest($1::uuid, $2::uuid)
                AND state = 'blocked' AND CASE WHEN blocked_by_asker THEN from_account ELSE to_account END = $2)
        """
    let asking: UUID
    let other: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(asking, other) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Bool { try row.next() }
}

/// Finds a link without a lock, for its people and market, which never change.
struct FindLink: Statement {
    static let sql: SQL = """
        SELECT \(linkColumns) FROM links WHERE id = $1
        """
    let link: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(link) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Link? { try row.nextLink() }
}

/// Locks a link's row until the commit, so that its changes and the events about them have one order.
struct LockLink: Statement {
    static let sql: SQL = """
        SELECT \(linkColumns) FROM links WHERE id = $1 FOR UPDATE
        """
    let link: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(link) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Link? { try row.nextLink() }
}

/// Locks all links of an account in one order. Links in every state are locked, so an agreement in progress is waited
/// for.
struct LockLinks: Statement {
    static let sql: SQL = """
        SELECT \(linkColumns) FROM links
        WHERE (from_account = $1 OR to_account = $1) ORDER BY id FOR UPDATE
        """
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Link? { try row.nextLink() }
}

extension RowReader {
    /// Nil for a kind or a state that only a later version of the program knows.
    mutating func nextLink() throws(PostgresError) -> Link? {
        let id = try next(UUID.self)
        let kind = Link.Kind(rawValue: try next())
        let market = try next(String?.self)
        let from = try next(UUID.self)
        let to = try next(UUID.self)
        let scopes = try next([String].self).compactMap(Link.Scope.init)
        let state = Link.State(rawValue: try next())
        let blockedByAsker = try next(Bool?.self)
        guard let kind, let state else { return nil }
        return Link(
            id: id, kind: kind, market: market, from: from, to: to, scopes: Set(scopes), state: state,
            blockedBy: blockedByAsker.map { $0 ? from : to })
    }
}

struct MoveLink: Statement {
    static let sql: SQL =
        "UPDATE links SET state = $2, confirmed_at = $3, blocked_by_asker = $4 WHERE id = $1"
    let link: Link
    let now: Date

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            link.id, link.state.rawValue, link.state == .confirmed ? now : nil, link.blockedBy.map { $0 == link.from })
    }
}

struct DeleteLink: Statement {
    static let sql: SQL = "DELETE FROM links WHERE id = $1"
    let link: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(link) }
}

/// Counts a request before it is answered, and returns the count of the day.
struct CountLinkAsk: Statement {
    static let sql: SQL = """
        INSERT INTO link_asks (account, day, count) VALUES ($1, ($2::timestamptz AT TIME ZONE 'UTC')::date, 1)
        ON CONFLICT (account, day) DO UPDATE SET count = link_asks.count + 1 RETURNING count
        """
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int32 { try row.next() }
}

struct PurgeLinkAsks: Statement {
    static let sql: SQL = """
        DELETE FROM link_asks WHERE (account, day) IN (
            SELECT account, day FROM link_asks WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date LIMIT $2
            FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// The account that has proved the mobile number.
struct FindByMobile: Statement {
    static let sql: SQL = """
        SELECT id FROM accounts WHERE mobile_hash = $1 AND mobile_proved_at IS NOT NULL AND confirmed_at IS NOT NULL
        """
    let mobileHash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(mobileHash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// The account that has proved the e-mail address.
struct FindByEmail: Statement {
    static let sql: SQL = """
        SELECT id FROM accounts WHERE email_hash = $1 AND email_proved_at IS NOT NULL AND confirmed_at IS NOT NULL
        """
    let emailHash: [UInt8]
    func bind(_ bindings: inout Bindings) { bindings.append(emailHash) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> UUID { try row.next() }
}

/// An account's links with data of the other person. Places are given for confirmed friends only, and whom a link blocks
/// has none.
struct ListLinks: Statement {
    static let sql: SQL = """
        SELECT l.id, l.kind, l.market, l.from_account, l.to_account, l.scopes, l.state, l.blocked_by_asker,
            a.name, a.mobile,
            p.place, p.shared_at, p.expires_at
        FROM links l
        JOIN accounts a ON a.id = CASE WHEN l.from_account = $1 THEN l.to_account ELSE l.from_account END
        LEFT JOIN shared_places p
            ON p.account = a.id AND l.kind = 'friend' AND l.state = 'confirmed' AND p.expires_at > $2
                AND p.is_visible
        WHERE (l.from_account = $1 OR l.to_account = $1)
            AND l.blocked_by_asker IS NOT DISTINCT FROM (CASE WHEN l.state = 'blocked' THEN l.from_account = $1 END)
        ORDER BY l.id LIMIT $3
        """
    let account: UUID
    let now: Date
    let limit: Int

    struct Line: Sendable {
        let link: Link
        let name: String
        let mobile: [UInt8]?
        let place: [UInt8]?
        let sharedAt: Date?
        let expiresAt: Date?
    }

    func bind(_ bindings: inout Bindings) { bindings.append(account, now, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Line? {
        guard let link = try row.nextLink() else { return nil }
        return Line(
            link: link, name: try row.next(), mobile: try row.next(), place: try row.next(), sharedAt: try row.next(),
            expiresAt: try row.next())
    }
}

/// The families of a market in one state, in the order in which they were asked for.
struct ListMarketLinks: Statement {
    static let sql: SQL = """
        SELECT l.id, l.kind, l.market, l.from_account, l.to_account, l.scopes, l.state, l.blocked_by_asker,
            f.name, t.name, l.asked_at
        FROM links l JOIN accounts f ON f.id = l.from_account JOIN accounts t ON t.id = l.to_account
        WHERE l.market = $1 AND l.state = $2 AND (l.asked_at, l.id) > ($3, $4)
        ORDER BY l.asked_at, l.id LIMIT $5
        """
    let market: String
    let state: Link.State
    let after: TimePosition
    let limit: Int

    struct Line: Sendable {
        let link: Link
        let fromName: String
        let toName: String
        let askedAt: Date
    }

    func bind(_ bindings: inout Bindings) { bindings.append(market, state.rawValue, after.time, after.id, limit) }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> Line? {
        guard let link = try row.nextLink() else { return nil }
        return Line(link: link, fromName: try row.next(), toName: try row.next(), askedAt: try row.next())
    }
}

struct PutSharedPlace: Statement {
    static let sql: SQL = """
        INSERT INTO shared_places (account, place, is_visible, shared_at, expires_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account) DO UPDATE SET
            place = excluded.place, is_visible = excluded.is_visible, shared_at = excluded.shared_at,
            expires_at = excluded.expires_at
        """
    let account: UUID
    let place: [UInt8]
    let isVisible: Bool
    let now: Date
    let expiresAt: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, place, isVisible, now, expiresAt) }
}

struct DeleteSharedPlace: Statement {
    static let sql: SQL = "DELETE FROM shared_places WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// Deletes a shared place that has ended; one that was prolonged stays.
struct EndSharedPlace: Statement {
    static let sql: SQL = "DELETE FROM shared_places WHERE account = $1 AND expires_at <= $2"
    let account: UUID
    let now: Date

    func bind(_ bindings: inout Bindings) { bindings.append(account, now) }
}

struct PurgeSharedPlaces: Statement {
    static let sql: SQL = """
        DELETE FROM shared_places WHERE account IN (
            SELECT account FROM shared_places WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        """
    let before: Date
    let limit: Int

    func bind(_ bindings: inout Bindings) { bindings.append(before, limit) }
}

/// The names of a link's two people as they are now. No row when one of them is being deleted.
struct FindNamesOfLink: Statement {
    static let sql: SQL = """
        SELECT f.name, t.name FROM accounts AS f, accounts AS t WHERE f.id = $1 AND t.id = $2
        """
    struct Names {
        let from: String
        let to: String
    }
    let link: Link
    func bind(_ bindings: inout Bindings) { bindings.append(link.from, link.to) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Names {
        Names(from: try row.next(), to: try row.next())
    }
}
