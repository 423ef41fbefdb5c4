import Foundation
import Logging
import ServiceKit

/// Renders stored events in the reader's language.
struct StreamTexts: Sendable {
    let inbox: InboxTexts
    let logger: Logger

    /// The event's text in `text/event-stream`; empty if its item was deleted.
    /// - Parameter fallback: the language for accounts whose own is not known yet.
    func text(_ event: StoredEvent, fallback: Language) -> String {
        let language = event.language.map { Language(rawValue: $0) } ?? fallback
        switch event.content {
        case .nothing: return ""
        case .told(nil, let payload): return ServerSentEvent(event.kind, id: event.seq, data: payload).text
        case .told(let label?, let payload):
            let words = OrderLabel(label)?.words(in: language.rawValue) ?? ""
            let data = JSONObject(payload).adding([.text("label", words)]).text
            return ServerSentEvent(event.kind, id: event.seq, data: data).text
        case .item(let item):
            do {
                let view = inbox.view(item, in: language)
                let data = try view.usualBody ?? [UInt8](JSONEncoder.service.encode(view))
                return ServerSentEvent(event.kind, id: event.seq, data: String(decoding: data, as: UTF8.self)).text
            } catch {
                // The item stays in the inbox.
                logger.error("an item cannot be told", metadata: ["item": "\(item.id.uuidString)"])
                return ""
            }
        }
    }
}
