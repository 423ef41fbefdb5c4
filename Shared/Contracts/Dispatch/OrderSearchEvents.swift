public import Foundation
public import Messaging

/// Somebody is asked to do it, and has a window to answer.
public struct OrderOffered: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.offered.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// Who was asked by the platform has said no, or nothing in time; the next one is asked. `reason` says which.
public struct OrderPassed: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.passed.v1"
    public var order: OrderSnapshot
    /// Who was asked.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party?) {
        self.order = order
        self.former = former
    }
}

/// Who had it, or was asked, has it no more; somebody else is looked for. `reason` says why.
public struct OrderReopened: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.reopened.v1"
    public var order: OrderSnapshot
    /// Who had it.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party?) {
        self.order = order
        self.former = former
    }
}

/// The wallet has the provider's deposit: it is really his or hers.
public struct OrderDeposited: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.deposited.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// A merchant has taken it and prepares it; whoever brings it is searched for.
public struct OrderPreparing: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.preparing.v1"
    public var order: OrderSnapshot
    /// When it can be fetched, as the merchant has promised.
    public var readyAt: Date?

    public init(order: OrderSnapshot, readyAt: Date?) {
        self.order = order
        self.readyAt = readyAt
    }
}

/// What a merchant prepared can be fetched.
public struct OrderReady: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.ready.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The work has begun: the parcel was picked up, the visit began, the meal was handed over.
public struct OrderStarted: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.started.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider asks the market's admins for another time.
public struct OrderTimeAsked: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.time_asked.v1"
    public var order: OrderSnapshot
    public var time: Date

    public init(order: OrderSnapshot, time: Date) {
        self.order = order
        self.time = time
    }
}

/// An admin has set another time, the snapshot's `scheduledAt`.
public struct OrderRescheduled: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.rescheduled.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}
