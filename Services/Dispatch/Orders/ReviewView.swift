import Contracts
import Foundation
import Messaging

/// The review of a reported order, beside the reason of its end (O3).
struct ReviewView: Encodable, Sendable {
    let report: String
    /// The subject of the review, or its outcome, in the reader's language.
    let text: String
    /// Since when the order waits for the decision; nil when it has been made.
    let since: Date?
    let decidedAt: Date?
    /// The admin's decision; the admin's own words are in the order's outcome.
    let decision: String?

    /// Nil for an order whose money no report holds or held.
    init?(_ order: Order, in language: String) {
        guard let report = order.report else { return nil }
        self.report = report.text
        if order.state == .disputed {
            text = Market.underReview.text(in: language)
            (since, decidedAt, decision) = (order.changedAt, nil, nil)
        } else if let ending = order.ending, let verdict = ending.verdict,
            let decided = ReportDecided.Decision(rawValue: verdict.decision.rawValue)
        {
            text = Market.words(for: decided).text(in: language)
            (since, decidedAt, decision) = (nil, ending.at, decided.rawValue)
        } else {
            return nil
        }
    }
}
