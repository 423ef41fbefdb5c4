import AMQP
import Foundation
import Logging
@testable import Messaging
import Postgres
import TestKit
import Testing

@Suite("Outbox", .timeLimit(.minutes(15)))
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
                    try await eventually("the other two wait") {
                        try await services.orders.first(UnpublishedCount()) == 2
                    }

                    try await services.withLateQueue(for: OrderArchived.name, of: "orders") {
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

    @Test(
        "Q2: commands to an exchange that is not there hold back themselves and their orders, not the service's events")
    func missingExchange() async throws {
        try await TwoServices.run { services in
            try await services.withRelay {
                try await services.withConsumer(recording()) {
                    // New ones keep coming, each of another order.
                    for number in 0..<40 {
                        try await services.orders.withTransaction { transaction in
                            try transaction.publish(HoldMoney(order: "held \(number)", amount: 1))
                            try transaction.publish(OrderPlaced(order: "held \(number)", number: 2))
                            try transaction.publish(OrderPlaced(order: "free \(number)", number: 1))
                        }
                    }
                    try await eventually(within: .seconds(30), "all the others have their effect") {
                        try await services.effects().count == 40
                    }
                    #expect(try await services.effects().allSatisfy { $0.name.hasPrefix("free") })
                    try await eventually("they are gone, and no others") {
                        try await services.orders.first(UnpublishedCount()) == 80
                    }
                    try await services.host.declareExchange("ledger.commands", kind: "direct")
                    try await services.withLateQueue(for: HoldMoney.name, of: "ledger.commands") {
                        try await eventually(within: .seconds(60), "all go once it is there") {
                            try await services.orders.first(UnpublishedCount()) == 0
                        }
                    }
                    try await eventually("what waited behind them has its effect") {
                        try await services.effects().count == 80
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

private struct UnmarkAll: Statement { static let sql: SQL = "UPDATE outbox SET published_at = NULL" }

private struct OutboxCount: Statement {
    static let sql: SQL = "SELECT count(*) FROM outbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
