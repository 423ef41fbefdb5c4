import AMQP
import Foundation
@testable import Messaging
import Postgres
import ServiceLifecycle
import TestKit
import Testing

@Suite("Messages that are made to harm, and ends amid an outage", .timeLimit(.minutes(15)))
struct HostileMessageTests {
    private struct Failure: Error {}

    /// Fails for `bad`, writes the others down.
    private static var handlers: MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(OrderPlaced.self) { received, transaction in
            if received.message.order == "bad" { throw Failure() }
            transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
        }
        return handlers
    }

    /// As another service would send them, with headers of its own. Repeated until the queue is there and bound.
    private func publish(
        _ services: TwoServices, _ messages: [(order: String, headers: [String: HeaderValue])]
    ) async throws {
        let publisher = Publisher(
            try services.configuration("hostile"), topology: ServiceTopology(service: "orders").exchanges,
            logger: TestThreads.logger)
        try await whileRunning([{ try await publisher.run() }]) {
            for message in messages {
                let properties = AMQP.MessageProperties(
                    messageID: UUID().text, type: OrderPlaced.name.text, headers: message.headers)
                let outbound = OutboundMessage(
                    exchange: "orders", routingKey: OrderPlaced.name.text,
                    body: Array(#"{"order":"\#(message.order)","number":1}"#.utf8), properties: properties)
                try await eventually("it is routed") {
                    do {
                        try await publisher.publish(outbound, deadline: .now + .seconds(20))
                        return true
                    } catch PublishError.unroutable {
                        return false
                    }
                }
            }
        }
    }

    @Test("Q2, P10: whatever count of failures a message claims, it ends as a dead letter and harms nobody")
    func forgedAttempts() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(Self.handlers, { $0.attemptLimit = 3 }) {
                try await publish(
                    services,
                    [.max, .min, -9, 1_000_000].map { ("bad", ["x-failed-attempts": .int($0)]) } + [("good", [:])])
                try await eventually("all of them are dead letters") {
                    try await services.host.queueDepth("ledger.events.dead") == 4
                }
                #expect(try await services.effects() == [Effect(name: "good", number: 1)])
                // One that is put back begins anew.
                let dead = try await services.host.get("ledger.events.dead", limit: 4)
                #expect(dead.allSatisfy { $0.properties.headers["x-failed-attempts"] == nil })
            }
        }
    }

    @Test("Q2, P10: messages whose headers leave no room for ours are dead letters, and take no worker with them")
    func largeHeaders() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(Self.handlers, { ($0.attemptLimit, $0.workers) = (3, 2) }) {
                let large = String(repeating: "x", count: 65_480)
                try await publish(
                    services, (0..<4).map { _ in ("bad", ["a": .string(large)]) } + [("good", [:])])
                try await eventually("the good one has its effect") {
                    try await services.effects() == [Effect(name: "good", number: 1)]
                }
                try await eventually("the others are dead letters") {
                    try await services.host.queueDepth("ledger.dead") == 4
                }
            }
        }
    }

    @Test("Q2: a runner that is told to stop while the database is away gives its messages back at once")
    func stopsInOutage() async throws {
        try await TwoServices.run { services in
            let nowhere = PostgresPool.Configuration(PostgresConfiguration(dsn: "postgres://nobody@127.0.0.1:1/none"))
            let away = PostgresPool(nowhere, thread: TestThreads.postgres, logger: TestThreads.logger)
            let asked = Seen<String>()
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, _ in
                asked.append(received.message.order)
                _ = try await away.query(Effects())
            }
            // Far longer than the test waits for the end.
            let (runner, publisher, _) = try services.makeConsumer(handlers, { $0.drainTimeout = .seconds(300) })
            let publishing = Task { try await publisher.run() }
            let group = ServiceGroup(services: [runner], logger: TestThreads.logger)
            let running = Task { try await group.run() }
            try await services.withRelay {
                for order in ["a", "b", "c"] { try await services.place(order, 1) }
                try await eventually("they wait for the database") {
                    // The first of a batch is asked again and again.
                    try await services.orders.first(UnpublishedCount()) == 0 && asked.count > 0
                }
            }
            let ended = Seen<Bool>()
            let ending = Task {
                await group.triggerGracefulShutdown()
                _ = await running.result
                ended.append(true)
            }
            try await eventually(within: .seconds(60), "the runner has ended") { ended.count == 1 }
            _ = await ending.result
            try await services.withConsumer(recording()) {
                try await eventually("another has them") { try await services.effects().count == 3 }
            }
            publishing.cancel()
            _ = await publishing.result
            await away.close()
        }
    }
}
