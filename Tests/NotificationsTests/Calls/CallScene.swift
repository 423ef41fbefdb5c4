import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications

/// A visit of assef whose parties call each other.
struct CallScene: Sendable {
    static let path = "/notifications/v1/calls"
    static let turn = [
        "SERAI_CALLS_TURN_URLS": "turn:turn.example.org:3478?transport=udp turns:turn.example.org:5349",
        "SERAI_CALLS_TURN_SECRET": "a-secret-of-the-relay-for-tests",
    ]
    static let offer =
        "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=\"q\"/?\r\n"

    let talk: TalkScene
    /// One device of each, and a second one of the provider.
    let customerDevice = UUID()
    let providerDevice = UUID()
    let secondDevice = UUID()

    var customer: UUID { talk.sample.customer }
    var provider: UUID { talk.sample.provider }

    static func run(_ body: @Sendable (CallScene) async throws -> Void) async throws {
        try await World.run { world in
            try await world.withProcess(turn) { process in
                try await body(CallScene(talk: try await .make(world, process, Sample(start: Date()))))
            }
        }
    }

    @discardableResult
    func put(
        _ path: String, by account: UUID, on device: UUID? = nil, _ more: [String: Any] = [:],
        process: NotificationsProcess? = nil
    ) async throws -> NotificationsProcess.Answer {
        var body = more
        body["device"] = (device ?? self.device(of: account)).text
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await (process ?? talk.process).request(
            "PUT", path, token: try await talk.token(of: account), body: text)
    }

    func get(_ path: String, by account: UUID, on device: UUID? = nil) async throws -> NotificationsProcess.Answer {
        try await talk.process.request(
            "GET", "\(path)?device=\((device ?? self.device(of: account)).text)",
            token: try await talk.token(of: account))
    }

    private func device(of account: UUID) -> UUID { account == provider ? providerDevice : customerDevice }

    @discardableResult
    func start(
        by account: UUID, as id: UUID = .timeOrdered(), on device: UUID? = nil, process: NotificationsProcess? = nil
    ) async throws -> NotificationsProcess.Answer {
        try await put(
            "\(TalkScene.path)/\(talk.conversation)/calls/\(id.text)", by: account, on: device, process: process)
    }

    /// Starts a call and returns its path.
    func ringing(by account: UUID) async throws -> String {
        let answer = try await start(by: account)
        #expect(answer.status == 200, "\(answer.text)")
        return "\(Self.path)/\(try #require(try answer.json["call"] as? String))"
    }

    /// The customer calls, and the provider's first device takes it.
    func taken() async throws -> String {
        let path = try await ringing(by: customer)
        #expect(try await put("\(path)/answered", by: provider).status == 200)
        return path
    }

    func state(_ path: String, by account: UUID) async throws -> String? {
        try await get(path, by: account).json["state"] as? String
    }

    /// Looks after calls as a process does, at a moment.
    func sweep(after seconds: Double = 0) async throws {
        let world = talk.world
        let markets = LiveMarkets(pool: world.pool, logger: TestThreads.logger)
        let now = Date().addingTimeInterval(seconds)
        try await CallSweep(
            pool: world.pool, move: MoveCall(hub: StreamHub(), markets: markets), clock: { now },
            logger: TestThreads.logger
        ).sweep(at: now)
    }

    func items(_ account: UUID, _ topic: InboxTopic) async throws -> [InboxEntry] {
        try await talk.process.inbox(account).filter { $0.topic == topic.rawValue }
    }

    /// What the database holds of calls' signals.
    func storedSignals() async throws -> Int { try await talk.world.pool.first(CountSignals()) ?? -1 }
}

private struct CountSignals: Statement {
    static let sql: SQL = """
        SELECT (SELECT count(*) FROM calls WHERE offer IS NOT NULL OR answer IS NOT NULL)
            + (SELECT count(*) FROM call_candidates)
        """
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountCalls: Statement {
    static let sql: SQL = "SELECT count(*), count(*) FILTER (WHERE state IN ('ringing', 'taken')) FROM calls"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (all: Int, running: Int) {
        (try row.next(), try row.next())
    }
}
