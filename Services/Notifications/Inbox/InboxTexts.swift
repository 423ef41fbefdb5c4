import Foundation
import Messaging
import ServiceKit

/// Puts inbox items into words.
struct InboxTexts: Sendable {
    let catalogue: ProblemCatalogue

    /// One that this program cannot read, since a newer one has written it, is shown as its topic.
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

/// An item as its owner sees it.
struct InboxItemView: Encodable, Sendable {
    let id: String
    /// For programs: what it is about.
    let topic: String
    let subject: String
    let content: String
    let at: Date
    /// The order that it opens.
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
