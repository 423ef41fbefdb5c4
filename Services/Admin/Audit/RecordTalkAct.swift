import Contracts
import Foundation
import Messaging
import Postgres

extension RecordAdminAct {
    /// Records what an admin did about an inquiry or a reported message, without its words.
    static func managed(_ event: TalkManaged, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "notifications",
                    action: event.act.rawValue, account: event.by, subject: event.subject.text, before: nil,
                    after: nil)))
    }

    /// Records what an admin did about a general notice: whom it goes to and when, without its words.
    static func managed(_ event: NoticeManaged, message: UUID, in transaction: PostgresTransaction) throws {
        var told = ["audience": event.audience, "dueAt": event.dueAt.ISO8601Format()]
        told["title"] = event.title
        told["language"] = event.language
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "notifications",
                    action: event.act.rawValue, account: event.by, subject: event.notice.text, before: nil,
                    after: try AuditEntry.values(told))))
    }

    /// Records that an admin took, gave back or ended something that waits for a market's admins.
    static func managed(_ event: AdminItemManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "notifications",
                    action: event.act.rawValue, account: event.by, subject: event.subject.text, before: nil,
                    after: try AuditEntry.values(["kind": event.kind]))))
    }
}
