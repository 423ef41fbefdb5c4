import Contracts
import Foundation
import Messaging
import Postgres

/// Keeps in the audit log what admins, and operators at the command line, did in other services.
enum RecordAdminAct {
    static func granted(_ event: AdminGranted, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity", action: "admin.granted",
                    account: nil, subject: event.account.account.text, before: nil,
                    after: try AuditEntry.values(["name": event.account.name]))))
    }

    static func verified(_ event: ProviderVerified, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: "provider.verified", account: event.by, subject: event.account.account.text, before: nil,
                    after: try AuditEntry.values(["name": event.account.name]))))
    }

    static func rejected(_ event: ProviderRejected, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: "provider.rejected", account: event.by, subject: event.account.account.text, before: nil,
                    after: try AuditEntry.values(["name": event.account.name, "reason": event.reason]))))
    }
}
