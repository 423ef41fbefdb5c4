import Foundation

/// A notice for one account: an event of its stream and, with an ``item``, an item of its inbox.
struct Notice: Sendable {
    enum Kind: String, Sendable {
        case order, payment, inbox
        /// What was said in a conversation, and how far its members have read.
        case message, marks
        case messageDeleted = "message-deleted"
        /// How a call stands.
        case call
    }

    let account: UUID
    let kind: Kind
    /// For orders the ``OrderLabel``, for items the topic.
    let label: String?
    /// JSON: the event's data, or the item's arguments.
    let payload: String
    /// The id of the new item.
    let item: UUID?
    let order: UUID?
    /// The time of the change.
    let at: Date
    /// The order or payment of the notice; the notice is dropped if a newer version of it was told before.
    let subject: UUID?
    let version: Int?
    /// Other accounts whose names the item contains.
    let named: [UUID]
    /// How the item is pushed to the account's devices; nil without an item.
    let push: PushTerms?
    /// The general notice whose words the item shows.
    var general: UUID?

    static func state(
        _ kind: Kind, of subject: UUID, version: Int, order: UUID, to account: UUID, label: String? = nil,
        payload: String, at: Date
    ) -> Notice {
        Notice(
            account: account, kind: kind, label: label, payload: payload, item: nil, order: order, at: at,
            subject: subject, version: version, named: [], push: nil)
    }

    /// An event that is told whatever was told before.
    static func told(_ kind: Kind, _ payload: String, to account: UUID, order: UUID?, at: Date) -> Notice {
        Notice(
            account: account, kind: kind, label: nil, payload: payload, item: nil, order: order, at: at,
            subject: nil, version: nil, named: [], push: nil)
    }

    /// - Parameter asOf: the order's version; the item is dropped if a newer version was told.
    static func item(
        _ topic: InboxTopic, _ arguments: [String: TextArgument], to account: UUID, order: UUID?, at: Date, id: UUID,
        asOf version: Int? = nil
    ) throws -> Notice {
        let named = Set(arguments.values.compactMap(\.account)).subtracting([account])
        return Notice(
            account: account, kind: .inbox, label: topic.rawValue,
            payload: try arguments.stored(), item: id, order: order, at: at,
            subject: version == nil ? nil : order, version: version, named: Array(named),
            push: PushTerms(topic, arguments, at: at))
    }

    /// An item of a general notice, which has the words.
    static func general(_ notice: UUID, to account: UUID, at: Date, id: UUID) -> Notice {
        Notice(
            account: account, kind: .inbox, label: InboxTopic.generalNotice.rawValue, payload: "{}",
            item: id, order: nil, at: at, subject: nil, version: nil, named: [],
            push: PushTerms(.generalNotice, [:], at: at), general: notice)
    }
}
