import AMQP
import ServiceLifecycle

/// Runs the publisher of positions. Its shutdown waits at most 500 ms, since unsent positions soon have no value.
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
