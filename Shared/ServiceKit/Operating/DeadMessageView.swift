import Foundation
import Hummingbird
import Messaging
import SeraiJSON

struct DeadMessageView: ResponseEncodable, Sendable {
    let id: String
    let service: String
    let queue: String
    let message: String?
    let name: String?
    let aggregate: String?
    let producer: String?
    let occurredAt: Date?
    let failedAt: Date
    let reason: String
    let failures: Int?
    let state: String
    let decidedAt: Date?
    let isRetriable: Bool
    let bytes: Int?
    /// Only where one message is looked at.
    let body: JSONValue?

    init(_ message: DeadMessage, of service: String, body: JSONValue? = nil) {
        id = message.id.text
        self.service = service
        queue = message.queue
        self.message = message.message?.text
        name = message.name
        aggregate = message.aggregate
        producer = message.producer
        occurredAt = message.occurredAt
        failedAt = message.failedAt
        reason = message.reason
        failures = message.failures
        state = message.state.rawValue
        decidedAt = message.decidedAt
        isRetriable = message.isRetriable && message.state == .waiting
        bytes = message.bytes
        self.body = body
    }
}

/// A message's body as an operator may see it.
enum ShownBody {
    /// A longer one, or one that is no JSON object, is not shown.
    static let limit = 65_536

    /// Names of fields that are never shown, beside those that are never logged. What is sealed stays so; codes, keys
    /// and links let whoever reads them act as somebody else.
    private static let hidden = LogRedaction(additionalWords: [
        "sealed", "code", "codes", "key", "keys", "hash", "link", "url", "nonce", "proof", "ticket",
    ])

    static func of(_ body: [UInt8]) -> JSONValue? {
        guard body.count <= limit else { return nil }
        // try?: what is no JSON may be why it is a dead message.
        guard case .object(let members)? = try? JSONValue(parsing: body) else { return nil }
        return shown(.object(members))
    }

    private static func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, hidden.hides(name) ? .string(LogRedaction.placeholder) : shown(value))
                    }))
        case .array(let elements): .array(elements.map(shown))
        default: value
        }
    }
}
