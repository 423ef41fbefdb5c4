public import Foundation
public import Messaging

/// An approval ended without a second admin, because its subject was stopped: for example a cash-out whose
/// money was taken back at the bank. No admin decided it.
public struct ApprovalEnded: Message {
    public static let name: MessageName = "wallet.approval.ended.v1"
    public var approval: UUID
    public var market: String
    /// Such as `cashOut`. A text, because older readers know no later kinds.
    public var kind: String
    /// For example the cash-out.
    public var subject: UUID
    public var amount: Money
    /// Why it was stopped, for example `charge-disputed`.
    public var reason: String
    /// The admin who began it.
    public var begunBy: UUID
    public var at: Date
    public var aggregate: String { approval.text }

    public init(
        approval: UUID, market: String, kind: String, subject: UUID, amount: Money, reason: String, begunBy: UUID,
        at: Date
    ) {
        self.approval = approval
        self.market = market
        self.kind = kind
        self.subject = subject
        self.amount = amount
        self.reason = reason
        self.begunBy = begunBy
        self.at = at
    }
}
