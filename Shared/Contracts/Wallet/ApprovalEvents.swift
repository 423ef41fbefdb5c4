public import Foundation
public import Messaging

/// An operation on a market's money needs a second admin: one admin began it, or another one approved or rejected it.
public struct ApprovalChanged: Message {
    public enum Kind: String, Codable, Sendable, CaseIterable { case cashOut, refund, promoCode }
    public enum State: String, Codable, Sendable, CaseIterable { case waiting, approved, rejected }

    public static let name: MessageName = "wallet.approval.changed.v1"
    public var approval: UUID
    public var market: String
    public var kind: Kind
    public var state: State
    /// The cash-out, the order of the refund, or the promo code.
    public var subject: UUID
    /// The highest cost of the operation.
    public var amount: Money
    /// The reason of a rejection, in the admin's words.
    public var reason: String?
    /// The admin who began it; for a decision, the admin who decided.
    public var by: UUID
    public var at: Date
    public var aggregate: String { approval.text }

    public init(
        approval: UUID, market: String, kind: Kind, state: State, subject: UUID, amount: Money, reason: String? = nil,
        by: UUID, at: Date
    ) {
        self.approval = approval
        self.market = market
        self.kind = kind
        self.state = state
        self.subject = subject
        self.amount = amount
        self.reason = reason
        self.by = by
        self.at = at
    }
}
