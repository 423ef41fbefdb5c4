import Foundation
import Synchronization

/// Stores mail, SMS and push messages instead of delivering them. Drops the oldest ones beyond the limit.
final class Sink: Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable { case mail, sms, push }

    struct Message: Codable, Sendable, Equatable {
        /// The e-mail address, phone number or device.
        let to: String
        var subject: String?
        let text: String
        /// Data for an app, such as the page to open.
        var data: [String: String]?
        /// A mail as it came.
        var source: String?
        /// Set by the sink.
        var at: Date?
    }

    static let limit = 10_000

    private let keys = Mutex<Set<String>>([])
    private let messages = Mutex<[Kind: [Message]]>([:])

    /// - Parameter key: a second message with the same key is not stored.
    func add(_ message: Message, to kind: Kind, key: String? = nil) {
        if let key, !keys.withLock({ $0.insert(key).inserted }) { return }
        var stamped = message
        stamped.at = Date()
        messages.withLock { messages in
            messages[kind, default: []].append(stamped)
            if messages[kind, default: []].count > Self.limit { messages[kind, default: []].removeFirst() }
        }
    }

    /// The messages, oldest first. - Parameter to: nil for all recipients.
    func messages(_ kind: Kind, to: String?) -> [Message] {
        messages.withLock { $0[kind, default: []] }.filter { to == nil || $0.to == to }
    }

    func remove(_ kind: Kind, to: String?) {
        messages.withLock { messages in
            messages[kind, default: []].removeAll { to == nil || $0.to == to }
        }
    }
}
