import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import Testing
import TestKit

@testable import Sandbox
@testable import SeraiNotifications
@testable import ServiceKit

@Suite("X9: signed webhooks of one's own orders", .timeLimit(.minutes(10)))
struct WebhookTests {
    private static let path = "/notifications/v1/webhooks"

    private struct Scene: Sendable {
        let world: World
        let process: NotificationsProcess
        let sandbox: SandboxServer
        let url: String
        let owner = UUID.timeOrdered()

        func token(_ account: UUID? = nil, market: String = "assef", scopes: [String]? = nil) async throws -> String {
            let now = Date().timeIntervalSince1970
            return try await world.tokens.sign(
                AccessTokenClaims(
                    sub: (account ?? owner).text, iss: World.issuer, aud: "serai", exp: now + 600, iat: now - 10,
                    roles: [MarketRole(market: market, role: "customer")], sid: UUID.timeOrdered().text,
                    scopes: scopes))
        }

        func send(
            _ method: String, _ path: String, _ body: String? = nil, token: String? = nil
        ) async throws -> NotificationsProcess.Answer {
            let own = try await self.token()
            return try await process.request(
                method, WebhookTests.path + path, token: token ?? own,
                headers: method == "POST" ? [("Idempotency-Key", UUID().uuidString)] : [], body: body)
        }

        /// The id and the secret of a webhook to a name of the sandbox.
        func make(_ name: String, events: String = "[]") async throws -> (id: String, secret: String) {
            let made = try await send(
                "POST", "", #"{"market": "assef", "url": "\#(url)/sink/webhooks/\#(name)", "events": \#(events)}"#)
            #expect(made.status == 201, "\(made.text)")
            return (
                try #require(try made.json["webhook"] as? String), try #require(try made.json["secret"] as? String)
            )
        }

        func log(_ id: String, _ query: String = "") async throws -> [[String: Any]] {
            try await send("GET", "/\(id)/deliveries\(query)").json["items"] as? [[String: Any]] ?? []
        }
    }

    private func run(_ body: @Sendable @escaping (Scene) async throws -> Void) async throws {
        try await SandboxServer.withServer { sandbox, url in
            try await World.run { world in
                try await world.withProcess(["SERAI_WEBHOOKS_PRIVATE_ALLOWED": "true"]) { process in
                    try await body(Scene(world: world, process: process, sandbox: sandbox, url: url))
                }
            }
        }
    }

    @Test("X9: an order's events go to its customer's server, signed so that its secret proves them, each once")
    func sent() async throws {
        try await run { scene in
            let (id, secret) = try await scene.make("shop", events: #"["order.accepted"]"#)
            _ = try await scene.make("all")
            let sample = Sample(customer: scene.owner)
            let message = UUID.timeOrdered()
            for _ in 0..<3 { try await scene.world.publish(sample.accepted(), id: message) }
            try await scene.world.publish(sample.requested())
            try await scene.world.publish(Sample().accepted())
            try await eventually("all have come") {
                scene.sandbox.hooks.hooks("shop").count == 1 && scene.sandbox.hooks.hooks("all").count == 2
            }
            let hook = try #require(scene.sandbox.hooks.hooks("shop").first)
            #expect(hook.id == message.text)
            let timestamp = try #require(hook.timestamp.flatMap(Int.init))
            #expect(abs(Double(timestamp) - Date().timeIntervalSince1970) < 60)
            let expected = try #require(WebhookSecret(secret)).signature(
                id: message.text, timestamp: timestamp, body: hook.body)
            #expect(hook.signature == expected)
            let json = try JSONValue(parsing: hook.body.utf8)
            #expect(json["type"] == .string("order.accepted"))
            #expect(json["data"]?["order"] == .string(sample.order.text))
            #expect(
                json["data"]?["state"] == .string("accepted") && json["data"]?["total"]?["amount"] == .integer(15_050))
            #expect(!hook.body.contains(sample.providerName) && !hook.body.contains("Salem"))
            // The answer is written down after the server has got it.
            let log = try await eventually("it is in the log as sent", value: { try await scene.log(id) }) {
                $0.first?["state"] as? String == "sent"
            }
            #expect(log.count == 1 && log[0]["lastStatus"] as? Int == 204)
            #expect(log[0]["body"] as? String == hook.body)
        }
    }

    @Test("X9: a business whose server never answers has its share, and the others' webhooks come at once")
    func slowServer() async throws {
        try await run { scene in
            try await FaultProxy.withFaultProxy(to: scene.url) { proxy in
                await proxy.stall()
                let silent = try await scene.send(
                    "POST", "",
                    #"{"market": "assef", "url": "\#(proxy.url(rewriting: scene.url))/sink/webhooks/silent", "events": []}"#
                )
                let id = try #require(try silent.json["webhook"] as? String, "\(silent.text)")
                let sample = Sample(customer: scene.owner)
                for _ in 0..<100 { try await scene.world.publish(sample.accepted()) }
                func tried() async throws -> Int {
                    try await scene.log(id, "?limit=100").count { ($0["tries"] as? Int ?? 0) > 0 }
                }
                try await eventually("its share is under way") { try await tried() >= 16 }
                let other = UUID.timeOrdered()
                let made = try await scene.send(
                    "POST", "", #"{"market": "assef", "url": "\#(scene.url)/sink/webhooks/other", "events": []}"#,
                    token: try await scene.token(other))
                #expect(made.status == 201, "\(made.text)")
                try await scene.world.publish(Sample(customer: other).accepted())
                try await eventually("the other's has come") { scene.sandbox.hooks.hooks("other").count == 1 }
                // Most of the former ones have not begun.
                #expect(try await tried() < 60)
            }
        }
    }

    @Test("X9: what is not taken is tried again, can be read in the log and replayed with the same id")
    func retried() async throws {
        try await run { scene in
            let (id, _) = try await scene.make("weak")
            scene.sandbox.hooks.answer("weak", with: 503)
            let message = UUID.timeOrdered()
            try await scene.world.publish(Sample(customer: scene.owner).accepted(), id: message)
            try await eventually("it failed once") { try await scene.log(id).first?["lastStatus"] as? Int == 503 }
            let failed = try #require(try await scene.log(id, "?state=waiting").first)
            #expect(failed["tries"] as? Int == 1 && failed["nextAt"] != nil)
            #expect(try await scene.send("GET", "/\(id)").json["failingSince"] != nil)
            scene.sandbox.hooks.answer("weak", with: nil)
            try await scene.world.pool.execute(MakeDue())
            try await eventually("it was taken") { try await scene.log(id).first?["state"] as? String == "sent" }
            #expect(Set(scene.sandbox.hooks.hooks("weak").map(\.id)) == [message.text])
            #expect(try await scene.send("GET", "/\(id)").json["failingSince"] == nil)
            let count = scene.sandbox.hooks.hooks("weak").count
            let replayed = try await scene.send("POST", "/\(id)/deliveries/\(message.text)/replay")
            #expect(replayed.status == 202)
            try await eventually("it came again") { scene.sandbox.hooks.hooks("weak").count == count + 1 }
            #expect(scene.sandbox.hooks.hooks("weak").last?.id == message.text)
            #expect(try await scene.send("POST", "/\(id)/deliveries/\(UUID().uuidString)/replay").status == 404)
        }
    }

    @Test(
        "X9: a server that takes nothing for three days, or is gone, is switched off, its owner is told, and can switch it on"
    )
    func givenUp() async throws {
        try await run { scene in
            for (name, status, reason) in [("gone", 410, "gone"), ("dead", 500, "failing")] {
                let (id, _) = try await scene.make(name)
                scene.sandbox.hooks.answer(name, with: status)
                if reason == "failing" { try await scene.world.pool.execute(FailForDays()) }
                #expect(try await scene.send("POST", "/\(id)/test").status == 202)
                try await eventually("it is off") {
                    try await scene.send("GET", "/\(id)").json["disabledBecause"] as? String == reason
                }
                let inbox = try await scene.process.inbox(scene.owner)
                #expect(inbox.contains { $0.topic == "webhook.disabled" })
                // Nothing more is queued, until it is on again.
                let before = try await scene.log(id).count
                try await scene.world.publish(Sample(customer: scene.owner).accepted())
                try await scene.world.settle()
                #expect(try await scene.log(id).count == before)
                scene.sandbox.hooks.answer(name, with: nil)
                let url = "\(scene.url)/sink/webhooks/\(name)"
                let on = try await scene.send("PUT", "/\(id)", #"{"url": "\#(url)", "enabled": true}"#)
                #expect(try on.status == 200 && on.json["enabled"] as? Bool == true)
                #expect(try await scene.send("POST", "/\(id)/test").status == 202)
                try await eventually("the test has come") {
                    scene.sandbox.hooks.hooks(name).last?.body.contains("webhook.test") == true
                        && scene.sandbox.hooks.hooks(name).count >= 2
                }
                #expect(try await scene.send("DELETE", "/\(id)").status == 204)
            }
        }
    }

    @Test("X9: a new secret and the former one sign together for a day")
    func rotation() async throws {
        try await run { scene in
            let (id, old) = try await scene.make("shop")
            let changed = try await scene.send("POST", "/\(id)/secret")
            let new = try #require(try changed.json["secret"] as? String)
            #expect(new != old)
            #expect(try await scene.send("POST", "/\(id)/test").status == 202)
            try await eventually("it has come") { scene.sandbox.hooks.hooks("shop").count == 1 }
            let hook = try #require(scene.sandbox.hooks.hooks("shop").first)
            let expected = try [new, old].map { text in
                try #require(WebhookSecret(text)).signature(
                    id: hook.id ?? "", timestamp: Int(hook.timestamp ?? "") ?? 0, body: hook.body)
            }
            #expect(hook.signature == expected.joined(separator: " "))
        }
    }

    @Test("X9, Q7, P10: webhooks are their owner's alone, or those of a key with the scope; every wrong field is named")
    func access() async throws {
        try await run { scene in
            let (id, _) = try await scene.make("shop")
            let other = try await scene.token(.timeOrdered())
            for (method, path) in [
                ("GET", "/\(id)"), ("DELETE", "/\(id)"), ("GET", "/\(id)/deliveries"), ("POST", "/\(id)/secret"),
                ("POST", "/\(id)/test"),
            ] {
                #expect(try await scene.send(method, path, token: other).status == 404, "\(method) \(path)")
            }
            let key = try await scene.token(scopes: ["webhooks:manage"])
            #expect(try await scene.send("GET", "", token: key).status == 200)
            let weak = try await scene.token(scopes: ["orders:read"])
            #expect(try await scene.send("GET", "", token: weak).slug == "outside-key-scope")
            #expect(try await scene.process.request("GET", "/notifications/v1/inbox", token: key).status == 403)
            let wrong = try await scene.send(
                "POST", "", #"{"market": "mars", "url": "gopher://x", "events": ["order.burnt"]}"#)
            #expect(wrong.status == 422)
            for field in ["/market", "/url", "/events/0"] { #expect(wrong.text.contains("\"\(field)\"")) }
            let foreign = try await scene.send("POST", "", #"{"market": "btnc", "url": "https://x.example"}"#)
            #expect(foreign.status == 403)
            for _ in 0..<9 { _ = try await scene.make("shop") }
            let full = try await scene.send("POST", "", #"{"market": "assef", "url": "https://x.example"}"#)
            #expect(try full.status == 409 && full.slug == "too-many-webhooks")
            // A secret is not in the database for who reads it.
            let rows = try await scene.world.pool.query(ListSealedSecrets())
            #expect(rows.count == 10 && rows.allSatisfy { !$0.contains("whsec_") })
        }
    }

    @Test("X9, Q7: the key of one market manages its webhooks, and those of another market are not found")
    func keyOfMarket() async throws {
        try await run { scene in
            let (id, _) = try await scene.make("shop")
            let own = try await scene.token(scopes: ["webhooks:manage"])
            let other = try await scene.token(market: "btnc", scopes: ["webhooks:manage"])
            func count(_ token: String) async throws -> Int? {
                (try await scene.send("GET", "", token: token).json["items"] as? [[String: Any]])?.count
            }
            #expect(try await count(own) == 1)
            #expect(try await count(other) == 0)
            let body = #"{"url": "\#(scene.url)/sink/webhooks/elsewhere", "enabled": true}"#
            let doors =
                [
                    ("GET", "/\(id)", nil), ("PUT", "/\(id)", body), ("POST", "/\(id)/secret", nil),
                    ("POST", "/\(id)/test", nil), ("GET", "/\(id)/deliveries", nil), ("DELETE", "/\(id)", nil),
                ] as [(String, String, String?)]
            for (method, path, body) in doors {
                #expect(try await scene.send(method, path, body, token: other).status == 404, "\(method) \(path)")
            }
            #expect(try await scene.send("GET", "/\(id)", token: own).status == 200)
            #expect(try await scene.send("DELETE", "/\(id)", token: own).status == 204)
        }
    }

    @Test(
        "X9: the webhooks of an account that loses its customer's role, or is banned there, are switched off and say why"
    )
    func lostRole() async throws {
        try await run { scene in
            func person(_ markets: [String], version: Int) -> AccountSnapshot {
                AccountSnapshot(
                    account: scene.owner, version: version, name: "Shop", gender: nil, language: "en",
                    roles: markets.map { .init(market: $0, role: "customer", verified: true) })
            }
            func reason(_ id: String) async throws -> String? {
                try await scene.send("GET", "/\(id)").json["disabledBecause"] as? String
            }
            let (id, _) = try await scene.make("shop")
            try await scene.world.publish(AccountChanged(account: person(["assef", "btnc"], version: 5), at: Date()))
            try await scene.world.publish(AccountChanged(account: person(["btnc"], version: 6), at: Date()))
            // An older word that comes late changes nothing.
            try await scene.world.publish(AccountChanged(account: person(["assef"], version: 4), at: Date()))
            try await eventually("it is off") { try await reason(id) == "role-lost" }
            // On again by its owner, who has the role again, and off by a ban.
            let on = #"{"url": "\#(scene.url)/sink/webhooks/shop", "enabled": true}"#
            let stranger = try await scene.token(market: "btnc")
            #expect(try await scene.send("PUT", "/\(id)", on, token: stranger).status == 403)
            #expect(try await scene.send("PUT", "/\(id)", on).status == 200)
            try await scene.world.publish(
                AccountBanned(
                    account: scene.owner, market: "assef", reason: "Fraud", until: nil, by: .timeOrdered(), version: 7,
                    at: Date()))
            try await eventually("it is off") { try await reason(id) == "banned" }
        }
    }
}

private struct MakeDue: Statement {
    static let sql: SQL = "UPDATE webhook_deliveries SET next_at = now() WHERE state = 'waiting'"
}

private struct FailForDays: Statement {
    static let sql: SQL = "UPDATE webhook_endpoints SET failing_since = now() - interval '4 days'"
}

private struct ListSealedSecrets: Statement {
    static let sql: SQL = "SELECT sealed FROM webhook_endpoints"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
