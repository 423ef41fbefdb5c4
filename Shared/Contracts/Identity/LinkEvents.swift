public import Foundation
public import Messaging

/// A link between two people holds: both have agreed, and for families an admin has approved it or made it for them.
public struct LinkConfirmed: Message {
    public enum Kind: String, Codable, Sendable, CaseIterable { case friend, family }

    public static let name: MessageName = "identity.link.confirmed.v1"
    public var link: UUID
    public var kind: Kind
    /// The market of a family; nil for friends.
    public var market: String?
    /// The person who asked for the link.
    public var from: UUID
    public var to: UUID
    /// The rights of each for the other: `order`, `see`.
    public var scopes: [String]
    /// The admin, where one was needed.
    public var by: UUID?
    public var at: Date
    public var aggregate: String { link.text }

    public init(
        link: UUID, kind: Kind, market: String?, from: UUID, to: UUID, scopes: [String], by: UUID?, at: Date
    ) {
        self.link = link
        self.kind = kind
        self.market = market
        self.from = from
        self.to = to
        self.scopes = scopes
        self.by = by
        self.at = at
    }
}

/// A confirmed link no longer holds, or an admin removed one that never held.
public struct LinkRemoved: Message {
    public static let name: MessageName = "identity.link.removed.v1"
    public var link: UUID
    /// The market of a family; nil for friends.
    public var market: String?
    public var from: UUID
    public var to: UUID
    /// The admin who removed it; nil when one of the two people did.
    public var by: UUID?
    public var at: Date
    public var aggregate: String { link.text }

    public init(link: UUID, market: String?, from: UUID, to: UUID, by: UUID?, at: Date) {
        self.link = link
        self.market = market
        self.from = from
        self.to = to
        self.by = by
        self.at = at
    }
}

/// How a link between two people goes on, with their names: for what the two are told. ``LinkConfirmed`` and
/// ``LinkRemoved`` tell services what holds.
public struct LinkMoved: Message {
    public enum Step: String, Codable, Sendable, CaseIterable {
        /// One asks the other.
        case asked
        /// The person who was asked has agreed to be family; an admin has to approve.
        case agreed
        /// It holds.
        case confirmed
        /// It was asked for or agreed to, and will not hold.
        case withdrawn
        /// It held, and no longer does.
        case removed
    }

    public struct Person: Codable, Hashable, Sendable {
        public var account: UUID
        public var name: String

        public init(account: UUID, name: String) {
            self.account = account
            self.name = name
        }
    }

    public static let name: MessageName = "identity.link.moved.v1"
    public var link: UUID
    public var kind: LinkConfirmed.Kind
    /// The market of a family; nil for friends.
    public var market: String?
    /// The person who asked for the link.
    public var from: Person
    public var to: Person
    public var step: Step
    /// One of the two, or the admin who did it.
    public var by: UUID
    public var at: Date
    public var aggregate: String { link.text }

    public init(
        link: UUID, kind: LinkConfirmed.Kind, market: String?, from: Person, to: Person, step: Step, by: UUID, at: Date
    ) {
        self.link = link
        self.kind = kind
        self.market = market
        self.from = from
        self.to = to
        self.step = step
        self.by = by
        self.at = at
    }
}
