import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization

/// Posts the provider's events to the webhook until it answers with a 2xx, in no guaranteed order.
final class WebhookSender: Service {
    struct Target: Sendable, Equatable {
        /// Nil sends no events.
        var url: String?
        var secret: String
        /// The number of copies that are sent of each event.
        var copies: Int
    }

    struct Counts: Encodable, Sendable, Equatable {
        /// The number of events not yet answered with a 2xx.
        var pending = 0
        var delivered = 0
        var failedAttempts = 0
    }

    private struct State: Sendable {
        var target: Target
        var counts = Counts()
    }

    static let answerLimit: TimeAmount = .seconds(10)
    static let firstPause: Duration = .milliseconds(100)
    static let longestPause: Duration = .seconds(5)

    private let state: Mutex<State>
    private let waiting: AsyncStream<ProviderEvent>
    private let feed: AsyncStream<ProviderEvent>.Continuation
    private let logger: Logger

    init(_ target: Target, logger: Logger) {
        state = Mutex(State(target: target))
        (waiting, feed) = AsyncStream.makeStream()
        self.logger = logger
    }

    var counts: Counts { state.withLock { $0.counts } }
    var target: Target { state.withLock { $0.target } }

    /// Changes the target from the next attempt on, also for waiting events.
    func change(_ change: (inout Target) -> Void) {
        state.withLock { change(&$0.target) }
    }

    func send(_ event: ProviderEvent) {
        let copies = state.withLock { state in
            guard state.target.url != nil else { return 0 }
            state.counts.pending += state.target.copies
            return state.target.copies
        }
        for _ in 0..<copies { feed.yield(event) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { tasks in
                for await event in self.waiting {
                    tasks.addTask { await self.deliver(event) }
                }
            }
        }
    }

    private func deliver(_ event: ProviderEvent) async {
        let body = StripeJSON.event(event)
        var pause = Self.firstPause
        while !Task.isCancelled {
            if await attempt(event, body) {
                state.withLock {
                    $0.counts.pending -= 1
                    $0.counts.delivered += 1
                }
                return
            }
            state.withLock { $0.counts.failedAttempts += 1 }
            do { try await Task.sleep(for: pause) } catch { return }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func attempt(_ event: ProviderEvent, _ body: Data) async -> Bool {
        let target = target
        guard let url = target.url else { return false }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        let seconds = Int(Date().timeIntervalSince1970)
        request.headers.add(
            name: "Stripe-Signature",
            value: WebhookSignature.header(body: body, secret: target.secret, seconds: seconds))
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let answer = try await HTTPClient.shared.execute(request, timeout: Self.answerLimit)
            // Reads the body to its end, so that the connection can be reused.
            _ = try await answer.body.collect(upTo: 65_536)
            if (200..<300).contains(answer.status.code) { return true }
            logger.info("webhook refused", metadata: ["event": "\(event.id)", "status": "\(answer.status.code)"])
        } catch {
            logger.info("webhook not delivered", metadata: ["event": "\(event.id)", "error": "\(error)"])
        }
        return false
    }
}
