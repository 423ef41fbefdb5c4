/// How a publisher or a consumer reaches the broker, and its limits.
public struct AMQPConfiguration: Sendable, CustomStringConvertible {
    /// Holds the password; its description does not.
    public var url: AMQPURL
    /// Shown in the broker's management pages and logs, and the label of the metrics.
    public var connectionName: String
    /// For TCP and TLS, and again for the login. Name resolution has the system's own limit besides.
    public var connectTimeout: Duration = .seconds(5)
    /// For each declaration that is waited for while connecting.
    public var requestTimeout: Duration = .seconds(10)
    /// The largest body that is published or received, in bytes.
    public var bodyLimitBytes = 16 << 20
    /// How long to wait between attempts to connect.
    public var reconnect = ReconnectPolicy()

    public init(url: AMQPURL, connectionName: String) {
        self.url = url
        self.connectionName = connectionName
    }

    public init(url: String, connectionName: String) throws(AMQPURL.ParseError) {
        self.init(url: try AMQPURL(url), connectionName: connectionName)
    }

    public var description: String { "\(connectionName) at \(url)" }

    /// The largest frame that we accept; the broker may lower it.
    static let frameLimitBytes = 131_072
}
