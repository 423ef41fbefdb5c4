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
}
