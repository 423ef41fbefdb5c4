public import Foundation
public import Messaging

/// An admin writes off what an account owes, so that the platform pays it: begun where a second admin has to agree, then
/// made or rejected.
public struct WriteOffChanged: Message {
    public enum State: String, Codable, Sendable, CaseIterable { case waiting, made, rejected }

    public static let name: MessageName = "wallet.write_off.changed.v1"
    /// The approval's id where there is one.
    public var writeOff: UUID
    public var market: String
    /// The debtor.
    public var account: UUID
    public var amount: Money
    public var state: State
    /// In the admin's words; for a rejection, why it was rejected.
    public var reason: String
    /// The admin who began it; for a decision, the admin who decided.
    public var by: UUID
    public var at: Date
    public var aggregate: String { writeOff.text }

    public init(
        writeOff: UUID, market: String, account: UUID, amount: Money, state: State, reason: String, by: UUID, at: Date
    ) {
        self.writeOff = writeOff
        self.market = market
        self.account = account
        self.amount = amount
        self.state = state
        self.reason = reason
        self.by = by
        self.at = at
    }
}
