public import Foundation
public import Messaging

/// An admin read a list of many people, or a file made of it. The message has the filter of the request and nothing of
/// the answer.
public protocol ListViewed: Message {
    /// `*` for a list of all markets.
    var market: String { get }
    /// Such as `payments`, or `payments.csv`.
    var list: String { get }
    var filter: [String: String] { get }
    /// Whether it was a CSV file, which can be kept.
    var isFile: Bool { get }
    /// The admin's account.
    var by: UUID { get }
    var at: Date { get }

    init(market: String, list: String, filter: [String: String], isFile: Bool, by: UUID, at: Date)
}

extension ListViewed {
    public var aggregate: String { by.text }
}

/// An admin read one of identity's lists of people, or a file made of it.
public struct IdentityListViewed: Message, ListViewed {
    public static let name: MessageName = "identity.list.viewed.v1"
    public var market: String
    public var list: String
    public var filter: [String: String]
    public var isFile: Bool
    public var by: UUID
    public var at: Date

    public init(market: String, list: String, filter: [String: String], isFile: Bool, by: UUID, at: Date) {
        self.market = market
        self.list = list
        self.filter = filter
        self.isFile = isFile
        self.by = by
        self.at = at
    }
}

/// An admin read one of dispatch's lists of people, or a file made of it.
public struct DispatchListViewed: Message, ListViewed {
    public static let name: MessageName = "dispatch.list.viewed.v1"
    public var market: String
    public var list: String
    public var filter: [String: String]
    public var isFile: Bool
    public var by: UUID
    public var at: Date

    public init(market: String, list: String, filter: [String: String], isFile: Bool, by: UUID, at: Date) {
        self.market = market
        self.list = list
        self.filter = filter
        self.isFile = isFile
        self.by = by
        self.at = at
    }
}

/// An admin read one of the wallet's lists of people, or a file made of it.
public struct WalletListViewed: Message, ListViewed {
    public static let name: MessageName = "wallet.list.viewed.v1"
    public var market: String
    public var list: String
    public var filter: [String: String]
    public var isFile: Bool
    public var by: UUID
    public var at: Date

    public init(market: String, list: String, filter: [String: String], isFile: Bool, by: UUID, at: Date) {
        self.market = market
        self.list = list
        self.filter = filter
        self.isFile = isFile
        self.by = by
        self.at = at
    }
}

/// An admin read one of notifications' lists of people, or what two people wrote to each other.
public struct NotificationsListViewed: Message, ListViewed {
    public static let name: MessageName = "notifications.list.viewed.v1"
    public var market: String
    public var list: String
    public var filter: [String: String]
    public var isFile: Bool
    public var by: UUID
    public var at: Date

    public init(market: String, list: String, filter: [String: String], isFile: Bool, by: UUID, at: Date) {
        self.market = market
        self.list = list
        self.filter = filter
        self.isFile = isFile
        self.by = by
        self.at = at
    }
}
