import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import Testing
import TestKit

@testable import SeraiIdentity
@testable import ServiceKit

@Suite("X9: API keys of businesses", .timeLimit(.minutes(5)))
struct APIKeyTests {
    private static let path = "v1/accounts/me/api-keys"
    private static let someID = "0195d3a0-0000-7000-8000-000000000061"

    private struct ListHashes: Statement {
        static let sql: SQL = "SELECT encode(hash, 'escape') || name || id::text FROM api_keys"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private func make(
        _ world: World, _ tokens: Tokens, _ scopes: [JSONValue] = ["orders:read"], days: Int = 30
    ) async throws -> (id: String, secret: String) {
        let body: JSONValue = [
            "market": "assef", "name": "Shop", "scopes": .array(scopes), "days": .integer(Int64(days)),
        ]
        let made = try await world.post("accounts/me/api-keys", body, token: tokens.access)
        #expect(made.status == 201, "\(made)")
        return (try #require(made["key"]), try #require(made["secret"]))
    }

    private func token(_ world: World, _ secret: String) async throws -> String? {
        let answer = try await world.send("POST", "v1/api-tokens", ["key": .string(secret)])
        return answer.status == 200 ? answer["accessToken"] : nil
    }

    @Test(
        "X9, Q7: a key's secret is shown once and not kept; its token is a customer's of one market, within its scopes")
    func whole() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let (id, secret) = try await make(world, tokens, ["orders:read", "webhooks:manage"])
            #expect(secret.hasPrefix("serai_live_"))
            let told = try #require(try await world.deliveries().last)
            #expect(told.request.text == "key-made" && told.contents.arguments["key"] == "Shop")
            for row in try await world.pool.query(ListHashes()) {
                #expect(!row.contains(secret.dropFirst(11)))
            }
            let list = try await world.send("GET", Self.path, token: tokens.access)
            #expect(list.items.count == 1 && list.items.first?["secret"] == nil)
            #expect(list.items.first?["active"] == .bool(true))
            let access = try #require(try await token(world, secret))
            let part = try #require(SeraiIdentity.Base64URL.decode(String(access.split(separator: ".")[1])))
            let json = try JSONValue(parsing: part)
            let claims = try #require(AccessTokenClaims(json: json))
            #expect(claims.roles == [MarketRole(market: "assef", role: "customer")])
            #expect(claims.scopes == ["orders:read", "webhooks:manage"] && claims.sid == id)
            // With it nothing of the account is read or changed, not even its keys.
            for path in ["v1/accounts/me", Self.path, "v1/sessions"] {
                let refused = try await world.send("GET", path, token: access)
                #expect(refused.status == 403 && refused["type"]?.hasSuffix("outside-key-scope") == true)
            }
            #expect(try await world.send("GET", Self.path, token: tokens.access).items.first?["lastUsedAt"] != nil)
        }
    }

    @Test("X9: a revoked or expired key gets no token, and the tokens that it has are refused")
    func revoked() async throws {
        try await World.run { world async throws in
            let (tokens, other) = (try await world.join(Person()), try await world.join(Person()))
            let (id, secret) = try await make(world, tokens)
            #expect(try await token(world, secret) != nil)
            #expect(try await world.send("DELETE", "\(Self.path)/\(id)", token: other.access).status == 404)
            #expect(try await world.send("DELETE", "\(Self.path)/\(id)", token: tokens.access).status == 204)
            #expect(try await token(world, secret) == nil)
            #expect(world.parts.ended.contains(try #require(UUID(uuidString: id))))
            let (_, short) = try await make(world, tokens, days: 1)
            world.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await token(world, short) == nil)
            for wrong in ["", "serai_live_", "serai_live_AAAA", String(secret.dropLast())] {
                #expect(try await token(world, wrong) == nil)
            }
        }
    }

    @Test("X9, P10: a key needs a market of the caller's, known scopes and a name; twenty are active at most")
    func input() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let wrong = try await world.post(
                "accounts/me/api-keys", ["market": "assef", "scopes": ["orders:burn"], "days": 0],
                token: tokens.access)
            #expect(
                wrong.fields == ["/name": "required", "/scopes/0": "not-a-choice", "/days": "out-of-range"])
            let foreign = try await world.post(
                "accounts/me/api-keys", ["market": "btnc", "name": "x", "scopes": ["orders:read"]],
                token: tokens.access)
            #expect(foreign.status == 403)
            for _ in 0..<20 { _ = try await make(world, tokens) }
            let more: JSONValue = ["market": "assef", "name": "x", "scopes": ["orders:read"]]
            let full = try await world.post("accounts/me/api-keys", more, token: tokens.access)
            #expect(full.status == 409 && full["type"]?.hasSuffix("too-many-keys") == true)
            #expect(try await world.send("GET", Self.path).status == 401)
        }
    }

    @Test(
        "X9, Q7: a scope covers its paths and methods, and no path that is written to look like one",
        arguments: [
            ("orders:read", HTTPRequest.Method.get, "/dispatch/v1/orders", true),
            ("orders:read", .get, "/dispatch/v1/orders.csv", true),
            ("orders:read", .get, "/wallet/v1/orders/\(someID)/payment", true),
            ("orders:read", .get, "/wallet/v1/orders/1/payment", false),
            ("orders:read", .post, "/dispatch/v1/orders", false),
            ("orders:read", .get, "/wallet/v1/wallets", false),
            ("orders:read", .get, "/identity/v1/accounts/me", false),
            ("orders:read", .get, "/dispatch/v1/ordersx", false),
            ("orders:read", .get, "/dispatch/v1/orders/../../wallet/v1/wallets", false),
            ("orders:read", .get, "/dispatch/v1/orders/%2e%2e/x", false),
            ("orders:write", .post, "/dispatch/v1/markets/carrepsa/parcels", true),
            ("orders:write", .post, "/wallet/v1/orders/\(someID)/payment", true),
            ("orders:write", .post, "/dispatch/v1/photos", true),
            ("orders:write", .post, "/dispatch/v1/hires/\(someID)/code", true),
            ("orders:read", .get, "/dispatch/v1/markets/carrepsa", true),
            ("orders:read", .get, "/dispatch/v1/markets/carrepsa/earnings", false),
            ("orders:read", .get, "/dispatch/v1/markets", false),
            ("orders:write", .get, "/dispatch/v1/orders", false),
            ("orders:write", .post, "/wallet/v1/top-ups", false),
            ("webhooks:manage", .delete, "/notifications/v1/webhooks/\(someID)", true),
            ("webhooks:manage", .get, "/notifications/v1/inbox", false),
            ("orders:burn", .get, "/dispatch/v1/orders", false),
        ] as [(String, HTTPRequest.Method, String, Bool)])
    func scopes(_ scope: String, _ method: HTTPRequest.Method, _ path: String, _ isAllowed: Bool) {
        #expect(KeyScope.allows([scope], method, path) == isAllowed)
    }
}
