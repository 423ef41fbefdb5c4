import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// Something that waits for a market's admins, in their view and language. No names: the console asks for them by the
/// accounts.
struct AdminItemView: ResponseEncodable, Encodable, Sendable {
    let item: String
    let market: String
    let kind: String
    /// The thing that a client opens.
    let subject: String
    /// Whom it is about.
    let person: String?
    let order: String?
    let text: String
    let state: String
    let isUrgent: Bool
    let takenBy: String?
    /// Since when it waits.
    let at: Date
    let changedAt: Date
    let endedAt: Date?

    init(_ item: AdminItem, _ catalogue: ProblemCatalogue, _ language: Language) {
        self.item = item.id.text
        market = item.market
        kind = item.kind
        subject = item.subject.text
        person = item.stand.person?.text
        order = item.order?.text
        // try?: a newer program wrote it; then its kind stands alone.
        let arguments = (try? [String: TextArgument](stored: item.arguments)) ?? [:]
        let words = arguments.mapValues { $0.text(in: language.rawValue) }
        let key = AdminItemKind(rawValue: item.kind)?.textKey(isUrgent: item.isUrgent)
        text = key.flatMap { catalogue.text($0, in: language, words) } ?? item.kind
        state = item.stand.state.rawValue
        isUrgent = item.isUrgent
        takenBy = item.stand.takenBy?.text
        at = item.at
        changedAt = item.changedAt
        endedAt = item.endedAt
    }
}

/// As a line of a file.
extension AdminItemView {
    static let columns: [LocalizedText] = [
        ["en": "Since", "ar": "منذ"], ["en": "Kind", "ar": "النوع"], ["en": "What", "ar": "الموضوع"],
        ["en": "State", "ar": "الحالة"], ["en": "Urgent", "ar": "عاجل"], ["en": "Thing", "ar": "الشيء"],
        ["en": "About", "ar": "يخص"], ["en": "Order", "ar": "الطلب"], ["en": "Taken by", "ar": "يتولاه"],
        ["en": "Ended", "ar": "انتهى"],
    ]

    var line: [CSVLine.Cell] {
        [
            .text(Timestamp.text(at)), .text(kind), .text(text), .text(state), .text(isUrgent ? "yes" : "no"),
            .text(subject), .text(person), .text(order), .text(takenBy), .text(endedAt.map(Timestamp.text)),
        ]
    }
}

/// How much is open, all together and by kind. Numbers alone, as ``WaitingTalkView``.
struct AdminItemCountsView: ResponseEncodable, Encodable, Sendable {
    struct Kind: Encodable, Sendable {
        let kind: String
        let waiting: Int
        let taken: Int
    }

    let waiting: Int
    let taken: Int
    /// Of the taken ones those that the caller has.
    let own: Int
    let urgent: Int
    let kinds: [Kind]

    init(_ rows: [CountAdminItems.Row]) {
        waiting = rows.reduce(0) { $0 + $1.waiting }
        taken = rows.reduce(0) { $0 + $1.taken }
        own = rows.reduce(0) { $0 + $1.own }
        urgent = rows.reduce(0) { $0 + $1.urgent }
        kinds = rows.map { Kind(kind: $0.kind, waiting: $0.waiting, taken: $0.taken) }
    }
}
