import Foundation
import Messaging
import ServiceKit

/// Renders inbox items as texts.
struct InboxTexts: Sendable {
    let catalogue: ProblemCatalogue

    /// Renders an item. An item that only a newer program can read shows its topic.
    func view(_ item: StoredItem, in language: Language) -> InboxItemView {
        let arguments = StoredArguments.decode(item.arguments)
        let words = arguments?.mapValues { $0.text(in: language.rawValue) } ?? [:]
        let topic = arguments == nil ? nil : InboxTopic(rawValue: item.topic)
        return InboxItemView(
            id: item.id.text,
            topic: item.topic,
            subject: topic.flatMap { catalogue.text($0.subjectKey, in: language, words) } ?? item.topic,
            content: topic.flatMap { catalogue.text($0.contentKey, in: language, words) } ?? "",
            at: item.at,
            order: item.order?.text,
            read: item.isRead)
    }
}

/// An item in its owner's view.
struct InboxItemView: Encodable, Sendable {
    let id: String
    /// Machine-readable.
    let topic: String
    let subject: String
    let content: String
    let at: Date
    /// The order that a client opens with the item.
    let order: String?
    let read: Bool
}

extension InboxItemView: UsuallyWritten {
    var usualBody: [UInt8]? {
        var json = UsualObject(capacity: 384)
        json.add("id", word: id)
        json.add("topic", text: topic)
        json.add("subject", text: subject)
        json.add("content", text: content)
        json.add("at", at)
        if let order { json.add("order", word: order) }
        json.add("read", read)
        return json.end()
    }
}
