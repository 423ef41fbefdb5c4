public import Foundation
public import Messaging

/// The order is offered to a provider, who has a window to answer.
public struct OrderOffered: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.offered.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider who was offered the order declined or did not answer in time, as `reason` says; the next one is asked.
public struct OrderPassed: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.passed.v1"
    public var order: OrderSnapshot
    /// The provider who was offered the order.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party?) {
        self.order = order
        self.former = former
    }
}

/// The provider who had the order, or was offered it, no longer has it; another one is searched. `reason` says why.
public struct OrderReopened: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.reopened.v1"
    public var order: OrderSnapshot
    /// The provider who had the order.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party?) {
        self.order = order
        self.former = former
    }
}

/// The wallet has taken the provider's deposit, so the acceptance is final.
public struct OrderDeposited: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.deposited.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// A merchant has accepted the order and prepares it; a provider to deliver it is searched.
public struct OrderPreparing: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.preparing.v1"
    public var order: OrderSnapshot
    /// When the order can be fetched, as the merchant promised.
    public var readyAt: Date?

    public init(order: OrderSnapshot, readyAt: Date?) {
        self.order = order
        self.readyAt = readyAt
    }
}

/// The merchant has prepared the order, and it can be fetched.
public struct OrderReady: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.ready.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The work has begun: the parcel was picked up, the visit began, or the meal was handed over.
public struct OrderStarted: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.started.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider asks the market's admins for another time.
public struct OrderTimeAsked: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.time_asked.v1"
    public static var concernsPayment: Bool { false }
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
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}
