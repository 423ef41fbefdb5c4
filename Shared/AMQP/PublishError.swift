/// Why a message may not be safe with the broker.
public enum PublishError: Error, Equatable, Sendable {
    public enum NotSent: Sendable {
        /// There was no connection, or no room in flight, until the deadline.
        case deadlineExceeded
        /// The broker blocked publishers (memory or disk alarm) until the deadline.
        case blocked
        /// The publishing task was cancelled.
        case cancelled
        /// The publisher has ended or was closed.
        case closed
    }

    public enum Unknown: Sendable {
        /// The connection ended before the confirm came.
        case connectionLost
        /// No confirm came before the deadline.
        case deadlineExceeded
        /// The publishing task was cancelled after the message was written.
        case cancelled
    }

    /// Nothing of the message was written.
    case notSent(NotSent)
    /// The message was written, or handed over for writing, and may have arrived. Repeat it with the same message id.
    case outcomeUnknown(Unknown)
    /// The broker returned it: no queue is bound for it. Only with `isMandatory`.
    case unroutable(code: Int, text: String)
    /// The broker refused it (`basic.nack`): a full queue with `Overflow.rejectPublish`, or a quorum queue that another
    /// connection has declared and that has not started yet. Other queues may have it; repeat it later with the same
    /// message id.
    case refused
    /// The exchange does not exist (404) or the user may not publish to it (403). This costs the connection: other
    /// messages in flight end as `outcomeUnknown`.
    case exchangeUnavailable(code: Int, text: String)
    /// The body exceeds the configured limit.
    case tooLarge(bytes: Int, limitBytes: Int)
    /// AMQP cannot carry it.
    case invalid(reason: String)

    /// Whether the message is certainly in no queue. Not for `exchangeUnavailable`: the exchange may have been deleted
    /// after it took the message and before the broker confirmed.
    public var isDefinite: Bool {
        switch self {
        case .outcomeUnknown, .exchangeUnavailable: false
        case .notSent, .unroutable, .refused, .tooLarge, .invalid: true
        }
    }
}
