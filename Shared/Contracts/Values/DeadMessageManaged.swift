public import Foundation
public import Messaging

/// A master admin looked at a dead message of a service, put it back or dropped it. The message has nothing of the dead
/// one but its id, its name and its queue.
public protocol DeadMessageManaged: Message {
    /// `viewed`, `retried`, `dropped`, or `all-retried`.
    var act: String { get }
    /// The dead message; nil where all of a kind were meant.
    var message: UUID? { get }
    /// Its name and its queue, why it was dropped, and how many were put back together.
    var details: [String: String] { get }
    /// The admin's account.
    var by: UUID { get }
    var at: Date { get }

    init(act: String, message: UUID?, details: [String: String], by: UUID, at: Date)
}

extension DeadMessageManaged {
    public var aggregate: String { by.text }
}

/// A master admin did something to a dead message of identity.
public struct IdentityDeadMessageManaged: Message, DeadMessageManaged {
    public static let name: MessageName = "identity.dead_message.managed.v1"
    public var act: String
    public var message: UUID?
    public var details: [String: String]
    public var by: UUID
    public var at: Date

    public init(act: String, message: UUID?, details: [String: String], by: UUID, at: Date) {
        self.act = act
        self.message = message
        self.details = details
        self.by = by
        self.at = at
    }
}

/// A master admin did something to a dead message of dispatch.
public struct DispatchDeadMessageManaged: Message, DeadMessageManaged {
    public static let name: MessageName = "dispatch.dead_message.managed.v1"
    public var act: String
    public var message: UUID?
    public var details: [String: String]
    public var by: UUID
    public var at: Date

    public init(act: String, message: UUID?, details: [String: String], by: UUID, at: Date) {
        self.act = act
        self.message = message
        self.details = details
        self.by = by
        self.at = at
    }
}

/// A master admin did something to a dead message of the wallet.
public struct WalletDeadMessageManaged: Message, DeadMessageManaged {
    public static let name: MessageName = "wallet.dead_message.managed.v1"
    public var act: String
    public var message: UUID?
    public var details: [String: String]
    public var by: UUID
    public var at: Date

    public init(act: String, message: UUID?, details: [String: String], by: UUID, at: Date) {
        self.act = act
        self.message = message
        self.details = details
        self.by = by
        self.at = at
    }
}

/// A master admin did something to a dead message of notifications.
public struct NotificationsDeadMessageManaged: Message, DeadMessageManaged {
    public static let name: MessageName = "notifications.dead_message.managed.v1"
    public var act: String
    public var message: UUID?
    public var details: [String: String]
    public var by: UUID
    public var at: Date

    public init(act: String, message: UUID?, details: [String: String], by: UUID, at: Date) {
        self.act = act
        self.message = message
        self.details = details
        self.by = by
        self.at = at
    }
}
