import AMQP
import Foundation
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("The order within a batch", .timeLimit(.minutes(15)))
struct BatchOrderTests {
    @Test("a batch is handled by what its messages are about, those about one thing as they came")
    func byAggregate() async throws {
        try await TwoServices.run { services in
            var handlers = MessageHandlers()
            handlers.onBatch(OrderPlaced.self) { batch, transaction in
                for (place, received) in batch.enumerated() {
                    transaction.send(
                        InsertEffect(name: received.message.order, number: received.message.number * 1_000 + place))
                }
            }
            let batching = handlers
            try await services.orders.withTransaction { transaction in
                for number in 0..<8 {
                    for order in ["d", "b", "a", "c"] {
                        try transaction.publish(OrderPlaced(order: order, number: number))
                    }
                }
            }
            try await services.withRelay(topology: TwoServices.topology.events([OrderPlaced.name])) {
                try await eventually("all wait in the queue") {
                    try await services.host.queueDepth("ledger.events") == 32
                }
                try await services.withConsumer(batching, { $0.workers = 1 }) {
                    try await eventually("all have their effect") { try await services.effects().count == 32 }
                    let effects = try await services.effects()
                    // A place of zero begins a batch.
                    let starts = effects.indices.filter { effects[$0].number % 1_000 == 0 } + [effects.count]
                    #expect(starts.count < 20, "no batches to look at")
                    for (start, end) in zip(starts, starts.dropFirst()) {
                        let names = effects[start..<end].map(\.name)
                        #expect(names == names.sorted())
                    }
                    for order in ["a", "b", "c", "d"] {
                        let numbers = effects.filter { $0.name == order }.map { $0.number / 1_000 }
                        #expect(numbers == Array(0..<8), "\(order)")
                    }
                }
            }
        }
    }

    @Test("a batch that keeps the queue's order is handled as it came, whatever its messages are about")
    func inOrder() async throws {
        try await TwoServices.run { services in
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, transaction in
                transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
            }
            let handling = handlers
            try await services.orders.withTransaction { transaction in
                for number in 0..<32 {
                    try transaction.publish(OrderPlaced(order: "order \(99 - number)", number: number))
                }
            }
            try await services.withRelay(topology: TwoServices.topology.events([OrderPlaced.name])) {
                try await eventually("all wait in the queue") {
                    try await services.host.queueDepth("ledger.events") == 32
                }
                try await services.withConsumer(
                    handling,
                    {
                        $0.workers = 1
                        $0.keepsQueueOrder = true
                    }
                ) {
                    try await eventually("all have their effect") { try await services.effects().count == 32 }
                    #expect(try await services.effects().map(\.number) == Array(0..<32))
                }
            }
        }
    }

    @Test("batches that lock the same things in the queue's order never wait for each other in a circle")
    func noDeadlock() async throws {
        try await TwoServices.run { services in
            let runs = Seen<Int>()
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, transaction in
                runs.append(received.message.number)
                _ = try await transaction.query(LockAggregate(name: received.message.order))
                transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
            }
            let locking = handlers
            var generator = SeededGenerator()
            try await services.orders.withTransaction { transaction in
                for number in 0..<600 {
                    let order = "order \(Int.random(in: 0..<12, using: &generator))"
                    try transaction.publish(OrderPlaced(order: order, number: number))
                }
            }
            try await services.withRelay {
                try await services.withConsumer(locking, { $0.batchWindow = .milliseconds(20) }) {
                    try await eventually("all have their effect") { try await services.effects().count == 600 }
                }
            }
            // A circle would have been broken by the database, and the transaction tried again.
            #expect(runs.count == 600, "\(generator)")
        }
    }
}

/// A row that several messages of a batch change.
private struct LockAggregate: Statement {
    static let sql: SQL = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
