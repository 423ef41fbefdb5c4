public import Foundation
public import Messaging

/// An admin answered a report that needs no decision.
public struct ReportAnswered: Message {
    public static let name: MessageName = "admin.report.answered.v1"
    public var report: UUID
    public var order: UUID
    public var market: String
    /// The account that reported.
    public var account: UUID
    public var answer: String
    /// The admin's account.
    public var by: UUID
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        report: UUID, order: UUID, market: String, account: UUID, answer: String, by: UUID, at: Date
    ) {
        self.report = report
        self.order = order
        self.market = market
        self.account = account
        self.answer = answer
        self.by = by
        self.at = at
    }
}
