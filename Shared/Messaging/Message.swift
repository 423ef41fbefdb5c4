/// What a service tells others, or asks of another.
///
/// The payload alone is the body on the wire: JSON, lowerCamelCase, ids and times as strings, money in minor units.
/// A new required field is a new version beside the old one; readers ignore fields they do not know.
public protocol Message: Codable, UsuallyWritten, Sendable {
    /// Written out, never derived from the type's name.
    static var name: MessageName { get }

    /// Whether it goes to everybody who listens, or to the one service that it asks.
    static var kind: MessageKind { get }

    /// Whether it waits in the outbox when no queue takes it: a command until one does, an event for as long as a reader
    /// may take to start (``Relay/Configuration/readerPatience``). False for events that are gone at once then.
    static var needsReader: Bool { get }

    /// The thing it is about. Messages of one aggregate are published in the order of their transactions, provided
    /// that these lock the aggregate's row. It is the correlation id too.
    var aggregate: String { get }

    /// Reads a body of the usual form, without Foundation: for messages that come by thousands a second.
    /// - Returns: nil, as an ``FastJSON/UnsupportedJSON`` that is thrown, leaves the body to Foundation.
    static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Self?
}

/// What may write itself as JSON: messages, and what stands in many of them.
public protocol UsuallyWritten: Encodable {
    /// The whole, without Foundation: the same JSON as Foundation's. Nil leaves it to Foundation.
    var usualBody: [UInt8]? { get }
}

extension Message {
    public static var kind: MessageKind { .event }
    public static var needsReader: Bool { true }
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Self? { nil }
    public var usualBody: [UInt8]? { nil }
}

public enum MessageKind: Sendable {
    /// Something that happened; told by its owner through the topic exchange of the owner's name.
    case event
    /// Something asked of a service; goes to that service's `<service>.commands`.
    case command
}

/// A wire name such as `dispatch.order.accepted.v1`: the owning service, what it is about, and a version.
/// It is the routing key too.
public struct MessageName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let text: String
    /// The first part: who tells an event, or of whom a command is asked.
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

    /// A literal that is no name is a fault of the program and stops it at once.
    public init(stringLiteral text: String) {
        guard let name = MessageName(parsing: text) else { preconditionFailure("not a message name: \(text)") }
        self = name
    }

    public var description: String { text }
}

extension Message {
    /// Where it is published.
    static var exchange: String {
        switch kind {
        case .event: name.service
        case .command: "\(name.service).commands"
        }
    }
}
