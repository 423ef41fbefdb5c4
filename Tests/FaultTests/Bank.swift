import AMQP
import Contracts
import Foundation
import Locks
import Messaging
import Postgres
import Synchronization
import TestKit

@testable import SeraiWallet

/// Clients that move money between fifty wallets by commands, and remember what they were answered.
final class Bank: Sendable {
    enum Answer: Hashable, Sendable {
        case posted(UUID)
        case refused(String)
    }

    static let fortune = 1_000
    let people = (0..<50).map { _ in UUID.timeOrdered() }
    private let asked = Mutex<Set<UUID>>([])
    private let heard = Mutex<[UUID: Set<Answer>]>([:])
    private let publisher: Publisher
    private let listener: Consumer

    init(broker: String) throws {
        publisher = Publisher(
            try AMQPConfiguration(url: broker, connectionName: "bank"), topology: ServiceTopology.asking(["wallet"]),
            logger: TestThreads.logger)
        let topology = ServiceTopology(service: "dispatch")
        listener = Consumer(
            try AMQPConfiguration(url: broker, connectionName: "bank listener"), queue: topology.eventsQueue,
            topology: topology.events([TransferPosted.name, TransferRefused.name]), logger: TestThreads.logger)
    }

    var askedCount: Int { asked.withLock { $0.count } }
    var outcomes: [UUID: Set<Answer>] { heard.withLock { $0 } }
    var isAnswered: Bool {
        let known = outcomes
        return asked.withLock { $0.allSatisfy { known[$0] != nil } }
    }

    func runPublisher() async throws { try await publisher.run() }
    func runListener() async throws { try await listener.run() }

    func fund(_ pool: PostgresPool) async throws {
        let set = people.map { person in
            Transfer(
                id: .timeOrdered(), .topUp, of: person, currency: "SAR",
                [Move(Self.fortune, from: .external("SAR", for: person), to: .wallet(person, "SAR"))])
        }
        try await pool.withTransaction { _ = try await Ledger.post(set, in: $0) }
    }

    /// Asks until the time is over.
    func client(until end: ContinuousClock.Instant, _ generator: SeededGenerator) async throws {
        var generator = generator
        while ContinuousClock.now < end {
            let (id, message) = try random(&generator)
            asked.withLock { _ = $0.insert(id) }
            try await send(message)
            // Somebody asks again who was not sure.
            if Int.random(in: 0..<15, using: &generator) == 0 {
                var again = message
                again.properties.messageID = UUID.timeOrdered().text
                try await send(again)
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...20, using: &generator)))
        }
    }

    private func random(_ generator: inout SeededGenerator) throws -> (UUID, OutboundMessage) {
        let (id, from) = (UUID.timeOrdered(), people[Int.random(in: 0..<people.count, using: &generator)])
        let amount = Int.random(in: 1...400, using: &generator)
        if Int.random(in: 0..<5, using: &generator) == 0 {
            let hold = PlaceHold(
                hold: id, account: from, amount: Money(amount: amount, currency: "SAR"), subject: id,
                expiresAt: Date() + Double.random(in: 0.1...2, using: &generator))
            return (id, try Self.outbound(hold))
        }
        var to = people[Int.random(in: 0..<people.count, using: &generator)]
        if to == from { to = people.first { $0 != from } ?? to }
        let transfer = PostTransfer(
            id: id, subject: id, currency: "SAR", legs: [.init(from: .wallet(from), to: .wallet(to), amount: amount)])
        return (id, try Self.outbound(transfer))
    }

    private static func outbound<M: Message>(_ message: M) throws -> OutboundMessage {
        OutboundMessage(
            exchange: "wallet.commands", routingKey: M.name.text, body: try MessageJSON.encode(message),
            properties: MessageProperties(
                messageID: UUID.timeOrdered().text, type: M.name.text,
                timestampSeconds: UInt64(Date().timeIntervalSince1970), correlationID: message.aggregate,
                appID: "dispatch", contentType: "application/json", headers: [:]))
    }

    /// As a relay does: until the broker has it, with the same message id.
    private func send(_ message: OutboundMessage) async throws {
        while true {
            do {
                return try await publisher.publish(message, deadline: .now + .seconds(5))
            } catch {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    func listen() async throws {
        while !Task.isCancelled {
            let batch = try await listener.nextBatch(upTo: 100)
            for delivery in batch {
                switch delivery.properties.type {
                case TransferPosted.name.text:
                    let event = try MessageJSON.decode(TransferPosted.self, delivery.body)
                    if event.command == .expire { continue }
                    heard.withLock { _ = $0[event.id, default: []].insert(.posted(event.transfer)) }
                default:
                    let event = try MessageJSON.decode(TransferRefused.self, delivery.body)
                    heard.withLock { _ = $0[event.id, default: []].insert(.refused(event.reason)) }
                }
            }
            listener.ack(batch.map(\.tag))
        }
    }
}

/// Readers of the total, who look again and again while all else goes on.
final class Readers: Sendable {
    private let isDone = Atomic(false)
    private let count = Atomic(0)

    var looks: Int { count.load(ordering: .relaxed) }

    func stop() { isDone.store(true, ordering: .releasing) }

    func read(_ pool: PostgresPool, _ check: (ReadTotals.Row) -> Void) async {
        while !isDone.load(ordering: .acquiring) {
            // try?: nothing can be read while the database is away.
            guard let totals = try? await pool.first(ReadTotals()) else { continue }
            check(totals)
            count.wrappingAdd(1, ordering: .relaxed)
        }
    }
}

/// What is in wallets and holds together, and in all accounts.
struct ReadTotals: Statement {
    struct Row: Sendable, Equatable {
        let people: Int
        let all: Int
    }
    static let sql: StaticString = """
        SELECT coalesce(sum(balance) FILTER (WHERE kind IN ('wallet', 'hold')), 0)::bigint,
            coalesce(sum(balance), 0)::bigint
        FROM accounts
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(people: try row.next(), all: try row.next())
    }
}

/// What the database says of commands: by key, the transfer or nil.
struct ReadOutcomes: Statement {
    static let sql: StaticString = """
        SELECT key, id FROM transfers WHERE kind IN ('transfer', 'hold')
        UNION ALL SELECT key, NULL FROM refusals
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (key: String, transfer: UUID?) {
        (try row.next(), try row.next())
    }
}

struct CountWaiting: Statement {
    static let sql: StaticString = """
        SELECT (SELECT count(*) FROM outbox WHERE published_at IS NULL) + (SELECT count(*) FROM holds WHERE state = 'open')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
