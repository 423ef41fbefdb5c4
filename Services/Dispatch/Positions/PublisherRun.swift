import AMQP
import ServiceLifecycle

/// Runs the publisher of positions. At the end nothing is waited for long: what is not sent is worth nothing soon.
struct PublisherRun: Service {
    let publisher: Publisher

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await publisher.run()
        } onGracefulShutdown: {
            Task { await publisher.close(within: .milliseconds(500)) }
        }
    }
}
