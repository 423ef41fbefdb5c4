import Foundation

/// One thing to tell one account: an event of its stream, and an item of its inbox if it has an ``item``.
struct Notice: Sendable {
    enum Kind: String, Sendable {
        case order, payment, inbox
    }

    let account: UUID
    let kind: Kind
    /// Of orders: which of the market's words say the state. Of items: the topic.
    let label: String?
    /// JSON: what is told, or an item's arguments.
    let payload: String
    /// The id that the item gets.
    let item: UUID?
    let order: UUID?
    /// When it happened.
    let at: Date
    /// What it tells the state of; nothing when something newer of it was told before.
    let subject: UUID?
    let version: Int?
    /// Other people whose names an item has.
    let named: [UUID]

    static func state(
        _ kind: Kind, of subject: UUID, version: Int, order: UUID, to account: UUID, label: String? = nil,
        payload: String, at: Date
    ) -> Notice {
        Notice(
            account: account, kind: kind, label: label, payload: payload, item: nil, order: order, at: at,
            subject: subject, version: version, named: [])
    }

    /// - Parameter asOf: tells it only if nothing newer of this order was told.
    static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], to account: UUID, order: UUID?, at: Date, id: UUID,
        asOf version: Int? = nil
    ) throws -> Notice {
        let named = Set(arguments.values.compactMap(\.account)).subtracting([account])
        return Notice(
            account: account, kind: .inbox, label: topic.rawValue,
            payload: try StoredArguments.encode(arguments), item: id, order: order, at: at,
            subject: version == nil ? nil : order, version: version, named: Array(named))
    }
}
