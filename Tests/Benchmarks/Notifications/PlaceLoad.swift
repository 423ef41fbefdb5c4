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

/// People who all share where they are once a second with some friends, all of them connected (H5): as identity tells
/// it, the places of a tenth of a second in one message.
final class PlaceLoad: Sendable {
    /// What was heard, and how long it took.
    struct Outcome {
        var milliseconds: [Double]
        /// Of all that should have been heard; a reader who is slow hears only the newest of a friend.
        var heardShare: Double
    }

    private struct Told: Decodable {
        let account: String
        let latitude: Double?
    }

    private struct State {
        /// When the places of a tick were published, by tick.
        var published: [Int: ContinuousClock.Instant] = [:]
        var milliseconds: [Double] = []
        var ready = 0
    }

    /// So many messages a second, each with its part of the people.
    private static let messagesPerSecond = 10
    private static let ticksPerDegree = 1_000.0

    private let accounts: [UUID]
    private let friends: Int
    private let state = Mutex(State())
    private let ticks = Mutex(0)
    private let publisher: Publisher
    private let publishing: Task<Void, any Error>
    private let reading = Mutex<[Task<Void, any Error>]>([])
    private let client: HTTPClient

    /// Connects all streams, and returns when each has begun and places come through.
    ///
    /// - Parameter friends: of each; the next ones in a ring.
    init(service: NotificationsProcess, people: Int, friends: Int) async throws {
        accounts = (0..<people).map { _ in UUID.timeOrdered() }
        self.friends = friends
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = people + 8
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let publisher = Publisher(
            try AMQPConfiguration(url: service.host.url, connectionName: "bench places"),
            topology: Topology(exchanges: [Exchange(FriendPlaces.exchange, .fanout, isDurable: false)]),
            logger: TestThreads.logger)
        self.publisher = publisher
        publishing = Task { try await publisher.run() }
        for account in accounts {
            let token = try await service.token(account)
            let task = Task { try await self.read("\(service.url)/notifications/v1/stream", token) }
            reading.withLock { $0.append(task) }
        }
        try await wait("all streams have begun") { self.state.withLock { $0.ready } == people }
        // The queue of places may not be bound yet.
        try await wait("places come through") {
            try await self.publish(self.accounts[...], self.nextTick())
            try await Task.sleep(for: .milliseconds(200))
            return self.state.withLock { !$0.milliseconds.isEmpty }
        }
    }

    func end() {
        for task in reading.withLock({ $0 }) { task.cancel() }
        publishing.cancel()
    }

    /// Everybody moves once a second for so long.
    func outcome(seconds: Int) async throws -> Outcome {
        state.withLock { $0.milliseconds = [] }
        let start = ContinuousClock.now
        let part = (accounts.count + Self.messagesPerSecond - 1) / Self.messagesPerSecond
        for index in 0..<seconds * Self.messagesPerSecond {
            try await Task.sleep(until: start + .milliseconds(1_000 / Self.messagesPerSecond) * index)
            let from = (index % Self.messagesPerSecond) * part
            guard from < accounts.count else { continue }
            try await publish(accounts[from..<min(from + part, accounts.count)], nextTick())
        }
        let expected = seconds * accounts.count * friends
        // What has not come by then was replaced by a newer one.
        let end = ContinuousClock.now + .seconds(5)
        while state.withLock({ $0.milliseconds.count }) < expected, .now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        let heard = state.withLock { $0.milliseconds }
        return Outcome(milliseconds: heard, heardShare: Double(heard.count) / Double(expected))
    }

    private func nextTick() -> Int {
        ticks.withLock { ticks in
            ticks += 1
            return ticks
        }
    }

    private func publish(_ movers: ArraySlice<UUID>, _ tick: Int) async throws {
        let now = Date()
        let place = Coordinate(latitude: Double(tick) / Self.ticksPerDegree, longitude: 39.8)
        let places = movers.indices.map { index in
            FriendPlaces.Place(
                account: accounts[index], place: place, at: now, expiresAt: now.addingTimeInterval(3_600),
                friends: (1...friends).map { accounts[(index + $0) % accounts.count] })
        }
        let message = OutboundMessage(
            exchange: FriendPlaces.exchange, routingKey: "",
            body: try JSON.wire.encode(FriendPlaces(places: places)), isMandatory: false, isPersistent: false)
        state.withLock { $0.published[tick] = .now }
        try await publisher.publish(message, deadline: .now + .seconds(20))
    }

    private func read(_ url: String, _ token: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let response = try await client.execute(request, timeout: .hours(12))
        guard response.status == .ok else { throw EventLoad.Missing(description: "a stream: \(response.status)") }
        var rest = ""
        for try await buffer in response.body {
            let now = ContinuousClock.now
            rest += String(buffer: buffer)
            while let end = rest.range(of: "\n\n") {
                take(rest[..<end.lowerBound], at: now)
                rest.removeSubrange(..<end.upperBound)
            }
        }
    }

    private func take(_ block: Substring, at now: ContinuousClock.Instant) {
        let lines = block.split(separator: "\n")
        if lines.contains("event: ready") { return state.withLock { $0.ready += 1 } }
        guard lines.contains("event: friend-place"), let data = lines.first(where: { $0.hasPrefix("data: ") })
        else { return }
        do {
            let told = try JSON.wire.decode(Told.self, Array(data.dropFirst(6).utf8))
            guard let latitude = told.latitude else { return }
            let tick = Int((latitude * Self.ticksPerDegree).rounded())
            state.withLock { state in
                guard let then = state.published[tick] else { return }
                state.milliseconds.append((now - then) / .milliseconds(1))
            }
        } catch {
            Progress.tell("a place cannot be read: \(error)")
        }
    }

    private func wait(_ what: String, until isDone: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await !isDone() {
            guard .now < end else { throw EventLoad.Missing(description: "not within a minute: \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
