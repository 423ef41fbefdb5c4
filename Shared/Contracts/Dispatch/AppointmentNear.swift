public import Foundation
public import Messaging

/// The time of an order that was agreed for later comes near (N7): told so long before as the market's settings say, each time
/// once. The order itself has not changed.
public struct AppointmentNear: Message {
    public static let name: MessageName = "dispatch.appointment.near.v1"
    public var order: OrderSnapshot
    public var at: Date
    public var aggregate: String { order.order.text }

    public init(order: OrderSnapshot, at: Date) {
        self.order = order
        self.at = at
    }
}
