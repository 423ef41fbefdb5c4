public import Messaging

/// A change of an order. The event's name says what changed; the snapshot is the order after the change.
public protocol OrderEvent: Message {
    var order: OrderSnapshot { get }
    /// Whether the wallet has to know of it: true, unless nothing that concerns a payment can have changed.
    static var concernsPayment: Bool { get }
}

extension OrderEvent {
    public static var concernsPayment: Bool { true }
    public var aggregate: String { order.order.text }
}

/// An order event that consists of the snapshot alone.
public protocol SnapshotEvent: OrderEvent {
    init(order: OrderSnapshot)
}

/// An order event that takes the order from a party that had it or was offered it.
public protocol PartingEvent: OrderEvent {
    /// The party that had the order or was offered it; nil for none.
    var former: OrderSnapshot.Party? { get }
    init(order: OrderSnapshot, former: OrderSnapshot.Party?)
}

/// An order that must be paid before a provider is asked: it waits for its payment, and no provider works on it yet.
public struct OrderPending: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.pending.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// A customer asks a provider, who has the accept window to answer.
public struct OrderRequested: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.requested.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider accepts; the customer has the payment window.
public struct OrderAccepted: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.accepted.v1"
    public var order: OrderSnapshot
    /// The full name of the provider's companion. For admins; the customer does not see it.
    public var companion: String?

    public init(order: OrderSnapshot, companion: String?) {
        self.order = order
        self.companion = companion
    }
}

/// The provider declines.
public struct OrderRefused: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.refused.v1"
    public var order: OrderSnapshot
    /// The party that was asked, and no longer is.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// The order is paid, or will be paid in cash, and the provider is on the way.
public struct OrderEnRoute: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.en_route.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The provider is close to the customer. Published once for each order.
public struct OrderNearby: Message, OrderEvent {
    public static let name: MessageName = "dispatch.order.nearby.v1"
    public static var concernsPayment: Bool { false }
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
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// One party confirms that the work is done; the other has the confirmation window.
public struct OrderConfirmed: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.confirmed.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// Both parties have confirmed, or one has and the other's window is over.
public struct OrderCompleted: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.completed.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The order was cancelled; `by` and `reason` say by whom and why.
public struct OrderCancelled: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.cancelled.v1"
    public var order: OrderSnapshot
    /// The party that was asked, and no longer is.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// A window ran out: no acceptance, or no payment.
public struct OrderExpired: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.expired.v1"
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// The payment's state changed, the order's state did not.
public struct OrderPaymentChanged: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.payment_changed.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}

/// A party reported the order: it stops, and its money waits for an admin's decision.
public struct OrderDisputed: Message, PartingEvent {
    public static let name: MessageName = "dispatch.order.disputed.v1"
    public var order: OrderSnapshot
    /// The party that was asked, and no longer is.
    public var former: OrderSnapshot.Party?

    public init(order: OrderSnapshot, former: OrderSnapshot.Party? = nil) {
        self.order = order
        self.former = former
    }
}

/// A reported order had no decision within the market's window. The order goes on waiting, and this is published again
/// after each further window.
public struct OrderUndecided: Message, SnapshotEvent {
    public static let name: MessageName = "dispatch.order.undecided.v1"
    public static var concernsPayment: Bool { false }
    public var order: OrderSnapshot

    public init(order: OrderSnapshot) { self.order = order }
}
