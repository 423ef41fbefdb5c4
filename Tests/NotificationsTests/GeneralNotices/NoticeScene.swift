import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

/// A market with people in it, and its admins.
struct NoticeScene: Sendable {
    static let path = "/notifications/v1/markets/assef/general-notices"

    let world: World
    let process: NotificationsProcess

    static func run(
        _ settings: [String: String] = [:], _ body: @Sendable (NoticeScene) async throws -> Void
    ) async throws {
        try await World.run { world in
            try await world.withProcess(settings) { process in
                try await body(NoticeScene(world: world, process: process))
            }
        }
    }

    func token(_ account: UUID, _ role: String, market: String = "assef") async throws -> String {
        let now = Date().timeIntervalSince1970
        return try await world.tokens.sign(
            AccessTokenClaims(
                sub: account.text, iss: World.issuer, aud: "serai", exp: now + 600, iat: now - 10,
                roles: [MarketRole(market: market, role: role)], sid: UUID.timeOrdered().text))
    }

    func admin(_ market: String = "assef") async throws -> String {
        try await token(.timeOrdered(), "admin", market: market)
    }

    /// Tells of an account with a role.
    func tell(
        _ account: UUID, _ roles: [AccountSnapshot.Role], language: String = "en", version: Int = 1
    ) async throws {
        let person = AccountSnapshot(
            account: account, version: version, name: "Somebody", gender: nil, language: language, roles: roles)
        try await world.publish(AccountChanged(account: person, at: Date()))
    }

    /// A new account with a role.
    func person(
        _ role: String, market: String = "assef", title: String? = nil, language: String = "en"
    ) async throws -> UUID {
        let account = UUID.timeOrdered()
        let held = AccountSnapshot.Role(market: market, role: role, title: title, verified: true)
        try await tell(account, [held], language: language)
        return account
    }

    struct Draft: Encodable {
        var subject = ["en": "Closed on Friday", "ar": "مغلق يوم الجمعة"]
        var content = ["en": "Nobody works on Friday.\nSee you on Saturday.", "ar": "لا عمل يوم الجمعة."]
        var audience = "all"
        var title: String?
        var language: String?
        var at: Date?
    }

    func create(
        _ draft: Draft = Draft(), token: String?, key: String = UUID().uuidString, path: String = path
    ) async throws -> NotificationsProcess.Answer {
        try await process.request(
            "POST", path, token: token, headers: [("Idempotency-Key", key)],
            body: String(decoding: try JSON.answer.encode(draft), as: UTF8.self))
    }

    func read(_ notice: String, token: String) async throws -> [String: Any] {
        try await process.request("GET", "\(Self.path)/\(notice)", token: token).json
    }

    func waitUntilGone(_ notice: String, token: String) async throws {
        try await eventually("the notice is gone") {
            try await read(notice, token: token)["state"] as? String == "gone"
        }
    }

    /// How many items of general notices each account has.
    func counts() async throws -> [UUID: Int] {
        Dictionary(uniqueKeysWithValues: try await world.pool.query(CountNoticeItems()))
    }
}

/// By account.
struct CountNoticeItems: Statement {
    static let sql: SQL = "SELECT account, count(*) FROM inbox_items WHERE notice IS NOT NULL GROUP BY account"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> (UUID, Int) {
        (try row.next(), try row.next())
    }
}

/// Many customers of a market at once, as their events would have stored them.
struct InsertCrowd: Statement {
    static let sql: SQL = """
        WITH crowd AS (
            INSERT INTO people (account, language, version) SELECT account, 'en', 1 FROM unnest($1::uuid[]) AS account
        )
        INSERT INTO market_people (market, account, is_customer, is_provider)
        SELECT 'assef', account, true, false FROM unnest($1::uuid[]) AS account
        """
    let accounts: [UUID]
    func bind(_ bindings: inout Bindings) { bindings.append(accounts) }
}
