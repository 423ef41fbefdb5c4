import Contracts
import Foundation
import Messaging
import Postgres

/// Records acts of admins and command-line operators in other services in the audit log.
enum RecordAdminAct {
    /// Names are never written here: the log cannot be edited, and a reader gets them by the account's id.
    static func verified(_ event: ProviderVerified, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: "provider.verified", account: event.by, subject: event.account.account.text, before: nil,
                    after: nil)))
    }

    static func banned(_ event: AccountBanned, message: UUID, in transaction: PostgresTransaction) throws {
        var after = ["reason": event.reason]
        after["until"] = event.until.map { $0.formatted(.iso8601) }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity", action: "account.banned",
                    account: event.by, subject: event.account.text, before: nil,
                    after: try AuditEntry.values(after))))
    }

    static func unbanned(_ event: AccountUnbanned, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity", action: "account.unbanned",
                    account: event.by, subject: event.account.text, before: nil, after: nil)))
    }

    static func adminChanged(_ event: AdminChanged, message: UUID, in transaction: PostgresTransaction) {
        let rank = event.rank == "support" ? "support" : "admin"
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: event.isAdmin ? "\(rank).granted" : "\(rank).revoked", account: event.by,
                    subject: event.account.text, before: nil, after: nil)))
    }

    static func rejected(_ event: ProviderRejected, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: "provider.rejected", account: event.by, subject: event.account.account.text, before: nil,
                    after: try AuditEntry.values(["reason": event.reason]))))
    }

    /// Records a deletion by an admin only; an owner's own deletion is no act of an admin.
    static func deleted(_ event: AccountDeleted, message: UUID, in transaction: PostgresTransaction) {
        guard let admin = event.by else { return }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market ?? "*", service: "identity",
                    action: "account.deleted", account: admin, subject: event.account.text, before: nil, after: nil)))
    }

    static func managed(_ event: AccountManaged, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: "account.\(event.act.rawValue)", account: event.by, subject: event.account.text,
                    before: nil, after: nil)))
    }

    static func linked(_ event: LinkConfirmed, message: UUID, in transaction: PostgresTransaction) throws {
        guard let admin = event.by else { return }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market ?? "*", service: "identity",
                    action: "link.confirmed", account: admin, subject: event.link.text, before: nil,
                    after: try AuditEntry.values(["from": event.from.text, "to": event.to.text]))))
    }

    static func unlinked(_ event: LinkRemoved, message: UUID, in transaction: PostgresTransaction) {
        guard let admin = event.by else { return }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market ?? "*", service: "identity",
                    action: "link.removed", account: admin, subject: event.link.text, before: nil, after: nil)))
    }

    /// Reading a provider's document is recorded, too, because documents are personal.
    static func viewed(_ event: DocumentViewed, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity", action: "document.viewed",
                    account: event.by, subject: event.account.text, before: nil,
                    after: try AuditEntry.values(values(event.kind, event.document)))))
    }

    static func decided(_ event: DocumentDecided, message: UUID, in transaction: PostgresTransaction) throws {
        var after = values(event.kind, event.document)
        after["reason"] = event.reason
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "identity",
                    action: event.isVerified ? "document.verified" : "document.rejected", account: event.by,
                    subject: event.account.text, before: nil, after: try AuditEntry.values(after))))
    }

    static func decided(_ event: CashOutDecided, message: UUID, in transaction: PostgresTransaction) throws {
        var after = ["amount": String(event.amount.amount), "currency": event.amount.currency]
        after["reason"] = event.reason
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet",
                    action: event.isAccepted ? "cash-out.accepted" : "cash-out.rejected", account: event.by,
                    subject: event.cashOut.text, before: nil, after: try AuditEntry.values(after))))
    }

    static func unfrozen(_ event: WalletUnfrozen, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: "wallet.unfrozen",
                    account: event.by, subject: event.account.text, before: nil,
                    after: try AuditEntry.values(["reason": event.reason]))))
    }

    /// Records a step of an act that needs two admins, with the admin who began it or decided.
    static func changed(_ event: ApprovalChanged, message: UUID, in transaction: PostgresTransaction) throws {
        var after = [
            "kind": event.kind.rawValue, "subject": event.subject.text, "amount": String(event.amount.amount),
            "currency": event.amount.currency,
        ]
        after["reason"] = event.reason
        let act = event.state == .waiting ? "begun" : event.state.rawValue
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: "approval.\(act)",
                    account: event.by, subject: event.approval.text, before: nil,
                    after: try AuditEntry.values(after))))
    }

    /// Records that what waited for a second admin ended without one. No admin has done it.
    static func ended(_ event: ApprovalEnded, message: UUID, in transaction: PostgresTransaction) throws {
        let after = [
            "kind": event.kind, "subject": event.subject.text, "amount": String(event.amount.amount),
            "currency": event.amount.currency, "reason": event.reason, "begunBy": event.begunBy.text,
        ]
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: "approval.ended",
                    account: nil, subject: event.approval.text, before: nil, after: try AuditEntry.values(after))))
    }

    /// Records a step of writing off a debt: the first word where a second admin has to agree, the act, and a rejection.
    static func changed(_ event: WriteOffChanged, message: UUID, in transaction: PostgresTransaction) throws {
        let after = [
            "account": event.account.text, "amount": String(event.amount.amount), "currency": event.amount.currency,
            "reason": event.reason,
        ]
        let act = event.state == .waiting ? "begun" : event.state.rawValue
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: "write-off.\(act)",
                    account: event.by, subject: event.writeOff.text, before: nil,
                    after: try AuditEntry.values(after))))
    }

    static func managed(_ event: WalletManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: event.act.rawValue,
                    account: event.by, subject: event.subject.text, before: nil,
                    after: try AuditEntry.values(event.details))))
    }

    static func managed(_ event: OrderManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch",
                    action: "order.\(event.act.rawValue)", account: event.by, subject: event.order.text, before: nil,
                    after: try AuditEntry.values(event.details))))
    }

    static func managed(_ event: SeriesManaged, message: UUID, in transaction: PostgresTransaction) throws {
        let details = event.details.merging(["customer": event.customer.text]) { first, _ in first }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch",
                    action: "series.\(event.act.rawValue)", account: event.by, subject: event.series.text, before: nil,
                    after: try AuditEntry.values(details))))
    }

    static func managed(_ event: RackManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch",
                    action: "rack.\(event.act.rawValue)", account: event.by, subject: event.rack.text, before: nil,
                    after: try AuditEntry.values(event.details))))
    }

    static func managed(_ event: BikeManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch",
                    action: "bike.\(event.act.rawValue)", account: event.by, subject: event.bike.text, before: nil,
                    after: try AuditEntry.values(event.details))))
    }

    static func managed(_ event: RestaurantManaged, message: UUID, in transaction: PostgresTransaction) throws {
        let details = event.details.merging(["owner": event.owner.text]) { first, _ in first }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch",
                    action: "restaurant.\(event.act.rawValue)", account: event.by, subject: event.restaurant.text,
                    before: nil, after: try AuditEntry.values(details))))
    }

    static func viewed(_ event: TrailViewed, message: UUID, in transaction: PostgresTransaction) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "dispatch", action: "trail.viewed",
                    account: event.by, subject: event.order.text, before: nil, after: nil)))
    }

    /// Records what a master admin did to dead messages of another service.
    static func managed(_ event: some DeadMessageManaged, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                try AuditEntry.deadMessage(
                    message, event.act, event.message, event.details, by: event.by,
                    of: type(of: event).name.service, at: event.at)))
    }

    /// Records that a list of people was read, with its filter but without its content.
    static func viewed(_ event: some ListViewed, message: UUID, in transaction: PostgresTransaction) throws {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: type(of: event).name.service,
                    action: event.isFile ? "list.exported" : "list.viewed", account: event.by, subject: event.list,
                    before: nil, after: try AuditEntry.values(event.filter))))
    }

    static func refunded(_ event: PaymentRefunded, message: UUID, in transaction: PostgresTransaction) throws {
        var after = [
            "refund": event.refund.text, "amount": "\(event.amount.amount) \(event.amount.currency)",
            "to": event.to.rawValue, "fundedBy": event.fundedBy.rawValue, "reason": event.reason,
        ]
        after["funder"] = event.funder?.text
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: message, at: event.at, market: event.market, service: "wallet", action: "payment.refunded",
                    account: event.by, subject: event.order.text, before: nil, after: try AuditEntry.values(after))))
    }

    private static func values(_ kind: String, _ document: UUID?) -> [String: String] {
        var values = ["kind": kind]
        values["document"] = document?.text
        return values
    }
}
