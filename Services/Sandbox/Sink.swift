import Foundation
import Synchronization

/// Where mail, SMS and push messages end that would go to people. The oldest make room when there are too many.
final class Sink: Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable { case mail, sms, push }

    struct Message: Codable, Sendable, Equatable {
        /// E-mail address, phone number or device.
        let to: String
        var subject: String?
        let text: String
        /// What an app would open, and the like.
        var data: [String: String]?
        /// Set by the sink.
        var at: Date?
    }

    static let limit = 10_000

    private let keys = Mutex<Set<String>>([])
    private let messages = Mutex<[Kind: [Message]]>([:])

    /// - Parameter key: what was stored with it is not stored again.
    func add(_ message: Message, to kind: Kind, key: String? = nil) {
        if let key, !keys.withLock({ $0.insert(key).inserted }) { return }
        var stamped = message
        stamped.at = Date()
        messages.withLock { messages in
            messages[kind, default: []].append(stamped)
            if messages[kind, default: []].count > Self.limit { messages[kind, default: []].removeFirst() }
        }
    }

    /// Oldest first. - Parameter to: nil for everybody's.
    func messages(_ kind: Kind, to: String?) -> [Message] {
        messages.withLock { $0[kind, default: []] }.filter { to == nil || $0.to == to }
    }

    func remove(_ kind: Kind, to: String?) {
        messages.withLock { messages in
            messages[kind, default: []].removeAll { to == nil || $0.to == to }
        }
    }
}
