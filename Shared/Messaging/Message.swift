/// An event that a service publishes, or a command to a service.
///
/// The body on the wire is the payload alone, in the form `JSON.wire`: lowerCamelCase, ids and times as strings, money in minor units. A
/// new required field needs a new version beside the old one; readers ignore unknown fields.
public protocol Message: Codable, Sendable {
    /// The wire name, written out and never derived from the type's name.
    static var name: MessageName { get }

    /// Whether it goes to all subscribers, or to the one service that it asks.
    static var kind: MessageKind { get }

    /// Whether it waits in the outbox when no queue takes it: a command until a queue does, an event for as long as a
    /// reader may need to start (``Relay/Configuration/readerPatience``). An event with false is dropped at once then.
    static var needsReader: Bool { get }

    /// The id of the aggregate. Messages of one aggregate are published in the order of their transactions, provided
    /// that these lock the aggregate's row. It is also the correlation id.
    var aggregate: String { get }
}

extension Message {
    public static var kind: MessageKind { .event }
    public static var needsReader: Bool { true }
}

public enum MessageKind: Sendable {
    /// A fact, published by its owner through the topic exchange with the owner's name.
    case event
    /// A request to a service, published to its exchange `<service>.commands`.
    case command
}

/// A wire name such as `dispatch.order.accepted.v1`: the owning service, the subject, and a version. It is also the
/// routing key.
public struct MessageName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let text: String
    /// The first part: the service that publishes an event, or receives a command.
    public let service: String

    public init?(parsing text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isVersioned = parts.last?.wholeMatch(of: /v[1-9][0-9]*/) != nil
        guard parts.count >= 3, isVersioned, text.utf8.count <= 200,
            parts.allSatisfy({ $0.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil })
        else { return nil }
        self.text = text
        self.service = String(parts[0])
    }

    /// A literal that is not a valid name is a programming error and stops the program at once.
    public init(stringLiteral text: String) {
        guard let name = MessageName(parsing: text) else { preconditionFailure("not a message name: \(text)") }
        self = name
    }

    public var description: String { text }
}

extension Message {
    /// The exchange to which it is published.
    static var exchange: String {
        switch kind {
        case .event: name.service
        case .command: "\(name.service).commands"
        }
    }
}
