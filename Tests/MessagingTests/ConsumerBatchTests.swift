import AMQP
import Foundation
@testable import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@Suite("Batches of a consumer", .timeLimit(.minutes(15)))
struct ConsumerBatchTests {
    @Test("Q2: of a batch with repeats in it the others have their effect together, and the repeats none")
    func repeatsInBatch() async throws {
        try await TwoServices.run { services in
            let sizes = Seen<Int>()
            var handlers = MessageHandlers()
            handlers.onBatch(OrderPlaced.self) { batch, transaction in
                sizes.append(batch.count)
                for received in batch {
                    transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
                }
            }
            let wires = try (0..<40).map { number in
                OutboundMessage(
                    exchange: "orders", routingKey: OrderPlaced.name.text,
                    body: try JSON.wire.encode(OrderPlaced(order: "order \(number)", number: number)),
                    properties: MessageProperties(messageID: UUID.timeOrdered().text, type: OrderPlaced.name.text))
            }
            let publisher = Publisher(
                try services.configuration("repeat"), topology: TwoServices.topology.events([OrderPlaced.name]),
                logger: TestThreads.logger)
            let publish = { @Sendable (messages: [OutboundMessage]) async throws in
                for outcome in await publisher.publish(batch: messages, deadline: .now + .seconds(20)) {
                    try outcome.get()
                }
            }
            let batching = handlers
            let adjust = { (configuration: inout ConsumerRunner.Configuration) in
                configuration.workers = 1
                configuration.batchLimit = 200
                configuration.batchWindow = .milliseconds(100)
            }
            try await whileRunning([{ try await publisher.run() }]) {
                try await publish(Array(wires.prefix(10)))
                try await services.withConsumer(batching, adjust) {
                    try await eventually("the first are handled") { try await services.effects().count == 10 }
                    // Some were handled before, each of the others comes twice.
                    try await publish(wires + wires.suffix(20))
                    try await eventually("the rest is handled") { try await services.effects().count >= 40 }
                    try await eventually("the queue is empty") {
                        try await services.host.queueDepth("ledger.events") == 0
                    }
                }
            }
            let effects = try await services.effects()
            #expect(effects.count == 40)
            #expect(Set(effects).count == 40)
            #expect(sizes.all.count { $0 == 1 } < 10, "few were handled alone: \(sizes.all)")
        }
    }

    @Test("one message that fails in a batch does not take the others with it")
    func batchWithFailure() async throws {
        try await TwoServices.run { services in
            var handlers = MessageHandlers()
            handlers.onBatch(OrderPlaced.self) { batch, transaction in
                for received in batch {
                    if received.message.number == 13 { throw PoisonMessage("thirteen") }
                    transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
                }
            }
            let batching = handlers
            try await services.orders.withTransaction { transaction in
                for number in 0..<60 { try transaction.publish(OrderPlaced(order: "order \(number)", number: number)) }
            }
            try await services.withRelay {
                try await services.withConsumer(batching, { $0.batchWindow = .milliseconds(20) }) {
                    try await eventually("the others have their effect") { try await services.effects().count == 59 }
                    try await eventually("one dead letter") {
                        try await services.host.queueDepth("ledger.events.dead") == 1
                    }
                    #expect(try await services.effects().count == 59)
                }
            }
        }
    }
}
