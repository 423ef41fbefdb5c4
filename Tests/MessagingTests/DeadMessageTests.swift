import AMQP
import Foundation
import Locks
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("Dead messages are rows, and are put back or dropped", .timeLimit(.minutes(15)))
struct DeadMessageTests {
    /// Orders that fail, until somebody has mended the cause.
    private final class Broken: Sendable {
        private let orders = Mutex<Set<String>>(["bad"])
        func mend() { orders.withLock { $0 = [] } }
        func contains(_ order: String) -> Bool { orders.withLock { $0.contains(order) } }
    }

    private static let queue = TwoServices.topology.eventsQueue
    private static let dead = ServiceTopology.deadQueue(of: queue)

    private func handlers(_ broken: Broken) -> MessageHandlers {
        var handlers = MessageHandlers()
        handlers.on(OrderPlaced.self) { received, transaction in
            if broken.contains(received.message.order) { throw PoisonMessage("it is bad") }
            transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
        }
        return handlers
    }

    private func withKeeper(_ services: TwoServices, _ body: () async throws -> Void) async throws {
        let publisher = Publisher(
            try services.configuration("keeper publish"), topology: TwoServices.topology.exchanges,
            logger: TestThreads.logger)
        let keeper = try DeadMessageKeeper(
            queues: [Self.queue], topology: TwoServices.topology, broker: { try services.configuration($0) },
            publisher: publisher, pool: services.ledger, logger: TestThreads.logger)
        try await whileRunning([{ try await publisher.run() }, { try await keeper.run() }], body)
    }

    private func all(_ services: TwoServices) async throws -> [DeadMessage] {
        try await DeadMessages.list(.init(), before: nil, limit: 1_000, in: services.ledger)
    }

    /// Waits until as many are in the state.
    private func wait(_ count: Int, _ state: DeadMessage.State, _ services: TwoServices) async throws -> [DeadMessage] {
        let found = try await eventually("\(count) are \(state)", value: { try await all(services) }) { messages in
            messages.count { $0.state == state } == count
        }
        return found.filter { $0.state == state }
    }

    private func retry(_ id: UUID, _ services: TwoServices) async throws {
        try await services.ledger.withTransaction { _ = try await DeadMessages.retry(id, at: Date(), in: $0) }
    }

    private func drop(_ id: UUID, _ services: TwoServices) async throws {
        try await services.ledger.withTransaction { _ = try await DeadMessages.drop(id, at: Date(), in: $0) }
    }

    @Test("Q2: a dead letter is a row with its reason, and put back it has its effect once, with the id that it had")
    func putBack() async throws {
        try await TwoServices.run { services in
            let broken = Broken()
            try await services.withConsumer(handlers(broken)) {
                try await services.withRelay {
                    try await services.place("good", 1)
                    try await services.place("bad", 2)
                    try await withKeeper(services) {
                        let message = try #require(try await wait(1, .waiting, services).first)
                        #expect(message.name == OrderPlaced.name.text && message.aggregate == "bad")
                        #expect(message.reason == "it is bad" && message.failures == 1)
                        #expect(message.queue == Self.queue && message.producer == "orders")
                        #expect(message.isRetriable && message.message != nil)
                        #expect(try await services.host.queueDepth(Self.dead) == 0)
                        let body = try await services.ledger.withTransaction { transaction in
                            try await DeadMessages.find(message.id, in: transaction)?.body
                        }
                        #expect(body.map { String(decoding: $0, as: UTF8.self) }?.contains("\"bad\"") == true)
                        broken.mend()
                        try await retry(message.id, services)
                        try await eventually("it has its effect") {
                            try await services.effects().contains(Effect(name: "bad", number: 2))
                        }
                        let done = try await wait(1, .retried, services)
                        #expect(done.first?.bytes == nil && done.first?.message == message.message)
                        // It is nobody's any more.
                        await #expect(throws: DeadMessageError.decided(.retried)) {
                            try await retry(message.id, services)
                        }
                        await #expect(throws: DeadMessageError.decided(.retried)) {
                            try await drop(message.id, services)
                        }
                        await #expect(throws: DeadMessageError.unknown) { try await drop(UUID(), services) }
                    }
                }
            }
            #expect(try await services.effects().count == 2)
        }
    }

    @Test("Q2: one that fails again waits again, and a copy from before a decision does not come back")
    func again() async throws {
        try await TwoServices.run { services in
            let broken = Broken()
            try await services.withConsumer(handlers(broken)) {
                try await services.withRelay {
                    try await services.place("bad", 1)
                    let copy = try await eventually(
                        "it is a dead letter", value: { try await services.host.get(Self.dead).first }
                    ) { $0 != nil }
                    let lost = try #require(copy)
                    // Two copies, as of a runner that was killed before its acknowledgement.
                    func deliverCopy() async throws {
                        _ = try await services.host.publish(
                            lost.payload, routingKey: Self.dead, properties: lost.properties)
                    }
                    try await deliverCopy()
                    try await deliverCopy()
                    try await withKeeper(services) {
                        let first = try #require(try await wait(1, .waiting, services).first)
                        try await retry(first.id, services)
                        // Its cause is not mended.
                        try await eventually("it failed again") {
                            let now = try await all(services)
                            let decisions = try await services.ledger.first(Decisions(id: first.id))
                            return now.first?.state == .waiting && decisions == 1
                        }
                        #expect(try await all(services).map(\.id) == [first.id])
                        try await drop(first.id, services)
                        try await deliverCopy()
                        try await eventually("the late copy is taken") {
                            try await services.host.queueDepth(Self.dead) == 0
                        }
                        // What comes after it has been kept, so it has, too.
                        _ = try await services.host.publish("{}", routingKey: Self.dead)
                        _ = try await wait(1, .waiting, services)
                        let dropped = try #require(try await all(services).first { $0.id == first.id })
                        #expect(dropped.state == .dropped && dropped.bytes == nil)
                    }
                }
            }
            #expect(try await services.effects() == [])
        }
    }

    @Test("Q2: of a process that is killed after the broker has the message, another sends it again, and it acts once")
    func killedBetween() async throws {
        struct Killed: Error {}
        try await TwoServices.run { services in
            let broken = Broken()
            try await services.withConsumer(handlers(broken)) {
                try await services.withRelay {
                    try await services.place("bad", 1)
                    try await isDead(services)
                }
                try await withKeeper(services) { _ = try await wait(1, .waiting, services) }
                let message = try #require(try await all(services).first)
                broken.mend()
                // Nobody keeps here meanwhile: the message is sent, and its row is not marked.
                try await retry(message.id, services)
                let publisher = Publisher(
                    try services.configuration("killed"), topology: TwoServices.topology.exchanges,
                    logger: TestThreads.logger)
                try await whileRunning([{ try await publisher.run() }]) {
                    await #expect(throws: Killed.self) {
                        try await services.ledger.withTransaction { transaction in
                            let sent = try await transaction.query(LockRetryingMessages(limit: 10))
                            let outcomes = await publisher.publish(
                                batch: sent.map { $0.outbound(by: "ledger.failed") }, deadline: .now + .seconds(20))
                            #expect(outcomes.count == 1)
                            for outcome in outcomes { try outcome.get() }
                            throw Killed()
                        }
                    }
                    try await eventually("it has its effect") { try await services.effects().count == 1 }
                }
                #expect(try await all(services).first?.state == .retrying)
                try await withKeeper(services) { _ = try await wait(1, .retried, services) }
                try await services.withRelay {
                    try await services.place("last", 2)
                    try await eventually("what was sent later has its effect, too") {
                        try await services.effects().contains(Effect(name: "last", number: 2))
                    }
                }
                #expect(try await services.effects().count == 2)
            }
        }
    }

    private func isDead(_ services: TwoServices) async throws {
        try await eventually("it is a dead letter") { try await services.host.queueDepth(Self.dead) == 1 }
    }

    @Test("Q2: of two who decide about one message at once, one is told that the other was first")
    func twoOperators() async throws {
        try await TwoServices.run { services in
            let count = 20
            try await withKeeper(services) {
                try await eventually("the queue is there") { try await services.host.queueDepth(Self.dead) == 0 }
                for number in 0..<count { try await publishDead("order-\(number)", number, to: services) }
                let messages = try await wait(count, .waiting, services)
                let won = Seen<UUID>()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for message in messages {
                        for isRetry in [true, false] {
                            group.addTask {
                                do {
                                    if isRetry {
                                        try await retry(message.id, services)
                                    } else {
                                        try await drop(message.id, services)
                                    }
                                    won.append(message.id)
                                } catch is DeadMessageError {}
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(won.count == count && Set(won.all) == Set(messages.map(\.id)))
            }
        }
    }

    @Test("Q2, P10: what can never be handled, and what came by another's exchange, is kept and never put back")
    func neverBack() async throws {
        try await TwoServices.run { services in
            try await withKeeper(services) {
                try await eventually("the queue is there") { try await services.host.queueDepth(Self.dead) == 0 }
                try await publishDead("good", 1, to: services)
                // No id, an id that is none, no name, one too long for a column, and one that names no queue of ours.
                for (id, type) in [(nil, "a.b.v1"), ("x", "a.b.v1"), (UUID().text, nil)] as [(String?, String?)] {
                    _ = try await services.host.publish(
                        "\u{1F6B2} \(id ?? "none")", routingKey: Self.dead,
                        properties: TestKit.MessageProperties(messageID: id, type: type))
                }
                _ = try await services.host.publish(
                    "{}", routingKey: "ledger.dead",
                    properties: TestKit.MessageProperties(
                        messageID: UUID().text, type: "orders.order.placed.v1",
                        headers: ["x-first-death-queue": "wallet.events", "x-reason": "forged"]))
                let publisher = Publisher(
                    try services.configuration("foreign"), topology: TwoServices.topology.exchanges,
                    logger: TestThreads.logger)
                try await whileRunning([{ try await publisher.run() }]) {
                    let foreign = OutboundMessage(
                        exchange: "ledger.failed", routingKey: Self.dead, body: Array("{}".utf8),
                        properties: AMQP.MessageProperties(
                            messageID: UUID().text, type: String(repeating: "n", count: 200),
                            headers: ["x-foreign": .bool(true)]))
                    try await publisher.publish(foreign, deadline: .now + .seconds(20))
                }
                let messages = try await wait(6, .waiting, services)
                #expect(messages.count { $0.isRetriable } == 1)
                let forged = try #require(messages.first { $0.queue == "ledger.dead" })
                #expect(forged.failures == nil && forged.reason.hasPrefix("the broker gave it up"))
                for message in messages where !message.isRetriable {
                    await #expect(throws: DeadMessageError.notRetriable) { try await retry(message.id, services) }
                }
                let count = try await services.ledger.withTransaction { transaction in
                    try await DeadMessages.retryAll(.init(queue: Self.queue), at: Date(), in: transaction)
                }
                #expect(count == 1)
                #expect(try await DeadMessages.waiting(in: services.ledger) == 5)
                for message in messages where !message.isRetriable { try await drop(message.id, services) }
                #expect(try await DeadMessages.waiting(in: services.ledger) == 0)
            }
        }
    }

    @Test("Q2: dead messages go after their time, and the oldest when they are too many")
    func purge() async throws {
        try await TwoServices.run { services in
            try await withKeeper(services) {
                try await eventually("the queue is there") { try await services.host.queueDepth(Self.dead) == 0 }
                for number in 0..<5 { try await publishDead("order-\(number)", number, to: services) }
                _ = try await wait(5, .waiting, services)
            }
            let newest = try await all(services).prefix(2).map(\.id)
            #expect(try await services.ledger.execute(PurgeDeadMessages(keepSeconds: 3_600, limit: 5)) == 0)
            #expect(try await services.ledger.execute(PurgeDeadMessages(keepSeconds: 3_600, limit: 2)) == 3)
            #expect(try await all(services).map(\.id) == newest)
            #expect(try await services.ledger.execute(PurgeDeadMessages(keepSeconds: -60, limit: 2)) == 2)
            let figures = try #require(try await MessagingFigures.read(in: services.ledger))
            #expect(figures.deadMessages == 0 && figures.outboxWaiting == 0 && figures.deadlinesOverdue == 0)
        }
    }

    /// A dead letter as a runner of ours leaves it.
    private func publishDead(_ order: String, _ number: Int, to services: TwoServices) async throws {
        _ = try await services.host.publish(
            #"{"order":"\#(order)","number":\#(number)}"#, routingKey: Self.dead,
            properties: TestKit.MessageProperties(
                messageID: UUID.timeOrdered().text, type: OrderPlaced.name.text, correlationID: order, appID: "orders",
                headers: ["x-reason": "it is bad", "x-consumer": Self.queue]))
    }
}

private struct Decisions: Statement {
    static let sql: SQL = "SELECT decisions FROM dead_messages WHERE id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
