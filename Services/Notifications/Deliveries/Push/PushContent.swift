import Foundation
import Messaging
import SeraiJSON

/// What a service worker is given: `push` shows it, `notificationclick` opens its page.
struct PushContent: Encodable, Sendable {
    /// Push services take 4096 bytes with what encryption adds; those of phones take as much.
    static let limit = 3_000
    private static let bodyBytes = 1_600
    private static let titleBytes = 400

    let title: String
    let body: String
    let url: String
    let lang: String
    let dir: String
    let tag: String
    let kind: String
    let urgent: Bool

    init(_ message: PushMessage) {
        title = Self.cut(message.title, Self.titleBytes)
        body = Self.cut(message.body, Self.bodyBytes)
        url = message.url
        lang = message.language
        dir = message.language == "ar" ? "rtl" : "ltr"
        tag = message.tag.text
        kind = message.kind
        urgent = message.isUrgent
    }

    func encoded() throws -> Data { Data(try JSON.wire.encode(self)) }

    /// Whole characters only.
    static func cut(_ text: String, _ bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var (kept, size) = ("", 3)
        for character in text {
            size += character.utf8.count
            if size > bytes { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
