import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Listens for webhooks, refuses the first few, and keeps the rest.
final class WebhookReceiver: Sendable {
    struct Received: Sendable {
        let body: Data
        let signature: String
    }

    struct Event: Decodable, Sendable, Equatable {
        struct Payload: Decodable, Sendable, Equatable { let object: Object }
        struct Object: Decodable, Sendable, Equatable {
            let id: String
            var amountRefunded: Int?
        }
        let id, type: String
        let apiVersion: String
        let data: Payload
    }

    private struct State: Sendable {
        var received: [Received] = []
        var refusals: Int
    }

    private let state: Mutex<State>

    private init(refusing count: Int) {
        state = Mutex(State(refusals: count))
    }

    var received: [Received] { state.withLock { $0.received } }

    var events: [Event] {
        get throws {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try received.map { try decoder.decode(Event.self, from: $0.body) }
        }
    }

    /// - Parameter count: how many attempts are answered with a 500.
    static func withReceiver(
        refusing count: Int = 0, _ body: @Sendable (_ receiver: WebhookReceiver, _ url: String) async throws -> Void
    ) async throws {
        let receiver = WebhookReceiver(refusing: count)
        var logger = Logger(label: "receiver")
        logger.logLevel = .error
        let (ports, feed) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.post("hook") { request, _ in
            let signature = request.headers.first { $0.name.canonicalName == "stripe-signature" }?.value ?? ""
            let body = try await request.body.collect(upTo: 65_536)
            return receiver.take(Received(body: Data(body.readableBytesView), signature: signature))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                feed.yield(channel.localAddress?.port ?? 0)
                feed.finish()
            }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let port = await iterator.next() ?? 0
            do {
                try await body(receiver, "http://127.0.0.1:\(port)/hook")
                await group.triggerGracefulShutdown()
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            try await tasks.waitForAll()
        }
    }

    private func take(_ message: Received) -> HTTPResponse.Status {
        state.withLock { state in
            guard state.refusals == 0 else {
                state.refusals -= 1
                return .internalServerError
            }
            state.received.append(message)
            return .ok
        }
    }
}
