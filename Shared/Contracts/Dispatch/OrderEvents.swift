public import Messaging

/// A change of an order. The event's name says which; the snapshot says what is true after it.
public protocol OrderEvent: Message {
    var order: OrderSnapshot { get }
}

extension OrderEvent {
    public var aggregate: String { order.order.text }
}

/// An order event that is its snapshot and no more.
public protocol SnapshotEvent: OrderEvent {
    init(order: OrderSnapshot)
}

/// An order event that takes the order from somebody who had it, or was asked for it.
public protocol PartingEvent: OrderEvent {
    /// Whose it was; nil where nobody had it or was asked.
    var former: OrderSnapshot.Party? { get }
    init(order: OrderSnapshot, former: OrderSnapshot.Party?)
}

/// An order that is paid before anybody is asked: it waits for its payment, and nobody is to do it yet.
public struct OrderPending: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.pending.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// A customer asks; the provider has the accept window.
public struct OrderRequested: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.requested.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider takes the order; the customer has the payment window.
public struct OrderAccepted: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.accepted.v1"
    public var order: OrderSnapshot
    /// The full name of who comes along. For admins; the customer is not shown it.
    public var companion: String?

    public init(order: OrderSnapshot, companion: String?) {
        self.order = order
        self.companion = companion
    }
}

/// The provider declined.
public struct OrderRefused: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.refused.v1"
    public var order: OrderSnapshot
    /// Who was asked for it at that moment, and is not any more.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// It is paid, or will be in cash, and the provider is on the way.
public struct OrderEnRoute: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.en_route.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider is close. Once for each order.
public struct OrderNearby: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.nearby.v1"
    public var order: OrderSnapshot
    public var metresLeft: Int
    public var secondsLeft: Int

    public init(order: OrderSnapshot, metresLeft: Int, secondsLeft: Int) {
        self.order = order
        self.metresLeft = metresLeft
        self.secondsLeft = secondsLeft
    }
}

/// The provider is with the customer.
public struct OrderArrived: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.arrived.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// One party says that the work is done; the other is waited for.
public struct OrderConfirmed: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.confirmed.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// Both parties have confirmed, or one has and the other's time is over.
public struct OrderCompleted: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.completed.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// Somebody ended the order; `by` and `reason` say who and why.
public struct OrderCancelled: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.cancelled.v1"
    public var order: OrderSnapshot
    /// Who was asked for it at that moment, and is not any more.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// A window ran out: nobody accepted, or nobody paid.
public struct OrderExpired: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.expired.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The payment's state changed and the order's did not.
public struct OrderPaymentChanged: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.payment_changed.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// Somebody reported the order: it goes no further, and its money waits for an admin's decision.
public struct OrderDisputed: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.disputed.v1"
    public var order: OrderSnapshot
    /// Who was asked for it at that moment, and is not any more.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// Nobody has decided about a reported order in the time that the market sets. It goes on waiting; told again after as
/// long again.
public struct OrderUndecided: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.undecided.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}
