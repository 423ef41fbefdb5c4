public import Foundation
public import Messaging

/// An admin decided about a report: where the order's money goes. The first decision about an order's money counts.
public struct ReportDecided: Message {
    public static let name: MessageName = "admin.report.decided.v1"

    public enum Decision: String, Codable, Sendable, CaseIterable {
        /// The provider is paid as if the order were completed.
        case payProvider
        /// The whole price goes back to where it came from.
        case returnToCustomer
        /// ``toCustomer`` goes back; the rest is paid as if the order were completed at that price.
        case split
    }

    public enum DepositDecision: String, Codable, Sendable, CaseIterable { case returnToProvider, giveToCustomer }

    public var report: UUID
    public var order: UUID
    public var market: String
    public var decision: Decision
    /// For `split`: the amount that goes back. An amount above the price means the whole price.
    public var toCustomer: Money?
    /// The receiver of the provider's deposit, if there is one; nil returns it.
    public var deposit: DepositDecision?
    public var reason: String
    /// The admin's account.
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
