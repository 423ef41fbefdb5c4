/// The identity of a delivery: its connection and its number there.
///
/// Numbers start again with each connection. Settling a delivery of an earlier connection has no effect: the broker has
/// put the message back and delivers it again.
/// message back and delivers it again.
public struct DeliveryTag: Sendable, Hashable {
    /// The number of the consumer's connection, from 1.
    public let epoch: UInt64
    public let number: UInt64

    init(epoch: UInt64, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }
}

/// A message from a queue. Settle each one once with ``Consumer/ack(_:)-(DeliveryTag)`` or
/// ``Consumer/reject(_:requeue:)``.
public struct Delivery: Sendable {
    public let tag: DeliveryTag
    public let exchange: String
    public let routingKey: String
    /// Whether it may have been delivered before.
    public let isRedelivered: Bool
    public let properties: MessageProperties
    public let body: [UInt8]

    /// The number of failed deliveries, as quorum queues count them; 0 for other queues.
    public var deliveryCount: Int {
        if case .int(let count)? = properties.headers["x-delivery-count"] { Int(count) } else { 0 }
    }
}
