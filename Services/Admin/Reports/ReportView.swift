import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A report as a market's admins see it.
struct ReportView: Encodable, Sendable {
    let report: String
    let order: String
    let market: String
    let by: String
    let person: PersonView
    let reason: String
    /// The market's words for the reason.
    let reasonText: String
    let note: String?
    let cancels: Bool
    let awaitsDecision: Bool
    let at: Date
    let state: String
    /// How often the market's time for a decision was over.
    let reminders: Int
    let decision: String?
    /// Minor units of the order's price.
    let toCustomer: Int?
    /// The reason of the decision, or the answer.
    let reply: String?
    let closedBy: PersonView?
    let closedAt: Date?

    init(_ row: ReportRow, language: Language) {
        report = row.id.text
        order = row.order.text
        market = row.market
        by = row.by
        person = PersonView(account: row.account.text, name: row.name)
        reason = row.reason
        reasonText = Market.named(row.market)?.words(for: row.reason)?.text(in: language.rawValue) ?? row.reason
        note = row.note
        cancels = row.cancels
        awaitsDecision = row.awaitsDecision
        at = row.at
        state = row.state
        reminders = row.reminders
        decision = row.decision
        toCustomer = row.toCustomer
        reply = row.reply
        closedBy = row.closedBy.map { PersonView(account: $0.text, name: row.closerName) }
        closedAt = row.closedAt
    }
}

/// A report with all that both sides have said of the order, and the order itself.
struct ReportDetailsView: ResponseEncodable, Encodable, Sendable {
    let report: ReportView
    /// Every report of the order, this one among them, oldest first.
    let words: [ReportView]
    /// Absent as long as its own events have not come.
    let order: OrderView?

    init(_ report: ReportRow, _ reports: [ReportRow], _ order: OrderRow?, language: Language) throws {
        self.report = ReportView(report, language: language)
        words = reports.map { ReportView($0, language: language) }
        self.order = try order.map { try OrderView($0, language: language) }
    }
}
