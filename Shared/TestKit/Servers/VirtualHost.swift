import Foundation
import NIOHTTP1

/// A virtual host of a RabbitMQ server: queues, exchanges and connections that no other test sees.
///
/// It works through the management API, beside the layer under test.
public struct VirtualHost: Sendable {
    /// Unique among all runs.
    public let name: String
    /// `amqp://user:password@host:port/name`; the user is this virtual host's own. Holds a password: never log it.
    public let url: String
    private let password: String
    private let management: ManagementAPI

    /// One that is there, with the user of its URL.
    static func existing(_ name: String, amqp: String, management url: String) throws -> VirtualHost {
        VirtualHost(
            name: name, url: amqp, password: URLComponents(string: amqp)?.password ?? "",
            management: try ManagementAPI(url: url))
    }

    static func create(amqp: String, management url: String) async throws -> VirtualHost {
        let management = try ManagementAPI(url: url)
        let host = VirtualHost(name: "test-\(UUID().uuidString.lowercased())", amqp: amqp, management: management)
        try await management.send(.PUT, ["vhosts", host.name])
        try await management.send(.PUT, ["users", host.name], body: User(password: host.password))
        // The test's connections are those of its user; the management API's own requests come from the administrator.
        for user in [host.name, management.user] {
            try await management.send(.PUT, ["permissions", host.name, user], body: Permissions())
        }
        return host
    }

    private init(name: String, amqp: String, management: ManagementAPI) {
        let password = UUID().uuidString
        self.init(
            name: name, url: Self.url(amqp, name: name, password: password), password: password, management: management)
    }

    private init(name: String, url: String, password: String, management: ManagementAPI) {
        self.name = name
        self.url = url
        self.password = password
        self.management = management
    }

    private static func url(_ server: String, name: String, password: String) -> String {
        guard var parts = URLComponents(string: server) else { return server }
        parts.user = name
        parts.password = password
        parts.percentEncodedPath = "/" + ManagementAPI.percentEncoded(name)
        return parts.string ?? server
    }

    /// The same virtual host by another URL of the same server, such as `amqps`.
    /// - Parameter url: `amqp[s]://host:port/`; its user and path are replaced.
    public func url(at url: String) -> String {
        Self.url(url, name: name, password: password)
    }

    /// Makes a user that has these permissions on this virtual host (regular expressions on names of exchanges and
    /// queues) and no other. It goes with the virtual host.
    /// - Returns: the URL of the virtual host by this user.
    public func user(configure: String, write: String, read: String) async throws -> String {
        let user = "\(name)-\(UUID().uuidString.prefix(8).lowercased())"
        let password = UUID().uuidString
        // The tag lets it use the management API, within its permissions.
        try await management.send(.PUT, ["users", user], body: User(password: password, tags: "management"))
        let permissions = Permissions(configure: configure, write: write, read: read)
        try await management.send(.PUT, ["permissions", name, user], body: permissions)
        guard var parts = URLComponents(string: url) else { return url }
        parts.user = user
        parts.password = password
        return parts.string ?? url
    }

    /// Declares a durable exchange.
    public func declareExchange(_ exchange: String, kind: String = "topic") async throws {
        try await management.send(.PUT, ["exchanges", name, exchange], body: ExchangeDeclaration(type: kind))
    }

    /// Deletes an exchange as the user of a URL that ``user(configure:write:read:)`` gave, or as the administrator.
    /// - Throws: ``ManagementAPIError`` with 401 when the user may not.
    public func deleteExchange(_ exchange: String, as url: String? = nil) async throws {
        let parts = url.flatMap { URLComponents(string: $0) }
        let api = management.by(user: parts?.user, password: parts?.password)
        try await api.send(.DELETE, ["exchanges", name, exchange])
    }

    /// Whether there is such an exchange.
    public func hasExchange(_ exchange: String) async throws -> Bool {
        try await management.send(.GET, ["exchanges", name, exchange]) != nil
    }

    /// Deletes the virtual host and its users; the broker closes its connections. Deleting it twice is no error.
    public func delete() async throws {
        let users = try await management.get([Permitted].self, ["vhosts", name, "permissions"]) ?? []
        try await management.send(.DELETE, ["vhosts", name])
        for user in [name] + users.map(\.user).filter({ $0.hasPrefix("\(name)-") }) {
            try await management.send(.DELETE, ["users", user])
        }
    }

    func deletedAfter<R>(_ body: (VirtualHost) async throws -> R) async throws -> R {
        let result: R
        do {
            result = try await body(self)
        } catch {
            await deleteIgnoringErrors()
            throw error
        }
        await deleteIgnoringErrors()
        return result
    }

    /// In a task of its own: the caller's may be cancelled.
    private func deleteIgnoringErrors() async {
        // The body may have stopped the server. A left-over virtual host has a unique name and disturbs nobody.
        await Task.detached { try? await delete() }.value
    }

    // MARK: Connections

    /// The names of the open connections.
    public func connections() async throws -> [String] {
        try await management.get([Connection].self, ["connections", "username", name])?.map(\.name) ?? []
    }

    /// Makes the broker close connections (`connection.close`, code 320), as an operator would.
    /// - Parameter count: waits until so many are open, and closes them all.
    /// - Throws: ``EventuallyError`` if there are not so many within 10 s.
    public func closeAllConnections(atLeast count: Int = 1) async throws {
        try await eventually("\(count) connections of \(name) are open", value: connections) { $0.count >= count }
        // By the user, since the broker closes one connection by its name only once it has statistics, after up to 5 s.
        try await management.send(.DELETE, ["connections", "username", name])
    }

    // MARK: Queues and messages

    /// Messages in the queue, ready and unacknowledged; nil if there is no such queue.
    ///
    /// Of a quorum queue it is the last report, up to a second old (5 s on a server with RabbitMQ's own settings): probe
    /// it with ``eventually``.
    public func queueDepth(_ queue: String) async throws -> Int? {
        // These totals are read when asked for; the queue's own page shows statistics up to 5 s old.
        let query = "?disable_stats=true&enable_queue_totals=true"
        let queues = try await management.get([Depth].self, ["queues", name], query: query) ?? []
        return queues.first { $0.name == queue }.map { $0.messages ?? 0 }
    }

    /// Declares a durable queue. Declaring it again with the same arguments is no error.
    public func declareQueue(_ queue: String, quorum: Bool = true) async throws {
        let declaration = Declaration(arguments: quorum ? ["x-queue-type": "quorum"] : [:])
        try await management.send(.PUT, ["queues", name, queue], body: declaration)
    }

    /// Deletes a queue with its messages; its consumers get `basic.cancel`.
    public func deleteQueue(_ queue: String) async throws {
        try await management.send(.DELETE, ["queues", name, queue])
    }

    /// Publishes a text, persistent.
    /// - Parameter exchange: `amq.default` is the default exchange, where the routing key is a queue's name.
    /// - Returns: whether any queue got it.
    @discardableResult
    public func publish(
        _ payload: String, exchange: String = "amq.default", routingKey: String, properties: MessageProperties = .init()
    ) async throws -> Bool {
        let body = Publication(properties: properties, routing_key: routingKey, payload: payload)
        let path = ["exchanges", name, exchange, "publish"]
        // A quorum queue that is busy choosing its leader refuses a message, which is then in no queue.
        let taken = try await eventually("the queue takes the message") {
            try await management.send(.POST, path, body: body)
        } satisfies: { _ in
            true
        }
        guard let answer = taken else {
            throw ManagementAPIError(request: "publish to \(exchange)", status: 404, text: "no such exchange")
        }
        return try JSONDecoder().decode(PublicationAnswer.self, from: answer).routed
    }

    /// Takes up to `limit` messages off the queue.
    public func get(_ queue: String, limit: Int = 1) async throws -> [QueuedMessage] {
        let body = Get(count: limit)
        guard let answer = try await management.send(.POST, ["queues", name, queue, "get"], body: body) else {
            throw ManagementAPIError(request: "get from \(queue)", status: 404, text: "no such queue")
        }
        return try JSONDecoder().decode([QueuedMessage].self, from: answer)
    }
}

// The API's own field names.

private struct Permissions: Encodable {
    var configure = ".*"
    var write = ".*"
    var read = ".*"
}

private struct Permitted: Decodable {
    let user: String
}

private struct User: Encodable {
    let password: String
    var tags = ""
}

private struct ExchangeDeclaration: Encodable {
    let type: String
    let durable = true
}

private struct Connection: Decodable {
    let name: String
}

private struct Depth: Decodable {
    let name: String
    let messages: Int?
}

private struct Declaration: Encodable {
    let durable = true
    let arguments: [String: String]
}

private struct Publication: Encodable {
    let properties: MessageProperties
    let routing_key: String
    let payload: String
    let payload_encoding = "string"
}

private struct PublicationAnswer: Decodable {
    let routed: Bool
}

private struct Get: Encodable {
    let count: Int
    let ackmode = "ack_requeue_false"
    let encoding = "auto"
}
