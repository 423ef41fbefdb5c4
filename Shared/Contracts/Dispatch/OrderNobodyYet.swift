public import Foundation
public import Messaging

/// A visit waits at the desk, and nobody is assigned in good time: a while after it was ordered for at once, or an hour
/// before its time. Published once for each wait at the desk. The order itself has not changed.
public struct OrderNobodyYet: Message {
    public static let name: MessageName = "dispatch.visit.nobody_yet.v1"
    public var order: OrderSnapshot
    public var at: Date
    public var aggregate: String { order.order.text }

    public init(order: OrderSnapshot, at: Date) {
        self.order = order
        self.at = at
    }
}
