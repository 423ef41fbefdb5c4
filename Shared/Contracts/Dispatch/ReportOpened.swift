public import Foundation
public import Messaging

/// A party of an order reported it to the market's admins.
public struct ReportOpened: Message {
    public static let name: MessageName = "dispatch.report.opened.v1"
    public var report: UUID
    public var order: UUID
    public var market: String
    /// The customer or the provider.
    public var by: OrderSnapshot.Actor
    public var account: UUID
    /// The id of one of the market's ``Market/ReportReason``.
    public var reason: String
    /// The person's own words.
    public var note: String?
    /// Whether the report ended the work. A complaint does not.
    public var cancels: Bool
    /// Whether the order's money waits for an admin's decision. If not, the report only needs an answer.
    public var awaitsDecision: Bool
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        report: UUID, order: UUID, market: String, by: OrderSnapshot.Actor, account: UUID, reason: String,
        note: String?, cancels: Bool, awaitsDecision: Bool, at: Date
    ) {
        self.report = report
        self.order = order
        self.market = market
        self.by = by
        self.account = account
        self.reason = reason
        self.note = note
        self.cancels = cancels
        self.awaitsDecision = awaitsDecision
        self.at = at
    }
}
