import AMQP
import Foundation
@testable import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@Suite("Consumers", .timeLimit(.minutes(15)))
struct ConsumerTests {
    private struct NotYet: Error {}

    @Test("the same message delivered five times at once to four consumers has one effect")
    func repeated() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(recording(), { $0.workers = 2 }) {
                try await services.withConsumer(recording(), { $0.workers = 2 }) {
                    let declared = TwoServices.topology.events([OrderPlaced.name])
                    let publisher = Publisher(
                        try services.configuration("repeat"), topology: declared, logger: TestThreads.logger)
                    try await whileRunning([{ try await publisher.run() }]) {
                        for number in 0..<40 {
                            let message = OrderPlaced(order: "order \(number)", number: number)
                            let wire = OutboundMessage(
                                exchange: "orders", routingKey: OrderPlaced.name.text,
                                body: try JSON.wire.encode(message),
                                properties: MessageProperties(
                                    messageID: UUID.timeOrdered().text, type: OrderPlaced.name.text))
                            let copies = Array(repeating: wire, count: 5)
                            for outcome in await publisher.publish(batch: copies, deadline: .now + .seconds(20)) {
                                try outcome.get()
                            }
                        }
                        try await eventually("all are handled") { try await services.effects().count >= 40 }
                        try await eventually("the queue is empty") {
                            try await services.host.queueDepth("ledger.events") == 0
                        }
                        let effects = try await services.effects()
                        #expect(effects.count == 40)
                        #expect(Set(effects).count == 40)
                    }
                }
            }
        }
    }

    @Test("a message that fails is tried again later while others go on, and succeeds")
    func transient() async throws {
        try await TwoServices.run { services in
            let tries = Seen<Int>()
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, transaction in
                if received.message.order == "late" {
                    tries.append(received.envelope.failedAttempts)
                    if received.envelope.failedAttempts < 2 { throw NotYet() }
                }
                transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
            }
            let failing = handlers
            try await services.withRelay {
                try await services.withConsumer(failing) {
                    try await services.place("late", 0)
                    for number in 1...20 { try await services.place("order \(number)", number) }
                    try await eventually("all have their effect") { try await services.effects().count == 21 }
                    #expect(Set(tries.all) == [0, 1, 2])
                }
            }
        }
    }

    @Test("a message that always fails becomes a dead letter with the reason, and the queue goes on")
    func poison() async throws {
        try await TwoServices.run { services in
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, transaction in
                if received.message.order == "poison" { throw NotYet() }
                if received.message.order == "hopeless" { throw PoisonMessage("no such order") }
                transaction.send(InsertEffect(name: received.message.order, number: 0))
            }
            let failing = handlers
            try await services.withRelay {
                try await services.withConsumer(failing, { $0.attemptLimit = 3 }) {
                    for order in ["poison", "hopeless", "good"] { try await services.place(order, 0) }
                    try await eventually("the good one has its effect") {
                        try await services.effects().map(\.name) == ["good"]
                    }
                    try await eventually("two dead letters") {
                        try await services.host.queueDepth("ledger.events.dead") == 2
                    }
                    let reasons = try await services.host.get("ledger.events.dead", limit: 2).compactMap {
                        $0.properties.headers["x-reason"]
                    }
                    #expect(reasons.contains("no such order"))
                    #expect(reasons.contains { $0.contains("failed 3 times") })
                    #expect(try await services.effects().count == 1)
                }
            }
        }
    }

    @Test("Q7: a message that did not come by its owner's exchange is a dead letter, whatever it calls itself")
    func forged() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(recording()) {
                let key = "payments.payment.held.v1"
                let queue = TwoServices.topology.eventsQueue
                let declared = TwoServices.topology.events([OrderPlaced.name]).merging(
                    Topology(
                        exchanges: [Exchange("payments", .topic)],
                        bindings: [Binding(queue: queue, exchange: "payments", routingKey: key)]))
                let publisher = Publisher(
                    try services.configuration("forger"), topology: declared, logger: TestThreads.logger)
                try await whileRunning([{ try await publisher.run() }]) {
                    for (exchange, routingKey) in [("payments", key), ("orders", OrderPlaced.name.text)] {
                        let properties = AMQP.MessageProperties(messageID: UUID().text, type: OrderPlaced.name.text)
                        try await publisher.publish(
                            OutboundMessage(
                                exchange: exchange, routingKey: routingKey,
                                body: Array(#"{"order":"\#(exchange)","number":1}"#.utf8), properties: properties),
                            deadline: .now + .seconds(20))
                    }
                    try await eventually("one dead letter") {
                        try await services.host.queueDepth("ledger.events.dead") == 1
                    }
                    try await eventually("the owner's has its effect") {
                        try await services.effects() == [Effect(name: "orders", number: 1)]
                    }
                }
            }
        }
    }

    @Test(
        "P10: a payload that does not decode is a dead letter at once, a name nobody knows when it has waited long enough"
    )
    func unreadable() async throws {
        try await TwoServices.run { services in
            try await services.withConsumer(recording(), { $0.unknownPatience = .seconds(1) }) {
                let declared = TwoServices.topology.events([OrderPlaced.name])
                let publisher = Publisher(
                    try services.configuration("odd"), topology: declared, logger: TestThreads.logger)
                try await whileRunning([{ try await publisher.run() }]) {
                    func send(_ body: String, id: String?, type: String?) async throws {
                        try await publisher.publish(
                            OutboundMessage(
                                exchange: "orders", routingKey: OrderPlaced.name.text, body: Array(body.utf8),
                                properties: MessageProperties(messageID: id, type: type)),
                            deadline: .now + .seconds(20))
                    }
                    try await send(#"{"order":"good","number":1}"#, id: UUID().text, type: OrderPlaced.name.text)
                    try await send("not json", id: UUID().text, type: OrderPlaced.name.text)
                    try await send(#"{"order":7}"#, id: UUID().text, type: OrderPlaced.name.text)
                    try await send("{}", id: UUID().text, type: "orders.order.unknown.v9")
                    try await send("{}", id: nil, type: nil)
                    try await eventually("four dead letters") {
                        try await services.host.queueDepth("ledger.events.dead") == 4
                    }
                    try await eventually("the good one has its effect") {
                        try await services.effects() == [Effect(name: "good", number: 1)]
                    }
                }
            }
        }
    }

    @Test("messages wait for a database that is away, and none becomes a dead letter")
    func outage() async throws {
        try await PrivatePostgres.withPrivatePostgres { server in
            try await TestBroker.withVirtualHost { host in
                let database = TestDatabase(dsn: server.url, name: "postgres")
                try await database.withPool { pool in
                    try await Migrator(pool, TwoServices.migrations, logger: TestThreads.logger).migrate()
                    let services = TwoServices(
                        orders: pool, ledger: pool, ordersDatabase: database, ledgerDatabase: database, host: host)
                    try await services.withRelay {
                        try await services.withConsumer(recording(), { $0.attemptLimit = 2 }) {
                            for number in 0..<10 { try await services.place("order \(number)", number) }
                            try await eventually("the first have their effect") {
                                try await services.effects().count == 10
                            }
                            for number in 10..<30 { try await services.place("order \(number)", number) }
                            try await server.kill()
                            try await server.start()
                            try await eventually(within: .seconds(30), "all have their effect") {
                                let effects = try await services.effects().count
                                let waiting = try await pool.first(UnpublishedCount()) ?? -1
                                return "\(effects) effects, \(waiting) not published"
                            } satisfies: {
                                $0.hasPrefix("30 effects")
                            }
                            #expect(try await host.queueDepth("ledger.events.dead") == 0)
                        }
                    }
                }
            }
        }
    }

    @Test("a command goes to the one service it asks, and what it causes carries its id and its trace")
    func causation() async throws {
        try await TwoServices.run { services in
            let trace = TraceContext.generate()
            let causes = Seen<Envelope>()
            let traces = Seen<TraceContext?>()
            var handlers = MessageHandlers()
            handlers.on(HoldMoney.self) { received, transaction in
                causes.append(received.envelope)
                traces.append(TraceContext.current)
                transaction.send(InsertEffect(name: received.message.order, number: received.message.amount))
                try transaction.publish(OrderRecorded(order: received.message.order))
            }
            let commands = handlers
            let id = try await TraceContext.$current.withValue(trace) {
                try await TraceContext.$currentRequestID.withValue("request 1") {
                    try await services.orders.withTransaction { try $0.publish(HoldMoney(order: "a", amount: 12_345)) }
                }
            }
            let declared = TwoServices.topology.commands(commands.names)
            try await services.withConsumer(queue: TwoServices.topology.commandsQueue, commands) {
                try await services.withRelay(topology: declared) {
                    try await eventually("it has its effect") {
                        try await services.effects() == [Effect(name: "a", number: 12_345)]
                    }
                }
            }
            let cause = try #require(causes.all.first)
            #expect(cause.id == id)
            #expect(cause.correlation == "a")
            #expect(cause.producer == "orders")
            #expect(cause.traceparent == trace.traceparent)
            #expect(cause.requestID == "request 1")
            #expect(traces.all.first??.traceID == trace.traceID)
            #expect(traces.all.first??.spanID != trace.spanID)
            let rows = try await services.ledger.query(OutboxCausations())
            #expect(rows.map(\.0) == [id])
            #expect(rows.map { $0.1.flatMap { TraceContext(traceparent: $0)?.traceID } } == [trace.traceID])
        }
    }

    @Test("a runner that is told to stop finishes what it began and leaves the rest to others")
    func drains() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                let (runner, publisher, _) = try services.makeConsumer(recording())
                let publishing = Task { try await publisher.run() }
                let running = Task { try await runner.run() }
                for number in 0..<200 { try await services.place("order \(number)", number) }
                running.cancel()
                _ = await running.result
                try await services.withConsumer(recording()) {
                    try await eventually("all have their effect, once") { try await services.effects().count >= 200 }
                    #expect(Set(try await services.effects()).count == 200)
                    #expect(try await services.effects().count == 200)
                }
                publishing.cancel()
                _ = await publishing.result
            }
        }
    }
}
