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
    /// `provider.rejected`, `account.banned`, `account.unbanned`, `admin.granted`, `admin.revoked`,
    /// `support.granted`, `support.revoked`, `account.created`, `account.sessions-ended`, `account.changed`,
    /// `account.removed`, `account.deleted`, `account.invited`, `account.kept`, `account.removal-refused`,
    /// `account.second-factor-reset`, `account.role-given`, `account.contact-corrected`, `account.title-declined`,
    /// `link.confirmed`, `link.removed`, `report.decided`, `report.answered`, `list.viewed`, `list.exported`.
    /// ``RecordAdminAct`` has the others.
    let action: String
    /// The admin; nil for an operator at the command line.
    let account: UUID?
    /// The key of the setting, or the id of the account, order, report or other thing that was changed or read.
    let subject: String
    let before: PostgresJSON?
    let after: PostgresJSON?

    /// Whether the act with this name was a look, by which nothing changed. Lists leave looks out unless they are asked for.
    static func isLook(_ action: String) -> Bool { action.hasSuffix(".viewed") || action.hasSuffix(".exported") }

    static func values(_ values: [String: String]) throws -> PostgresJSON {
        PostgresJSON(try JSON.wire.encode(values))
    }

    /// An admin's look at one order.
    static func look(at order: UUID, in market: String, by admin: UUID, now: Date) -> AuditEntry {
        AuditEntry(
            id: .timeOrdered(), at: now, market: market, service: AdminService.name, action: "order.viewed",
            account: admin, subject: order.text, before: nil, after: nil)
    }

    /// The entry of a master admin's act upon dead messages of a service.
    static func deadMessage(
        _ id: UUID, _ act: String, _ message: UUID?, _ details: [String: String], by admin: UUID, of service: String,
        at now: Date
    ) throws -> AuditEntry {
        AuditEntry(
            id: id, at: now, market: "*", service: service, action: "dead-message.\(act)", account: admin,
            subject: message?.text ?? service, before: nil, after: try values(details))
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
