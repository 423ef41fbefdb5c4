import AMQP
import Foundation
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("Failures that are no fault of the message", .timeLimit(.minutes(15)))
struct UncountedTests {
    private static let queue = TwoServices.topology.eventsQueue

    @Test(
        "Q2: a message that meets a locked table or a limit of time is delayed, never counted, and has its effect",
        arguments: [true, false])
    func circumstances(isLock: Bool) async throws {
        try await TwoServices.run { services in
            try await services.ledgerDatabase.withPool(maximum: 8) {
                if isLock {
                    $0.connection.lockTimeout = .milliseconds(100)
                } else {
                    $0.connection.statementTimeout = .milliseconds(100)
                }
            } _: { impatient in
                let short = TwoServices(
                    orders: services.orders, ledger: impatient, ordersDatabase: services.ordersDatabase,
                    ledgerDatabase: services.ledgerDatabase, host: services.host)
                let tries = Seen<Int>()
                var handlers = MessageHandlers()
                handlers.on(OrderPlaced.self) { received, transaction in
                    tries.append(received.envelope.failedAttempts)
                    _ = try await transaction.execute(
                        InsertEffect(name: received.message.order, number: received.message.number))
                }
                let counted = handlers
                try await short.withRelay {
                    try await short.withConsumer(counted, { $0.attemptLimit = 2 }) {
                        try await services.ledger.withTransaction { transaction in
                            _ = try await transaction.execute(LockEffects())
                            try await services.place("a", 1)
                            try await eventually("it has been tried often") { tries.count >= 5 }
                        }
                        try await eventually("it has its effect") {
                            try await services.effects() == [Effect(name: "a", number: 1)]
                        }
                        #expect(tries.all.allSatisfy { $0 == 0 })
                        #expect(try await services.host.queueDepth("\(Self.queue).dead") == 0)
                    }
                }
            }
        }
    }

    private func publish(_ services: TwoServices, _ order: String) async throws {
        try await services.host.publish(
            #"{"order":"\#(order)"}"#, exchange: "orders", routingKey: OrderArchived.name.text,
            properties: TestKit.MessageProperties(messageID: UUID().text, type: OrderArchived.name.text))
    }

    /// As a process of a newer version leaves the queue behind.
    private func declare(_ topology: Topology, _ services: TwoServices) async throws {
        let publisher = Publisher(try services.configuration("declare"), topology: topology, logger: TestThreads.logger)
        try await whileRunning([{ try await publisher.run() }]) {
            try await eventually("it is declared") { publisher.isConnected }
        }
    }

    private static var newer: MessageHandlers {
        var handlers = recording()
        handlers.on(OrderArchived.self) { received, transaction in
            transaction.send(InsertEffect(name: received.message.order, number: received.envelope.failedAttempts))
        }
        return handlers
    }

    @Test(
        "Q2: a message that an old process does not know waits uncounted, while others go on, until a newer one has it")
    func unknownName() async throws {
        try await TwoServices.run { services in
            try await declare(TwoServices.topology.events([OrderPlaced.name, OrderArchived.name]), services)
            try await services.withRelay {
                try await services.withConsumer(recording(), { $0.attemptLimit = 1 }) {
                    for order in ["x", "y"] { try await publish(services, order) }
                    try await eventually("it is parked") {
                        try await services.host.queueDepth("\(Self.queue).parked") == 2
                    }
                    try await services.place("known", 1)
                    try await eventually("the known one has its effect") { try await services.effects().count == 1 }
                }
            }
            try await services.withConsumer(Self.newer) {
                try await eventually("the newer process has them") {
                    try await Set(services.effects().map(\.name)) == ["known", "x", "y"]
                }
            }
            for queue in ["ledger.dead", "\(Self.queue).dead"] {
                #expect(try await services.host.queueDepth(queue) == 0)
            }
        }
    }

    @Test(
        "Q2: a message that stays unknown is a dead letter of its consumer with the reason, and begins anew when put back"
    )
    func givenUp() async throws {
        try await TwoServices.run { services in
            try await declare(TwoServices.topology.events([OrderArchived.name]), services)
            try await services.withConsumer(recording(), { $0.unknownPatience = .seconds(2) }) {
                try await publish(services, "x")
                try await eventually("it is a dead letter") {
                    try await services.host.queueDepth("\(Self.queue).dead") == 1
                }
            }
            let dead = try #require(try await services.host.get("\(Self.queue).dead").first)
            #expect(
                dead.properties.headers["x-reason"]?.hasPrefix("nothing here handles orders.order.archived.v1") == true)
            #expect(dead.properties.headers["x-consumer"] == Self.queue)
            #expect(dead.properties.headers["x-delays"] == nil && dead.properties.headers["x-unknown-since"] == nil)
            try await services.host.publish(dead.payload, routingKey: Self.queue, properties: dead.properties)
            try await services.withConsumer(Self.newer) {
                try await eventually("it has its effect") { try await services.effects().map(\.name) == ["x"] }
            }
        }
    }

    @Test("Q2: whatever a message claims of its delays, it is handled or waits its time")
    func forgedDelays() async throws {
        try await TwoServices.run { services in
            try await declare(TwoServices.topology.events([OrderPlaced.name, OrderArchived.name]), services)
            try await services.withConsumer(recording()) {
                for (index, value) in ["9223372036854775807", "-1", "x"].enumerated() {
                    for name in [OrderPlaced.name, OrderArchived.name] {
                        try await services.host.publish(
                            #"{"order":"\#(index)","number":1}"#, exchange: "orders", routingKey: name.text,
                            properties: TestKit.MessageProperties(
                                messageID: UUID().text, type: name.text,
                                headers: ["x-delays": value, "x-unknown-since": value]))
                    }
                }
                try await eventually("the known ones have their effect") { try await services.effects().count == 3 }
            }
            try await services.withConsumer(Self.newer) {
                try await eventually("and so have the others") { try await services.effects().count == 6 }
            }
        }
    }

    @Test("I12: dead letters of a queue go when their time is over, and the oldest when they are too many")
    func deadLettersEnd() async throws {
        try await TwoServices.run { services in
            let short = ServiceTopology(service: "short", deadTime: .milliseconds(300))
            let small = ServiceTopology(service: "small", deadLimit: 3)
            try await declare(short.events([]).merging(small.events([])), services)
            for number in 0..<6 {
                for service in ["short", "small"] {
                    try await services.host.publish("\(number)", routingKey: "\(service).events.dead")
                }
            }
            try await eventually("their time is over") { try await services.host.queueDepth("short.events.dead") == 0 }
            let kept = try await services.host.get("small.events.dead", limit: 10).map(\.payload)
            #expect(kept == ["3", "4", "5"])
        }
    }

    /// As the version before declared it.
    private static var earlier: Topology {
        let (queue, failed) = (queue, "ledger.failed")
        func back(_ key: String) -> DeadLetter { DeadLetter(exchange: failed, routingKey: key) }
        let retries = [("\(queue).retry.1", Duration.milliseconds(50)), ("\(queue).retry.2", .milliseconds(100))]
        return Topology(
            exchanges: [
                Exchange("ledger", .topic), Exchange("ledger.commands", .direct), Exchange(failed, .direct),
                Exchange("orders", .topic),
            ],
            queues: [.quorum(queue, deliveryLimit: 20, deadLetter: back("ledger.dead")), .quorum("ledger.dead")]
                + retries.map { .quorum($0.0, deadLetter: back(queue), messageTTL: $0.1) },
            bindings: ([queue, "ledger.dead"] + retries.map(\.0)).map {
                Binding(queue: $0, exchange: failed, routingKey: $0)
            } + [Binding(queue: queue, exchange: "orders", routingKey: OrderPlaced.name.text)])
    }

    @Test("Q2: a broker that has the queues of the version before takes this version's, and the other way round")
    func upgrade() async throws {
        try await TwoServices.run { services in
            try await declare(Self.earlier, services)
            try await services.host.publish("old", routingKey: "ledger.dead")
            try await services.host.publish(
                #"{"order":"before","number":1}"#, exchange: "orders", routingKey: OrderPlaced.name.text,
                properties: TestKit.MessageProperties(messageID: UUID().text, type: OrderPlaced.name.text))
            try await services.withConsumer(recording()) {
                try await eventually("what waited has its effect") {
                    try await services.effects().map(\.name) == ["before"]
                }
                try await publish(services, "unbound")
                try await services.host.publish("no message", routingKey: Self.queue)
                try await eventually("what cannot be read is a dead letter of its queue") {
                    try await services.host.queueDepth("\(Self.queue).dead") == 1
                }
                // A process of the version before starts again beside this one.
                try await declare(Self.earlier, services)
            }
            #expect(try await services.host.queueDepth("ledger.dead") == 1)
        }
    }
}

private struct LockEffects: Statement {
    static let sql: SQL = "LOCK TABLE effects IN EXCLUSIVE MODE"
}
