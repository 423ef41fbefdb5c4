import AMQP
import Contracts
import Foundation
import Locks
import Messaging
import Postgres
import SeraiJSON
import Synchronization
import TestKit

@testable import SeraiWallet

/// Clients that move money between fifty wallets and the platform by commands, and remember what they were answered.
final class Bank: Sendable {
    /// One thing that is asked for, however often.
    struct Wish: Hashable, Sendable {
        let command: LedgerCommandKind
        let id: UUID
    }

    enum Answer: Hashable, Sendable {
        case posted(UUID)
        case refused(String)
    }

    static let fortune = 1_000
    let people = (0..<50).map { _ in UUID.timeOrdered() }
    private let asked = Mutex<Set<Wish>>([])
    private let heard = Mutex<[Wish: Set<Answer>]>([:])
    /// Every message that was sent, by its id, and what it was answered.
    private let messages = Mutex<[UUID: [UUID: Answer]]>([:])
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
    var outcomes: [Wish: Set<Answer>] { heard.withLock { $0 } }
    /// The answers to each message that was sent, by their own ids: what is delivered twice is one.
    var answers: [[UUID: Answer]] { messages.withLock { Array($0.values) } }
    var isAnswered: Bool { messages.withLock { $0.values.allSatisfy { !$0.isEmpty } } }

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
        var (generator, known) = (generator, [Wish]())
        while ContinuousClock.now < end {
            let (wish, message) = try random(&generator, &known)
            asked.withLock { _ = $0.insert(wish) }
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

    /// - Parameter known: what this client has placed and posted before, some of which it ends and undoes.
    private func random(
        _ generator: inout SeededGenerator, _ known: inout [Wish]
    ) throws -> (Wish, OutboundMessage) {
        if !known.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 {
            return try end(known.remove(at: Int.random(in: 0..<known.count, using: &generator)), &generator)
        }
        let (id, from) = (UUID.timeOrdered(), people[Int.random(in: 0..<people.count, using: &generator)])
        let amount = Int.random(in: 1...400, using: &generator)
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let hold = PlaceHold(
                hold: id, account: from, amount: Money(amount: amount, currency: "SAR"), subject: id,
                expiresAt: Date() + Double.random(in: 0.1...2, using: &generator))
            known.append(Wish(command: .place, id: id))
            return (Wish(command: .place, id: id), try Self.outbound(hold))
        }
        let transfer = PostTransfer(
            id: id, subject: id, currency: "SAR",
            legs: [.init(from: .wallet(from), to: target(except: from, &generator), amount: amount)])
        known.append(Wish(command: .post, id: id))
        return (Wish(command: .post, id: id), try Self.outbound(transfer))
    }

    /// A hold is captured or released, a transfer reversed, if it was ever posted.
    private func end(_ wish: Wish, _ generator: inout SeededGenerator) throws -> (Wish, OutboundMessage) {
        guard wish.command == .place else {
            return (Wish(command: .reverse, id: wish.id), try Self.outbound(ReverseTransfer(id: wish.id)))
        }
        guard Bool.random(using: &generator) else {
            return (Wish(command: .release, id: wish.id), try Self.outbound(ReleaseHold(hold: wish.id)))
        }
        let share = CaptureHold.Share(
            to: target(except: nil, &generator), amount: Int.random(in: 1...200, using: &generator))
        let capture = CaptureHold(hold: wish.id, currency: "SAR", shares: [share])
        return (Wish(command: .capture, id: wish.id), try Self.outbound(capture))
    }

    /// The platform now and then, which all have in common.
    private func target(except person: UUID?, _ generator: inout SeededGenerator) -> LedgerAccount {
        if Int.random(in: 0..<6, using: &generator) == 0 { return .platform }
        let to = people[Int.random(in: 0..<people.count, using: &generator)]
        return .wallet(to == person ? people.first { $0 != person } ?? to : to)
    }

    private static func outbound<M: Message>(_ message: M) throws -> OutboundMessage {
        OutboundMessage(
            exchange: "wallet.commands", routingKey: M.name.text, body: try JSON.wire.encode(message),
            properties: MessageProperties(
                messageID: UUID.timeOrdered().text, type: M.name.text,
                timestampSeconds: UInt64(Date().timeIntervalSince1970), correlationID: message.aggregate,
                appID: "dispatch", contentType: "application/json", headers: [:]))
    }

    /// As a relay does: until the broker has it, with the same message id.
    private func send(_ message: OutboundMessage) async throws {
        if let id = message.properties.messageID.flatMap(UUID.init(uuidString:)) {
            messages.withLock { $0[id] = $0[id] ?? [:] }
        }
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
                    let event = try JSON.wire.decode(TransferPosted.self, delivery.body)
                    if event.command == .expire { continue }
                    note(.posted(event.transfer), Wish(command: event.command, id: event.id), delivery)
                default:
                    let event = try JSON.wire.decode(TransferRefused.self, delivery.body)
                    note(.refused(event.reason), Wish(command: event.command, id: event.id), delivery)
                }
            }
            listener.ack(batch.map(\.tag))
        }
    }

    private func note(_ answer: Answer, _ wish: Wish, _ delivery: Delivery) {
        heard.withLock { _ = $0[wish, default: []].insert(answer) }
        guard let envelope = Envelope(delivery), let cause = envelope.causation else { return }
        messages.withLock { $0[cause, default: [:]][envelope.id] = answer }
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

/// What is in wallets, in holds and with the platform together, and in all accounts.
struct ReadTotals: Statement {
    struct Row: Sendable, Equatable {
        let people: Int
        let all: Int
    }
    static let sql: SQL = """
        SELECT coalesce(sum(balance) FILTER (WHERE kind IN ('wallet', 'hold', 'platform')), 0)::bigint,
            coalesce(sum(balance), 0)::bigint
        FROM accounts
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row {
        Row(people: try row.next(), all: try row.next())
    }
}

/// What the database says of commands: by key, the transfer or nil.
struct ReadOutcomes: Statement {
    static let sql: SQL = """
        SELECT key, id FROM transfers WHERE kind <> 'topUp' AND key NOT LIKE 'hold.expire:%'
        UNION ALL SELECT key, NULL FROM refusals
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (key: String, transfer: UUID?) {
        (try row.next(), try row.next())
    }
}

/// Holds that were placed and have not ended, or have ended in more than one way.
struct CountWrongEnds: Statement {
    static let sql: SQL = """
        SELECT count(*) FROM holds
        WHERE state <> 'neverBegan' AND (SELECT count(*) FROM transfers WHERE key IN (
            'hold.capture:' || holds.id, 'hold.release:' || holds.id, 'hold.expire:' || holds.id)) <> 1
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountWaiting: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM outbox WHERE published_at IS NULL) + (SELECT count(*) FROM holds WHERE state = 'open')
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
