import Foundation
import Messaging
import SeraiJSON
import ServiceKit

/// Renders inbox items as texts.
struct InboxTexts: Sendable {
    let catalogue: ProblemCatalogue

    /// Renders an item. An item that only a newer program can read shows its topic.
    func view(_ item: StoredItem, in language: Language) -> InboxItemView {
        // try?: a newer program wrote it.
        let arguments = try? [String: TextArgument](stored: item.arguments)
        let words = arguments?.mapValues { $0.text(in: language.rawValue) } ?? [:]
        let topic = arguments == nil ? nil : InboxTopic(rawValue: item.topic)
        return InboxItemView(
            id: item.id.text,
            topic: item.topic,
            subject: topic.flatMap { catalogue.text($0.subjectKey, in: language, words) } ?? item.topic,
            content: topic.flatMap { catalogue.text($0.contentKey, in: language, words) } ?? "",
            at: item.at,
            order: item.order?.text,
            inquiry: words["inquiry"],
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
    /// The inquiry that a client opens with the item.
    let inquiry: String?
    let read: Bool
}

/// An item's arguments in their column.
extension [String: TextArgument] {
    init(stored text: String) throws { self = try JSON.stored.decode([String: TextArgument].self, text.utf8) }

    func stored() throws -> String { try JSON.stored.text(self) }
}
