public import Foundation

/// What the stream says.
///
/// Indirect: whoever looks for something in a log copies what is said there, and an order has many parts.
public indirect enum StreamEvent: Sendable {
    /// From now on nothing is missed.
    /// - hasMissed: what was said after the number that the phone had named is gone.
    case ready(hasMissed: Bool)
    case order(OrderView)
    case inbox(InboxItem)
    case payment(PaymentOutcome)
    case position(ProviderOnTheWay)
    case friendPlace(FriendOnTheWay)
    /// Not said by the stream: the order was there and is no more, as the phone found when it read again what it had missed.
    case undone(order: UUID)
    /// Of a kind that this phone does not know.
    case unknown(name: String)
    /// Of a known kind, in a form that this phone does not know.
    case unreadable(name: String, why: String)

    init(_ event: ServerSentEvent) {
        func decode<Value: Decodable>(_ type: Value.Type, _ make: (Value) -> StreamEvent) -> StreamEvent {
            do {
                return make(try PhoneJSON.decode(type, from: .init(event.data.utf8)))
            } catch {
                return .unreadable(name: event.name, why: "\(error)")
            }
        }
        self =
            switch event.name {
            case "ready": decode(Ready.self) { .ready(hasMissed: $0.missed) }
            case "order": decode(OrderView.self, StreamEvent.order)
            case "inbox": decode(InboxItem.self, StreamEvent.inbox)
            case "payment": decode(PaymentOutcome.self, StreamEvent.payment)
            case "position": decode(ProviderOnTheWay.self, StreamEvent.position)
            case "friend-place": decode(FriendOnTheWay.self, StreamEvent.friendPlace)
            default: .unknown(name: event.name)
            }
    }

    private struct Ready: Decodable { let missed: Bool }
}
