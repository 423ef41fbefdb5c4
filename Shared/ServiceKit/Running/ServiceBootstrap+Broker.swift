public import AMQP
import Logging
import ServiceLifecycle

extension ServiceBootstrap {
    /// How the service's own user reaches the broker.
    ///
    /// - Parameter purpose: ends the connection's name in the broker's list: `dispatch publisher`.
    public func broker(purpose: String) throws -> AMQPConfiguration {
        var url = try AMQPURL(try configuration[CommonKeys.amqpURL].revealed)
        if let file = try configuration[CommonKeys.amqpAuthorityFile] {
            url.tls = url.tls ?? AMQPURL.TLS()
            url.tls?.authorityFile = file
        }
        return AMQPConfiguration(url: url, connectionName: "\(name) \(purpose)")
    }

    /// The service's publisher and its component. Adds the health check `broker`: whether it is connected.
    ///
    /// The components after it do not wait for the broker: without one a service still answers, and its messages
    /// wait in the outbox.
    public func publisher(topology: Topology) throws -> (publisher: Publisher, component: ServiceComponent) {
        let publisher = Publisher(try broker(purpose: "publisher"), topology: topology, logger: logger)
        health.add(
            HealthCheck("broker") {
                guard publisher.isConnected else { throw BrokerNotConnected() }
            })
        return (publisher, ServiceComponent("publisher", stage: .publisher, PublisherService(publisher: publisher)))
    }
}

/// Runs a publisher, and lets it wait for its last confirms when the service ends.
struct PublisherService: Service {
    /// Of the ten seconds that a shutdown may take.
    static let closeLimit: Duration = .seconds(3)

    let publisher: Publisher

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await publisher.run()
        } onGracefulShutdown: {
            Task { await publisher.close(within: Self.closeLimit) }
        }
    }
}

struct BrokerNotConnected: Error, CustomStringConvertible {
    var description: String { "not connected" }
}
