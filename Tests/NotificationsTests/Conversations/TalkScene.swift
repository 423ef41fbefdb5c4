import Contracts
import Foundation
import LiveMarkets
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

/// A visit of assef whose parties write to each other.
struct TalkScene: Sendable {
    static let path = "/notifications/v1/conversations"
    static let desk = "/notifications/v1/markets/assef"

    let world: World
    let process: NotificationsProcess
    let sample: Sample
    let conversation: String

    /// Runs with a visit that is on the way, and the conversation that it opens.
    /// - Parameter process: where the requests go; another one than the first may be running, too.
    static func run(_ body: @Sendable (TalkScene) async throws -> Void) async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let sample = Sample(start: Date())
                try await body(try await make(world, process, sample))
            }
        }
    }

    static func make(_ world: World, _ process: NotificationsProcess, _ sample: Sample) async throws -> TalkScene {
        try await world.publish(sample.enRoute())
        try await world.settle()
        let scene = TalkScene(world: world, process: process, sample: sample, conversation: "")
        let talks = try await scene.talks(of: sample.customer)
        let id = try #require(talks.first?["conversation"] as? String)
        return TalkScene(world: world, process: process, sample: sample, conversation: id)
    }

    func token(
        _ account: UUID, _ role: String? = "customer", market: String = "assef", session: UUID = .timeOrdered()
    ) async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await world.tokens.sign(
            AccessTokenClaims(
                sub: account.text, iss: World.issuer, aud: "serai", exp: now + 600, iat: now - 10,
                roles: role.map { [MarketRole(market: market, role: $0)] } ?? [], sid: session.text))
    }

    /// The token of the customer, or of the provider.
    func token(of account: UUID) async throws -> String {
        try await token(account, account == sample.provider ? "provider" : "customer")
    }

    func admin(_ market: String = "assef") async throws -> String {
        try await token(.timeOrdered(), "admin", market: market)
    }

    func talks(of account: UUID) async throws -> [[String: Any]] {
        let answer = try await process.request(
            "GET", "\(Self.path)?order=\(sample.order.text)", token: try await token(of: account))
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json["items"] as? [[String: Any]] ?? []
    }

    /// How the account sees the conversation.
    func talk(_ account: UUID) async throws -> [String: Any] {
        try await process.request("GET", "\(Self.path)/\(conversation)", token: try await token(of: account)).json
    }

    @discardableResult
    func say(
        _ text: String, by account: UUID, as id: UUID = .timeOrdered(), anyway: Bool? = nil,
        on process: NotificationsProcess? = nil
    ) async throws -> NotificationsProcess.Answer {
        let body = try JSON.wire.text(Said(text: text, anyway: anyway))
        return try await (process ?? self.process).request(
            "PUT", "\(Self.path)/\(conversation)/messages/\(id.text)", token: try await token(of: account), body: body)
    }

    private struct Said: Encodable {
        let text: String
        let anyway: Bool?
    }

    func send(
        _ bytes: [UInt8], type: String = "application/octet-stream", by account: UUID, as id: UUID = .timeOrdered(),
        query: String = ""
    ) async throws -> NotificationsProcess.Answer {
        try await process.upload(
            "PUT", "\(Self.path)/\(conversation)/messages/\(id.text)/file\(query)", token: try await token(of: account),
            type: type, bytes: bytes)
    }

    /// The newest first.
    func messages(_ account: UUID) async throws -> [[String: Any]] {
        let answer = try await process.request(
            "GET", "\(Self.path)/\(conversation)/messages?limit=100", token: try await token(of: account))
        return try answer.json["items"] as? [[String: Any]] ?? []
    }

    func unread(_ account: UUID) async throws -> Int? {
        try await process.request(
            "GET", "/notifications/v1/messages/unread", token: try await token(of: account)
        ).json["count"] as? Int
    }
}

/// Voice notes, as far as a reader of their heads knows them.
enum SampleVoices {
    static let webm: [UInt8] =
        [0x1a, 0x45, 0xdf, 0xa3, 0x9f] + Array("\u{42}webm".utf8) + [0x16, 0x54, 0xae, 0x6b] + Array("A_OPUS".utf8)
        + Array(repeating: 7, count: 200)
    static let ogg: [UInt8] =
        Array("OggS".utf8) + Array(repeating: 0, count: 24) + Array("OpusHead".utf8) + Array(repeating: 7, count: 100)
    static let mp4: [UInt8] =
        [0, 0, 0, 24] + Array("ftypM4A isommp42".utf8) + Array("soun....mp4a".utf8) + Array(repeating: 7, count: 100)
    static let aac: [UInt8] = [0xff, 0xf1, 0x50, 0x80] + Array(repeating: 7, count: 100)
    /// With a picture track.
    static let video: [UInt8] = mp4 + Array("vide".utf8)
}

extension World {
    /// Deletes what is older than the markets' retention at a moment.
    func purgeTalk(at now: Date) async throws {
        try await TalkPurge(
            pool: pool, markets: LiveMarkets(pool: pool, logger: TestThreads.logger), clock: { now },
            logger: TestThreads.logger
        ).purge(at: now)
    }
}
