public import Foundation
public import Messaging

/// An admin decided about a report: where the order's money goes. The first decision about an order's money counts.
public struct ReportDecided: Message {
    public static let name: MessageName = "admin.report.decided.v1"

    public enum Decision: String, Codable, Sendable, CaseIterable {
        /// As if the order were done.
        case payProvider
        /// All of it goes back to where it came from.
        case returnToCustomer
        /// ``toCustomer`` goes back, the rest is paid as if the order were done at that price.
        case split
    }

    public enum DepositDecision: String, Codable, Sendable, CaseIterable { case returnToProvider, giveToCustomer }

    public var report: UUID
    public var order: UUID
    public var market: String
    public var decision: Decision
    /// With `split`: what goes back. More than the price is all of it.
    public var toCustomer: Money?
    /// Where the provider's deposit goes, if there is one; nil returns it.
    public var deposit: DepositDecision?
    public var reason: String
    /// The admin.
    public var by: UUID
    public var at: Date
    public var aggregate: String { order.text }

    public init(
        report: UUID, order: UUID, market: String, decision: Decision, toCustomer: Money? = nil,
        deposit: DepositDecision? = nil, reason: String, by: UUID, at: Date
    ) {
        self.report = report
        self.order = order
        self.market = market
        self.decision = decision
        self.toCustomer = toCustomer
        self.deposit = deposit
        self.reason = reason
        self.by = by
        self.at = at
    }
}
