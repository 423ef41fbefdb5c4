import Contracts
import Foundation
import Logging
import SeraiJSON
import ServiceKit

/// Renders stored events in the reader's language.
struct StreamTexts: Sendable {
    let inbox: InboxTexts
    /// The market with an id.
    let markets: @Sendable (String) -> Market?
    let logger: Logger

    /// The event's text in `text/event-stream`; empty if its item was deleted.
    /// - Parameter fallback: the language for accounts whose own is not known yet.
    func text(_ event: StoredEvent, fallback: Language) -> String {
        let language = event.language.map { Language(rawValue: $0) } ?? fallback
        switch event.content {
        case .nothing: return ""
        case .told(nil, let payload): return ServerSentEvent(event.kind, id: event.seq, data: payload).text
        case .told(let label?, let payload):
            let known = OrderLabel(label)
            var more: [JSONObject.Member] = [
                .text("label", known.map { $0.words(in: language.rawValue, of: markets($0.market)) } ?? "")
            ]
            if let known, let text = reasonText(payload, in: known.market, language.rawValue) {
                more.append(.text("reasonText", text))
            }
            let data = JSONObject(payload).adding(more).text
            return ServerSentEvent(event.kind, id: event.seq, data: data).text
        case .item(let item):
            do {
                let view = inbox.view(item, in: language)
                return ServerSentEvent(event.kind, id: event.seq, data: try JSON.answer.text(view)).text
            } catch {
                // The item stays in the inbox.
                logger.error("an item cannot be told", metadata: ["item": "\(item.id.uuidString)"])
                return ""
            }
        }
    }

    private struct Reasoned: Decodable { let reason: String? }

    /// The market's words for the reason of an order; nil for none, and for a person's own words.
    private func reasonText(_ payload: String, in market: String, _ language: String) -> String? {
        // Few events have one, and an event is read only then.
        guard payload.contains(#""reason":""#) else { return nil }
        do {
            let reason = try JSON.wire.decode(Reasoned.self, Array(payload.utf8)).reason
            return reason.flatMap { markets(market)?.words(for: $0)?.text(in: language) }
        } catch {
            logger.error("an event cannot be read", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
