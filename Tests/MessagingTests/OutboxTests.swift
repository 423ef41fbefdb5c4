import AMQP
import Foundation
import Logging
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("RelayPlan")
struct RelayPlanTests {
    private func row(_ seq: Int, _ aggregate: String) -> OutboxRow {
        OutboxRow(
            seq: seq,
            record: OutboxRecord(
                id: UUID(), exchange: "orders", name: "orders.order.placed.v1", aggregate: aggregate, causation: nil,
                traceparent: nil, requestID: nil, isMandatory: true, payload: "{}", occurredAt: Date()))
    }

    @Test("a wave holds no aggregate twice and keeps the order")
    func waves() {
        let rows = [row(1, "a"), row(2, "b"), row(3, "a"), row(4, "c"), row(5, "a")]
        #expect(RelayPlan.waves(rows).map { $0.map(\.seq) } == [[1, 2, 4], [3], [5]])
        #expect(RelayPlan.waves([]).isEmpty)
    }

    @Test("a refused message holds its aggregate back for longer each time, and a confirmed one frees it")
    func holds() {
        var plan = RelayPlan()
        let start = ContinuousClock.now
        plan.failed("a", now: start)
        #expect(plan.heldAggregates(now: start) == ["a"])
        #expect(plan.nextTry(after: start) == start + .milliseconds(200))
        #expect(plan.heldAggregates(now: start + .milliseconds(200)) == [])
        plan.failed("a", now: start)
        #expect(plan.nextTry(after: start) == start + .milliseconds(400))
        for _ in 0..<30 { plan.failed("a", now: start) }
        #expect(plan.nextTry(after: start) == start + .seconds(30))
        plan.confirmed("a", name: "orders.order.placed.v1")
        #expect(plan.holds.isEmpty)
    }

    @Test("an event that no queue takes waits for a reader, and when none comes it and later ones are done with")
    func unheard() {
        var plan = RelayPlan()
        let start = ContinuousClock.now
        let (name, patience) = ("orders.order.archived.v1", Duration.seconds(60))
        func isDone(_ aggregate: String, _ name: String, after seconds: Int) -> Bool {
            plan.returned(aggregate, name: name, now: start + .seconds(seconds), patience: patience)
        }
        let early = isDone("a", name, after: 0)
        #expect(!early)
        #expect(plan.heldAggregates(now: start) == ["a"])
        let outcomes = [
            isDone("b", name, after: 59), isDone("a", name, after: 60), isDone("c", name, after: 61),
            isDone("c", "another", after: 61),
        ]
        #expect(outcomes == [false, true, true, false])
        #expect(!plan.heldAggregates(now: start + .seconds(61)).contains("a"))
        // Once a queue has taken one there is a reader, and an event that is returned waits anew.
        plan.confirmed("d", name: name)
        let later = isDone("d", name, after: 90)
        #expect(!later)
    }
}

@Suite("Messages")
struct MessageTests {
    @Test("a name on the wire has a service, a subject and a version")
    func names() {
        #expect(MessageName(parsing: "dispatch.order.accepted.v1")?.service == "dispatch")
        for wrong in [
            "", "dispatch", "dispatch.v1", "dispatch.order.accepted", "Dispatch.order.v1", "a..v1", "a.b.v0", "a.b.vx",
        ] {
            #expect(MessageName(parsing: wrong) == nil, "\(wrong)")
        }
    }

    @Test("times are RFC 3339 in UTC with milliseconds, and unknown fields are ignored")
    func json() throws {
        struct Sample: Codable, Equatable {
            let at: Date
            let order: String
        }
        let sample = Sample(at: Date(timeIntervalSince1970: 1_700_000_000.25), order: "a/b")
        let text = String(decoding: try MessageJSON.encode(sample), as: UTF8.self)
        #expect(text.contains(#""at":"2023-11-14T22:13:20.250Z""#))
        #expect(text.contains(#""order":"a/b""#))
        let body = Array(#"{"at":"2023-11-14T22:13:20Z","order":"x","later":{"a":1}}"#.utf8)
        #expect(
            try MessageJSON.decode(Sample.self, body)
                == Sample(at: Date(timeIntervalSince1970: 1_700_000_000), order: "x"))
    }

    @Test("ids made later sort later and tell their time")
    func ids() {
        let before = Int64(Date().timeIntervalSince1970 * 1000)
        let id = UUID.timeOrdered()
        #expect(id.timeMilliseconds.map { $0 >= before && $0 <= before + 10_000 } == true)
        #expect(UUID().timeMilliseconds == nil)
    }
}

@Suite("Outbox", .timeLimit(.minutes(5)))
struct OutboxTests {
    @Test("what a transaction publishes arrives when it commits, and never when it does not")
    func committed() async throws {
        struct Refused: Error {}
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording()) {
                    await #expect(throws: Refused.self) {
                        try await services.orders.withTransaction { transaction in
                            try transaction.publish(OrderPlaced(order: "lost", number: 0))
                            throw Refused()
                        }
                    }
                    try await services.place("kept", 1)
                    try await eventually("the effect is there") { try await !services.effects().isEmpty }
                    #expect(try await services.effects() == [Effect(name: "kept", number: 1)])
                    try await eventually("the outbox is marked") {
                        try await services.orders.first(UnpublishedCount()) == 0
                    }
                }
            }
        }
    }

    @Test("messages of one aggregate arrive in the order of their transactions, among many others")
    func order() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording(), { $0.workers = 1 }) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for order in 0..<8 {
                            group.addTask {
                                for number in 0..<25 { try await services.place("order \(order)", number) }
                            }
                        }
                        try await group.waitForAll()
                    }
                    try await eventually("all effects are there") { try await services.effects().count == 200 }
                    let byOrder = Dictionary(grouping: try await services.effects(), by: \.name)
                    for (order, effects) in byOrder { #expect(effects.map(\.number) == Array(0..<25), "\(order)") }
                }
            }
        }
    }

    @Test("a message that nobody takes holds back its aggregate only, and goes once somebody does")
    func unroutable() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording()) {
                    try await services.orders.withTransaction { try $0.publish(OrderArchived(order: "a")) }
                    try await services.place("a", 1)
                    try await services.place("b", 2)
                    try await eventually("the other aggregate goes on") {
                        try await services.effects().map(\.name) == ["b"]
                    }
                    #expect(try await services.orders.first(UnpublishedCount()) == 2)

                    try await services.host.declareQueue("archive")
                    let late = Publisher(
                        try services.configuration("late"),
                        topology: Topology(bindings: [
                            Binding(queue: "archive", exchange: "orders", routingKey: OrderArchived.name.text)
                        ]), logger: TestThreads.logger)
                    try await whileRunning([{ try await late.run() }]) {
                        try await eventually("the held message goes, then the next") {
                            try await services.effects().map(\.name) == ["b", "a"]
                        }
                        try await eventually("nothing waits") {
                            try await services.orders.first(UnpublishedCount()) == 0
                        }
                    }
                }
            }
        }
    }

    @Test("an event that nobody listens to is no error, and done with after a while; a command waits for ever")
    func unheard() async throws {
        try await TwoServices.run { services in
            let log = LevelLog()
            let both = ServiceTopology(service: "orders").exchanges.merging(TwoServices.topology.exchanges)
            try await services.withRelay(
                topology: both, { $0.readerPatience = .milliseconds(300) }, logger: log.logger
            ) {
                try await services.orders.withTransaction { transaction in
                    try transaction.publish(OrderArchived(order: "a"))
                    try transaction.publish(OrderNoted(order: "a"))
                    try transaction.publish(HoldMoney(order: "b", amount: 1))
                }
                try await eventually("the events are done with, and the command waits", value: services.waiting) {
                    $0 == [HoldMoney.name.text]
                }
                #expect(log.lines(atLeast: .info).allSatisfy { $0.contains(HoldMoney.name.text) })
                #expect(log.lines(atLeast: .debug).contains { $0.contains("an event has no reader") })
            }
        }
    }

    @Test("an event that came before its reader is heard, whoever is late, and so is the next when one comes at last")
    func lateReader() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.place("early", 1)
                try await services.withConsumer(recording()) {
                    try await eventually("it is heard") { try await services.effects().map(\.name) == ["early"] }
                }
            }
            try await services.withRelay({ $0.readerPatience = .milliseconds(300) }) {
                // Nobody has ever bound a queue for these.
                try await services.orders.withTransaction { try $0.publish(OrderArchived(order: "lost")) }
                try await eventually(within: .seconds(30), "nothing waits") {
                    try await services.orders.first(UnpublishedCount()) == 0
                }
                var handlers = MessageHandlers()
                handlers.on(OrderArchived.self) { received, transaction in
                    transaction.send(InsertEffect(name: received.message.order, number: 0))
                }
                try await services.withConsumer(handlers) {
                    try await eventually("it has bound its queue") {
                        try await services.orders.withTransaction { try $0.publish(OrderArchived(order: "heard")) }
                        return try await services.effects().map(\.name).contains("heard")
                    }
                    #expect(try await !services.effects().map(\.name).contains("lost"))
                }
            }
        }
    }

    @Test("an event that needs no reader is published into nowhere without harm")
    func noReader() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.orders.withTransaction { try $0.publish(OrderNoted(order: "a")) }
                try await eventually("it is marked") { try await services.orders.first(UnpublishedCount()) == 0 }
            }
        }
    }

    @Test("two relays at once send each message once, and the second takes over when the first ends")
    func twoRelays() async throws {
        try await TwoServices.run { services in
            let seen = Seen<UUID>()
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, _ in seen.append(received.envelope.id) }
            let handlersForAll = handlers
            try await services.withConsumer(handlersForAll) {
                try await services.withRelay {
                    try await services.withRelay {
                        for number in 0..<50 { try await services.place("order \(number)", number) }
                        try await eventually("all arrive") { seen.count >= 50 }
                        #expect(seen.count == 50)
                    }
                    // Which of the two was active is chance; one of the two goes on.
                    try await services.place("afterwards", 1)
                    try await eventually("the other goes on") { seen.count == 51 }
                }
            }
        }
    }

    @Test("a relay that lost its session before marking sends again, and the effect does not repeat")
    func killedBetweenConfirmAndMark() async throws {
        try await TwoServices.run { services in
            let deliveries = Seen<Int>()
            var handlers = MessageHandlers()
            handlers.on(OrderPlaced.self) { received, transaction in
                deliveries.append(received.message.number)
                transaction.send(InsertEffect(name: received.message.order, number: received.message.number))
            }
            let counted = handlers
            try await services.withConsumer(counted) {
                // A confirmed message whose mark never came: the state that a kill between the two leaves.
                try await services.withRelay({ $0.keepPublished = .seconds(3_600) }) {
                    try await services.place("a", 1)
                    try await eventually("it arrives") { deliveries.count == 1 }
                    try await eventually("it is marked") { try await services.orders.first(UnpublishedCount()) == 0 }
                }
                try await services.orders.execute(UnmarkAll())
                try await services.withRelay {
                    try await eventually("it is sent again") {
                        try await services.orders.first(UnpublishedCount()) == 0
                    }
                    try await services.place("b", 2)
                    try await eventually("what came after it is handled") { try await services.effects().count == 2 }
                    #expect(try await services.effects().map(\.number) == [1, 2])
                }
            }
        }
    }

    @Test("the relay survives the end of its database sessions")
    func sessionsEnd() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording()) {
                    for round in 0..<3 {
                        try await services.place("order \(round)", round)
                        try await services.ordersDatabase.terminateAllSessions()
                    }
                    try await services.place("last", 3)
                    try await eventually(within: .seconds(20), "all effects are there") {
                        try await services.effects().count == 4
                    }
                }
            }
        }
    }

    @Test("what the broker has confirmed leaves the outbox, also what an older process has marked and kept")
    func removal() async throws {
        try await TwoServices.run { services in
            try await services.withRelay({ $0.keepPublished = .seconds(3_600) }) {
                for number in 0..<3 { try await services.note("kept \(number)") }
                try await eventually("all are marked") { try await services.orders.first(UnpublishedCount()) == 0 }
                #expect(try await services.orders.first(OutboxCount()) == 3)
            }
            try await services.withRelay({ $0.purgeInterval = .milliseconds(20) }) {
                for number in 0..<3 { try await services.note("gone \(number)") }
                try await eventually("the outbox is empty") { try await services.orders.first(OutboxCount()) == 0 }
            }
        }
    }

    @Test("published messages that are kept are purged after their time, waiting ones never")
    func purge() async throws {
        try await TwoServices.run { services in
            try await services.withRelay({
                $0.keepPublished = .milliseconds(1)
                $0.purgeInterval = .milliseconds(20)
                $0.pollInterval = .milliseconds(50)
            }) {
                try await services.orders.withTransaction { try $0.publish(OrderNoted(order: "old")) }
                try await eventually("it is published and purged") {
                    try await services.orders.first(OutboxCount()) == 0
                }
            }
            try await services.place("waiting", 1)
            #expect(try await services.orders.execute(PurgeOutbox(keepSeconds: 0)) == 0)
            #expect(try await services.orders.first(OutboxCount()) == 1)
        }
    }
}

extension TwoServices {
    /// An event that needs no reader.
    fileprivate func note(_ order: String) async throws {
        try await orders.withTransaction { try $0.publish(OrderNoted(order: order)) }
    }
}

private struct UnmarkAll: Statement { static let sql: StaticString = "UPDATE outbox SET published_at = NULL" }

private struct OutboxCount: Statement {
    static let sql: StaticString = "SELECT count(*) FROM outbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
