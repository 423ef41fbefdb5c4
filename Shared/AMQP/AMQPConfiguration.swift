/// The broker's address for a publisher or consumer, and the limits.
public struct AMQPConfiguration: Sendable, CustomStringConvertible {
    /// Contains the password; its description does not.
    public var url: AMQPURL
    /// Shown in the broker's management pages and logs; also the label of the metrics.
    public var connectionName: String
    /// For TCP and TLS, and again for the login. Name resolution has the system's own limit in addition. Several hosts are tried
    /// in turn, and each has its part of this time, so that one that is silent leaves time for the others.
    public var connectTimeout: Duration = .seconds(5)
    /// For each declaration that is awaited while connecting.
    public var requestTimeout: Duration = .seconds(10)
    /// The largest body that is published or received, in bytes.
    public var bodyLimitBytes = 16 << 20
    /// The pauses between tries to connect.
    public var reconnect = ReconnectPolicy()

    public init(url: AMQPURL, connectionName: String) {
        self.url = url
        self.connectionName = connectionName
    }

    public init(url: String, connectionName: String) throws(AMQPURL.ParseError) {
        self.init(url: try AMQPURL(url), connectionName: connectionName)
    }

    public var description: String { "\(connectionName) at \(url)" }

    /// For each host.
    var hostTimeout: Duration { connectTimeout / max(url.hosts.count, 1) }

    /// The largest accepted frame; the broker may lower it.
    static let frameLimitBytes = 131_072
}
