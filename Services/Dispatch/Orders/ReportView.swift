import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A report as the parties of its order see it.
struct ReportView: ResponseEncodable, Encodable, Sendable {
    let report: String
    let order: String
    let by: OrderSnapshot.Actor
    let reason: String
    /// The reason in the market's words.
    let reasonText: String
    let note: String?
    let cancels: Bool
    /// Whether an admin still has to decide about the order's money.
    let awaitsDecision: Bool
    let at: Date
    let answer: String?
    let answeredAt: Date?
    /// About the words of the note; nil without any.
    let warnings: [WarningView]?

    init(_ report: StoredReport, of order: Order, in market: Market?, language: String) {
        self.report = report.id.text
        self.order = order.id.text
        by = OrderSnapshot.Actor(report.by)
        reason = report.reason
        reasonText = market?.words(for: report.reason)?.text(in: language) ?? report.reason
        note = report.note
        cancels = report.cancels
        awaitsDecision = order.report == report.id && order.state == .disputed
        at = report.at
        answer = report.answer
        answeredAt = report.answeredAt
        warnings = WarningView.of([report.note], in: order.market, language)
    }
}

struct ReportListView: ResponseEncodable, Encodable, Sendable {
    let items: [ReportView]
}

extension ReportOrder.Input {
    /// - Throws: a 422 ``Problem`` with every wrong field.
    init(_ form: Form) throws(Problem) {
        let reason = form.string("reason", length: 1...100)
        let note = form.string("note", length: 1...1_000, lines: true, required: false)
        let cancels = form.bool("cancels")
        guard let reason, let cancels, form.isValid else { throw form.problem }
        self.init(reason: reason, note: note, cancels: cancels)
    }
}

extension ReportOrder.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknownReason: .invalidFields([FieldProblem("reason", "unknown-reason")])
        case .noteMissing: .invalidFields([FieldProblem("note", "required")])
        case .tooMany:
            Problem(
                "too-many-reports", status: .conflict, arguments: ["maximum": String(ReportOrder.maximum)])
        }
    }
}
