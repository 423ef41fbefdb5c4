import AMQP
import AsyncHTTPClient
import BenchResults
import Contracts
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import SeraiJSON
import Synchronization
import TestKit

/// Orders whose parties are connected, and their events at a steady rate. Each event goes to both parties.
final class EventLoad: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private struct Pair: Sendable {
        let order = UUID.timeOrdered()
        let customer = UUID.timeOrdered()
        let provider = UUID.timeOrdered()
    }

    /// When each event of an order was published, and how long it took to each of its readers.
    private final class Journal: Sendable {
        struct State {
            var published: [String: ContinuousClock.Instant] = [:]
            var milliseconds: [Double] = []
            var ready = 0
        }
        let state = Mutex(State())

        func heard(_ key: String, at now: ContinuousClock.Instant) {
            state.withLock { state in
                guard let then = state.published[key] else { return }
                state.milliseconds.append((now - then) / .milliseconds(1))
            }
        }
    }

    private static let waitLimit: Duration = .seconds(60)

    private let journal = Journal()
    private let pairs: [Pair]
    private let versions = Mutex(0)
    private let publisher: Publisher
    private let publishing: Task<Void, any Error>
    private let reading: [Task<Void, any Error>]
    private let client: HTTPClient

    /// Connects all streams, and returns when each has begun.
    init(service: NotificationsProcess, streams: Int) async throws {
        let pairs = (0..<streams / 2).map { _ in Pair() }
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = streams + 8
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        (self.pairs, self.client) = (pairs, client)
        let publisher = Publisher(
            try AMQPConfiguration(url: service.host.url, connectionName: "bench"),
            topology: Topology(exchanges: ["identity", "dispatch", "wallet", "admin"].map { Exchange($0, .topic) }),
            logger: TestThreads.logger)
        self.publisher = publisher
        publishing = Task { try await publisher.run() }
        try await Self.wait("the service answers") {
            var request = HTTPClientRequest(url: "\(service.url)/health/ready")
            request.method = .GET
            // try?: it does not listen yet.
            return try? await client.execute(request, timeout: .seconds(5)).status == .ok
        }
        var reading: [Task<Void, any Error>] = []
        for account in pairs.flatMap({ [$0.customer, $0.provider] }) {
            let token = try await service.token(account)
            reading.append(
                Task { [journal] in
                    try await Self.read("\(service.url)/notifications/v1/stream", token, client, into: journal)
                })
        }
        self.reading = reading
        try await Self.wait("all streams have begun") { [journal] in
            journal.state.withLock { $0.ready } == pairs.count * 2
        }
    }

    func end() {
        for task in reading { task.cancel() }
        publishing.cancel()
    }

    /// Publishes for a time, and answers how long each event took to each of its readers.
    func milliseconds(for limit: Duration, perSecond rate: Int) async throws -> [Double] {
        let count = Int(limit / .seconds(1) * Double(rate))
        let first = versions.withLock { versions in
            defer { versions += count / pairs.count + 1 }
            return versions + 1
        }
        journal.state.withLock { state in
            state.published = [:]
            state.milliseconds = []
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                try await Task.sleep(until: start + .seconds(1) * index / rate)
                let (pair, version) = (pairs[index % pairs.count], first + index / pairs.count)
                group.addTask { try await self.publish(pair, version) }
            }
            try await group.waitForAll()
        }
        try await Self.wait("all events have come") { [journal] in
            journal.state.withLock { $0.milliseconds.count } >= count * 2
        }
        return journal.state.withLock { $0.milliseconds }
    }

    private func publish(_ pair: Pair, _ version: Int) async throws {
        let now = Date()
        let event = OrderPaymentChanged(
            order: OrderSnapshot(
                order: pair.order, market: "assef", kind: "visit", version: version, state: .enRoute,
                customer: .init(account: pair.customer, name: "Salem"),
                provider: .init(account: pair.provider, name: "Noura"),
                services: [.init(service: "injection", name: ["en": "Injection", "ar": "الحقن"], price: 3_050)],
                total: Money(amount: 3_050, currency: "SAR"), payment: .init(method: "card", state: .held),
                confirmedBy: [], deadline: nil, by: .system, reason: nil, requestedAt: now, changedAt: now))
        let name = OrderPaymentChanged.name
        let message = OutboundMessage(
            exchange: name.service, routingKey: name.text, body: try JSON.wire.encode(event),
            properties: MessageProperties(
                messageID: UUID.timeOrdered().text, type: name.text,
                timestampSeconds: UInt64(now.timeIntervalSince1970),
                correlationID: event.aggregate, appID: name.service, contentType: "application/json"))
        let key = "\(pair.order.text) \(version)"
        journal.state.withLock { $0.published[key] = .now }
        try await publisher.publish(message, deadline: .now + .seconds(20))
    }

    private struct Told: Decodable {
        let order: String
        let version: Int
    }

    private static func read(
        _ url: String, _ token: String, _ client: HTTPClient, into journal: Journal
    ) async throws {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let response = try await client.execute(request, timeout: .hours(12))
        guard response.status == .ok else { throw Missing(description: "a stream: \(response.status)") }
        var rest = ""
        for try await buffer in response.body {
            let now = ContinuousClock.now
            rest += String(buffer: buffer)
            while let end = rest.range(of: "\n\n") {
                take(rest[..<end.lowerBound], at: now, into: journal)
                rest.removeSubrange(..<end.upperBound)
            }
        }
    }

    private static func take(_ block: Substring, at now: ContinuousClock.Instant, into journal: Journal) {
        let lines = block.split(separator: "\n")
        if lines.contains("event: ready") { return journal.state.withLock { $0.ready += 1 } }
        guard lines.contains("event: order"), let data = lines.first(where: { $0.hasPrefix("data: ") }) else { return }
        do {
            let told = try JSON.wire.decode(Told.self, Array(data.dropFirst(6).utf8))
            journal.heard("\(told.order.lowercased()) \(told.version)", at: now)
        } catch {
            Progress.tell("an event cannot be read: \(error)")
        }
    }

    private static func wait(_ what: String, until isDone: () async throws -> Bool?) async throws {
        let end = ContinuousClock.now + waitLimit
        while try await isDone() != true {
            guard .now < end else { throw Missing(description: "not within a minute: \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
