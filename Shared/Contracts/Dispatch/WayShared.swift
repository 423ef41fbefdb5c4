public import Foundation
public import Messaging

/// A carrier lets the owner of a parcel follow the way, or no longer does. It ends by itself with the delivery, of
/// which the order's events tell. The order itself has not changed.
public struct WayShared: Message {
    public static let name: MessageName = "dispatch.parcel.way_shared.v1"
    public var order: OrderSnapshot
    /// Whether the owner may follow the way from now on.
    public var isOn: Bool
    public var at: Date
    public var aggregate: String { order.order.text }

    public init(order: OrderSnapshot, isOn: Bool, at: Date) {
        self.order = order
        self.isOn = isOn
        self.at = at
    }
}
