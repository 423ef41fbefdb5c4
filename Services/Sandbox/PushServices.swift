import Foundation
import Synchronization

/// What the services that bring push messages to devices were given: a browser's (RFC 8030), Firebase Cloud Messaging
/// and Apple's. Each can be told to answer otherwise for a while.
final class PushServices: Sendable {
    enum Kind: String, Codable, Sendable, CaseIterable { case web, fcm, apns }

    struct Message: Codable, Sendable, Equatable {
        /// The name in the endpoint, the registration token or the device token.
        let to: String
        /// Lower case.
        let headers: [String: String]
        /// As it came, in base64: what goes to a browser is encrypted.
        let body: String
    }

    /// An answer in place of the usual one.
    struct Answer: Codable, Sendable, Equatable {
        let status: Int
        var retryAfter: Int?
        /// JSON, such as Apple's `{"reason": …}`.
        var body: String?
        /// Whether the message is kept nevertheless, as by a service that dies before its answer.
        var keeps: Bool?
    }

    static let limit = 1_000

    private struct State {
        var messages: [Kind: [Message]] = [:]
        /// By kind and device; `*` is every device.
        var answers: [Kind: [String: Answer]] = [:]
        var tries: [Kind: Int] = [:]
        var tokens = 0
    }

    private let state = Mutex(State())

    /// The messages, oldest first. - Parameter device: nil for all.
    func messages(_ kind: Kind, to device: String? = nil) -> [Message] {
        state.withLock { $0.messages[kind, default: []] }.filter { device == nil || $0.to == device }
    }

    /// How often something was sent, taken or not.
    func tries(_ kind: Kind) -> Int { state.withLock { $0.tries[kind, default: 0] } }

    /// How many access tokens FCM's account has asked for.
    var tokens: Int { state.withLock { $0.tokens } }

    /// - Parameter answer: nil is the usual one again.
    func answer(_ kind: Kind, to device: String = "*", with answer: Answer?) {
        state.withLock { $0.answers[kind, default: [:]][device] = answer }
    }

    /// Takes a message, unless another answer is set.
    func take(_ message: Message, _ kind: Kind) -> Answer? {
        state.withLock { state in
            state.tries[kind, default: 0] += 1
            let answer = state.answers[kind]?[message.to] ?? state.answers[kind]?["*"]
            if answer == nil || answer?.keeps == true || (200..<300).contains(answer?.status ?? 0) {
                state.messages[kind, default: []].append(message)
                if state.messages[kind, default: []].count > Self.limit {
                    state.messages[kind, default: []].removeFirst()
                }
            }
            return answer
        }
    }

    /// - Returns: an access token.
    func grant() -> String {
        let number = state.withLock { state in
            state.tokens += 1
            return state.tokens
        }
        return "ya29.sandbox-\(number)"
    }
}
