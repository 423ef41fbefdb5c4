import AMQP
import Contracts
import Foundation
import Locks
import Messaging
import Postgres
import TestKit

/// Another service that commands transfers and holds, and listens to what became of them.
final class CommandLoad: Sendable {
    static let conditions =
        "from command to posted event over the broker, two entries each, over \(WalletProcess.accounts) wallets,"
        + " at most \(windowLimit) unanswered"
    /// Commands that are published and not answered, at most.
    private static let windowLimit = 8_000
    private static let (publishers, batch) = (3, 256)

    private let service: WalletProcess
    private let publisher: Publisher
    private let state = Mutex(State())

    private struct State {
        var asked = 0
        var answered = 0
        var refused = 0
        /// When those were asked whose answers are timed.
        var timed: [String: ContinuousClock.Instant] = [:]
        var waits: [Double] = []
    }

    private init(_ service: WalletProcess) throws {
        self.service = service
        publisher = Publisher(
            try AMQPConfiguration(url: service.host.url, connectionName: "bench"),
            topology: ServiceTopology.asking(["wallet"]), inFlightLimit: 1_024, logger: TestThreads.logger)
    }

    static func withLoad(_ service: WalletProcess, _ body: (CommandLoad) async throws -> Void) async throws {
        let load = try CommandLoad(service)
        let topology = ServiceTopology(service: "dispatch")
        let consumer = Consumer(
            try AMQPConfiguration(url: service.host.url, connectionName: "bench listener"),
            queue: topology.eventsQueue, topology: topology.events([TransferPosted.name, TransferRefused.name]),
            prefetch: 2_000, logger: TestThreads.logger)
        let running = [
            Task { try await load.publisher.run() }, Task { try await consumer.run() },
            Task { try await load.listen(consumer) },
        ]
        defer { for task in running { task.cancel() } }
        try await eventually("the wallet performs commands") {
            let before = load.state.withLock { $0.answered }
            try await load.publish([load.transfer(isHot: false)])
            try await eventually(within: .seconds(10), "an answer") { load.state.withLock { $0.answered } > before }
            return true
        }
        try await body(load)
    }

    // MARK: Throughput

    func transfersPerSecond(for seconds: Int, isHot: Bool) async throws -> Double {
        try await load(until: .now + .milliseconds(500), isHot: isHot)
        let start = ContinuousClock.now
        let before = state.withLock { $0.answered }
        try await load(until: start + .seconds(seconds), isHot: isHot)
        let count = state.withLock { $0.answered } - before
        return Double(count) / ((.now - start) / .seconds(1))
    }

    /// Returns when the last one is answered.
    private func load(until end: ContinuousClock.Instant, isHot: Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<Self.publishers {
                tasks.addTask {
                    while ContinuousClock.now < end {
                        let isFull = self.state.withLock { $0.asked - $0.answered } > Self.windowLimit
                        if isFull {
                            try await Task.sleep(for: .milliseconds(2))
                        } else {
                            try await self.publish((0..<Self.batch).map { _ in self.transfer(isHot: isHot) })
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        try await eventually("all is answered", poll: .milliseconds(1)) {
            state.withLock { $0.answered == $0.asked }
        }
    }

    private func publish(_ messages: [OutboundMessage]) async throws {
        state.withLock { $0.asked += messages.count }
        let outcomes = await publisher.publish(batch: messages, deadline: .now + .seconds(30))
        // Before the wallet has its queue nothing can be routed, and nothing is answered.
        let failed = outcomes.count { if case .failure = $0 { true } else { false } }
        state.withLock { $0.asked -= failed }
        for outcome in outcomes { try outcome.get() }
    }

    /// Written as text: what an asking service costs is not what is measured.
    private func transfer(isHot: Bool) -> OutboundMessage {
        let from = Int.random(in: 1...WalletProcess.accounts)
        let to = (from + Int.random(in: 1..<WalletProcess.accounts) - 1) % WalletProcess.accounts + 1
        let id = UUID.timeOrdered().text
        // One subject, so one of the platform's rows.
        let subject = isHot ? Self.owner(1) : id
        let target = isHot ? #"{"kind":"platform"}"# : #"{"kind":"wallet","owner":"\#(Self.owner(to))"}"#
        let body =
            #"{"id":"\#(id)","subject":"\#(subject)","currency":"SAR","legs":[{"from":{"kind":"wallet","owner":""#
            + #"\#(Self.owner(from))"},"to":\#(target),"amount":\#(Int.random(in: 1...100))}]}"#
        return Self.outbound(PostTransfer.name.text, id, body)
    }

    private static func outbound(_ name: String, _ id: String, _ body: String) -> OutboundMessage {
        OutboundMessage(
            exchange: "wallet.commands", routingKey: name, body: Array(body.utf8),
            properties: MessageProperties(
                messageID: UUID.timeOrdered().text, type: name, timestampSeconds: UInt64(time(nil)), correlationID: id,
                appID: "dispatch", contentType: "application/json", headers: [:]))
    }

    /// As `wallet measure` numbers them.
    private static func owner(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    // MARK: Latency

    /// Of holds that are asked for at fixed times, however long others take.
    func holdMilliseconds(for seconds: Int, perSecond: Int) async throws -> [Double] {
        state.withLock { $0.waits = [] }
        let start = ContinuousClock.now
        let (warmUp, count) = (perSecond / 2, perSecond / 2 + seconds * perSecond)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for index in 0..<count {
                try await Task.sleep(until: start + .seconds(1) * index / perSecond, clock: .continuous)
                tasks.addTask { try await self.publish([self.hold(isTimed: index >= warmUp)]) }
            }
            try await tasks.waitForAll()
        }
        try await eventually("all is answered") { state.withLock { $0.answered == $0.asked } }
        return state.withLock { $0.waits }
    }

    private func hold(isTimed: Bool) -> OutboundMessage {
        let id = UUID.timeOrdered().text
        if isTimed { state.withLock { $0.timed[id] = .now } }
        let owner = Self.owner(Int.random(in: 1...WalletProcess.accounts))
        let body =
            #"{"hold":"\#(id)","account":"\#(owner)","amount":{"amount":100,"currency":"SAR"},"subject":"\#(id)"}"#
        return Self.outbound(PlaceHold.name.text, id, body)
    }

    // MARK: Answers

    private func listen(_ consumer: Consumer) async throws {
        while !Task.isCancelled {
            let batch = try await consumer.nextBatch(upTo: 200)
            let now = ContinuousClock.now
            state.withLock { state in
                state.answered += batch.count
                for delivery in batch {
                    if delivery.properties.type != TransferPosted.name.text { state.refused += 1 }
                    guard !state.timed.isEmpty, let id = delivery.properties.correlationID,
                        let asked = state.timed.removeValue(forKey: id)
                    else { continue }
                    state.waits.append((now - asked) / .milliseconds(1))
                }
            }
            consumer.ack(batch.map(\.tag))
        }
    }

    /// Fails unless each command was posted once and answered once.
    func checkExactness() async throws {
        let configuration = PostgresPool.Configuration(
            PostgresConfiguration(dsn: service.database.dsn, schema: "wallet", applicationName: "bench"))
        let pool = PostgresPool(configuration, thread: TestThreads.postgres, logger: TestThreads.logger)
        let posted = try await pool.first(CountCommanded())
        await pool.close()
        let (asked, answered, refused) = state.withLock { ($0.asked, $0.answered, $0.refused) }
        guard asked == answered, posted == asked, refused == 0 else {
            throw BenchmarkFailure(
                description: "\(asked) asked, \(answered) answered, \(posted ?? 0) posted, \(refused) refused")
        }
    }
}

private struct CountCommanded: Statement {
    static let sql: SQL = "SELECT count(*) FROM transfers WHERE kind IN ('transfer', 'hold')"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
