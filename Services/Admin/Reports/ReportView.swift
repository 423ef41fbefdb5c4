import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A report in the view of a market's admins.
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
    /// The number of times that the market's time for a decision was over.
    let reminders: Int
    let decision: String?
    let decisionText: String?
    /// In minor units of the order's currency.
    let toCustomer: Int?
    /// The reason of the decision, or the answer.
    let reply: String?
    let closedBy: PersonView?
    let closedAt: Date?

    init(_ row: ReportRow, in known: Market?, language: Language) {
        report = row.id.text
        order = row.order.text
        market = row.market
        by = row.by
        person = PersonView(account: row.account.text, name: row.name)
        reason = row.reason
        reasonText = known?.words(for: row.reason)?.text(in: language.rawValue) ?? row.reason
        note = row.note
        cancels = row.cancels
        awaitsDecision = row.awaitsDecision
        at = row.at
        state = row.state
        reminders = row.reminders
        decision = row.decision
        decisionText = row.decision.flatMap(ReportDecided.Decision.init).map {
            Market.words(for: $0).text(in: language.rawValue)
        }
        toCustomer = row.toCustomer
        reply = row.reply
        closedBy = row.closedBy.map { PersonView(account: $0.text, name: row.closerName) }
        closedAt = row.closedAt
    }
}

/// How many reports wait for a market's admins.
struct WaitingReportsView: ResponseEncodable, Encodable, Sendable {
    let reports: Int
}

/// A report with all reports of its order, and the order.
struct ReportDetailsView: ResponseEncodable, Encodable, Sendable {
    let report: ReportView
    /// All reports of the order, including this one, oldest first.
    let words: [ReportView]
    /// Absent until the order's own events have arrived.
    let order: OrderView?

    init(
        _ report: ReportRow, _ reports: [ReportRow], _ order: OrderRow?, in market: Market?, language: Language
    ) throws {
        self.report = ReportView(report, in: market, language: language)
        words = reports.map { ReportView($0, in: market, language: language) }
        self.order = try order.map { try OrderView($0, in: market, language: language) }
    }
}
