import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// An act of an admin or an operator.
struct AuditEntry: Sendable {
    let id: UUID
    let at: Date
    let market: String
    /// The service that owns the changed data.
    let service: String
    /// The act, for example `setting.changed`, `setting.proposed`, `setting.withdrawn`, `provider.verified`,
    /// `provider.rejected`, `account.banned`, `account.unbanned`, `admin.granted`, `admin.revoked`, `account.created`,
    /// `account.changed`, `account.removed`, `account.deleted`, `account.invited`, `account.kept`,
    /// `account.removal-refused`, `account.second-factor-reset`, `account.role-given`,
    /// `account.contact-corrected`, `account.title-declined`, `link.confirmed`,
    /// `link.removed`, `report.decided`, `report.answered`, `list.viewed`, `list.exported`. ``RecordAdminAct`` has the
    /// others.
    let action: String
    /// The admin; nil for an operator at the command line.
    let account: UUID?
    /// The key of the setting, or the id of the account, order, report or other thing that was changed or read.
    let subject: String
    let before: PostgresJSON?
    let after: PostgresJSON?

    static func values(_ values: [String: String]) throws -> PostgresJSON {
        PostgresJSON(try JSON.wire.encode(values))
    }

    /// An admin's look at one order.
    static func look(at order: UUID, in market: String, by admin: UUID, now: Date) -> AuditEntry {
        AuditEntry(
            id: .timeOrdered(), at: now, market: market, service: AdminService.name, action: "order.viewed",
            account: admin, subject: order.text, before: nil, after: nil)
    }

    /// An admin's look at a list of this service.
    static func read(_ read: RecordedRead, at now: Date) throws -> AuditEntry {
        AuditEntry(
            id: .timeOrdered(), at: now, market: read.market, service: AdminService.name,
            action: read.isFile ? "list.exported" : "list.viewed", account: read.by, subject: read.list, before: nil,
            after: try values(read.filter))
    }
}

struct InsertAudit: Statement {
    static let sql: SQL = """
        INSERT INTO audit (id, at, market, service, action, account, subject, before, after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO NOTHING
        """
    let entry: AuditEntry

    init(_ entry: AuditEntry) { self.entry = entry }

    func bind(_ bindings: inout Bindings) {
        bindings.append(
            entry.id, entry.at, entry.market, entry.service, entry.action, entry.account, entry.subject, entry.before,
            entry.after)
    }
}

/// An entry with the present names of the admin and of the person that it is about, if they are known.
struct AuditRow: Sendable {
    let entry: AuditEntry
    let name: String?
    let subjectName: String?

    init(_ row: inout RowReader) throws(PostgresError) {
        entry = AuditEntry(
            id: try row.next(), at: try row.next(), market: try row.next(), service: try row.next(),
            action: try row.next(), account: try row.next(), subject: try row.next(), before: try row.next(),
            after: try row.next())
        name = try row.next()
        subjectName = try row.next()
    }
}

/// The account that an entry of `audit AS a` is about, as an SQL expression; null for other subjects.
private enum AuditSubject {
    static let account: SQL = """
        CASE WHEN a.subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN a.subject::uuid END
        """
}

/// Lists entries of some markets, newest first: reads each market's newest by its index, then the newest of these.
struct ListAuditOfMarkets: Statement {
    static let sql: SQL = """
        SELECT a.id, a.at, a.market, a.service, a.action, a.account, a.subject, a.before, a.after, p.name,
            about.name
        FROM unnest($1::text[]) AS m (market)
        CROSS JOIN LATERAL (
            SELECT * FROM audit
            WHERE audit.market = m.market AND (audit.at, audit.id) < ($2, $3)
            ORDER BY audit.at DESC, audit.id DESC LIMIT $4
        ) AS a
        LEFT JOIN people AS p ON p.account = a.account
        LEFT JOIN people AS about ON about.account = \(AuditSubject.account)
        ORDER BY a.at DESC, a.id DESC LIMIT $4
        """
    let markets: [String]
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        bindings.append(markets)
        before.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AuditRow { try AuditRow(&row) }
}

struct ListAudit: Statement {
    static let sql: SQL = """
        SELECT a.id, a.at, a.market, a.service, a.action, a.account, a.subject, a.before, a.after, p.name,
            about.name
        FROM audit AS a
        LEFT JOIN people AS p ON p.account = a.account
        LEFT JOIN people AS about ON about.account = \(AuditSubject.account)
        WHERE (a.at, a.id) < ($1, $2)
        ORDER BY a.at DESC, a.id DESC LIMIT $3
        """
    let before: ListPosition
    let limit: Int
    func bind(_ bindings: inout Bindings) {
        before.bind(&bindings)
        bindings.append(limit)
    }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> AuditRow { try AuditRow(&row) }
}
