import AMQP
import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceLifecycle
import TestKit
import Testing

@testable import SeraiIdentity
@testable import ServiceKit

@Suite("Verification of providers", .timeLimit(.minutes(15)))
struct ProviderTests {
    @Test("I7: an admin of the market sees who waits, verifies, and the next refresh shows it")
    func verified() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await world.join(.provider())
            let waiting = try await world.send("GET", "v1/markets/assef/providers", token: admin.access)
            #expect(waiting.items.map { $0["account"] } == [.string(provider.account.text)])
            #expect(!waiting.description.contains("@"))
            let answer = try await world.verify(provider.account, by: admin)
            #expect(answer.status == 200)
            #expect(answer["state"] == "verified")
            let event = try #require(try await world.events(ProviderVerified.self).first)
            #expect(event.account.version == 2)
            #expect(event.account.roles.first?.verified == true)
            #expect(event.market == "assef")
            #expect(event.by == admin.account)
            let refreshed = try await world.post(
                "sessions/refresh", ["refreshToken": .string(provider.refresh)], key: nil)
            let caller = try await world.bootstrap.tokenVerifier().verify(try Tokens(refreshed).access)
            #expect(caller.verifiedMarkets == ["assef"])
            #expect(try await world.send("GET", "v1/markets/assef/providers", token: admin.access).items.isEmpty)
            let list = try await world.send("GET", "v1/markets/assef/providers?state=verified", token: admin.access)
            #expect(list.items.count == 1)
        }
    }

    @Test("I7: a rejection needs a reason, is shown to the provider, and may be followed by another request")
    func rejected() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "*")
            let provider = try await world.join(.provider())
            let path = "markets/assef/providers/\(provider.account.text)/verification"
            #expect(
                try await world.post(path, ["decision": "reject"], token: admin.access).fields == [
                    "/reason": "required"
                ])
            #expect(
                try await world.post(path, ["decision": "maybe"], token: admin.access).fields == [
                    "/decision": "not-a-choice"
                ])
            let decision: JSONValue = ["decision": "reject", "reason": "The licence has expired."]
            #expect(try await world.post(path, decision, token: admin.access).status == 200)
            #expect(try await world.events(ProviderRejected.self).map(\.reason) == ["The licence has expired."])
            let me = try await world.send("GET", "v1/accounts/me", token: provider.access)
            #expect(me.description.contains("The licence has expired."))
            let role: JSONValue = ["market": "assef", "role": "provider", "title": "doctor", "terms": "2026-11"]
            #expect(try await world.post("accounts/me/roles", role, token: provider.access).status == 201)
            let stale = try await world.verify(provider.account, by: admin)
            #expect(stale.status == 409)
            #expect(stale.slug == "provider-changed")
            #expect(stale["title"] != "nurse")
            #expect(try await world.verify(provider.account, by: admin, title: "doctor").status == 200)
            #expect(try await world.events(ProviderVerified.self).map(\.account.version) == [4])
        }
    }

    @Test("of two admins who say the same the second learns of the first; a repetition is told the same again")
    func race() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let other = try await world.admin(of: "*")
            let provider = try await world.register(.provider())
            async let first = world.verify(provider, by: admin)
            async let second = world.verify(provider, by: other)
            let answers = try await [first, second]
            #expect(answers.map(\.status).sorted() == [200, 409])
            #expect(answers.first { $0.status == 409 }?["state"] == "verified")
            #expect(try await world.events(ProviderVerified.self).count == 1)
            let path = "markets/assef/providers/\(provider.text)/verification"
            let key = UUID().uuidString
            let decision: JSONValue = ["decision": "reject", "reason": "No."]
            let once = try await world.post(path, decision, token: admin.access, key: key)
            #expect(once.status == 200)
            #expect(try await world.post(path, decision, token: admin.access, key: key).bytes == once.bytes)
            #expect(try await world.events(ProviderRejected.self).count == 1)
        }
    }

    @Test("I13: nobody but an admin of the market decides, about nobody but its providers, and not about himself")
    func wrongAdmin() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let foreign = try await world.foreignAdmin()
            let provider = try await world.join(.provider())
            let customer = try await world.join(Person())
            for caller in [foreign, provider, customer] {
                #expect(try await world.verify(provider.account, by: caller).status == 403)
                #expect(
                    try await world.send("GET", "v1/markets/assef/providers", token: caller.access).status == 403)
            }
            for account in [customer.account, admin.account, UUID.timeOrdered()] {
                #expect(try await world.verify(account, by: admin).status == 404)
            }
            #expect(try await world.verify(provider.account, by: admin, in: "mars").status == 403)
            let master = try await world.admin(of: "*")
            #expect(try await world.verify(provider.account, by: master, in: "mars").status == 404)
            #expect(try await world.verify(provider.account, by: master, in: "*").status == 404)
            let role: JSONValue = ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"]
            #expect(try await world.post("accounts/me/roles", role, token: admin.access).status == 201)
            #expect(try await world.verify(admin.account, by: admin).status == 403)
            #expect(try await world.events(ProviderVerified.self).isEmpty)
        }
    }

    @Test("I7: a verified provider who takes another name or gender waits again; another language changes nothing")
    func changed() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let provider = try await world.join(.provider())
            #expect(try await world.verify(provider.account, by: admin).status == 200)
            func change(_ body: JSONValue) async throws -> Bool? {
                #expect(try await world.send("PATCH", "v1/accounts/me", body, token: provider.access).status == 200)
                return try await world.events(AccountChanged.self).last?.account.roles.first?.verified
            }
            #expect(try await change(["language": "en"]) == true)
            #expect(try await change(["name": "Somebody Else"]) == false)
            let list = try await world.send("GET", "v1/markets/assef/providers", token: admin.access)
            #expect(list.items.map { $0["account"] } == [.string(provider.account.text)])
            let path = "markets/assef/providers/\(provider.account.text)/verification"
            func decide(version: Int) async throws -> Answer {
                try await world.post(
                    path, ["decision": "verify", "title": "nurse", "version": .integer(Int64(version))],
                    token: admin.access)
            }
            // The admin was shown the name before.
            let stale = try await decide(version: 3)
            #expect(stale.slug == "provider-changed")
            #expect(stale.json?["version"] == 4)
            #expect(try await decide(version: 4).status == 200)
            #expect(try await change(["gender": "female"]) == false)
        }
    }

    @Test("the list goes by pages, and a cursor belongs to its list")
    func pages() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            var expected: [String] = []
            for _ in 0..<5 {
                expected.append(try await world.register(.provider()).text)
                world.clock.advance(by: .seconds(1))
            }
            var seen: [String] = []
            var cursor: String?
            repeat {
                let path = "v1/markets/assef/providers?limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
                let page = try await world.send("GET", path, token: admin.access)
                seen += page.items.compactMap { if case .string(let id)? = $0["account"] { id } else { nil } }
                if let next = page["next"] {
                    let foreign = try await world.send(
                        "GET", "v1/markets/assef/providers?state=verified&cursor=\(next)", token: admin.access)
                    #expect(foreign.slug == "invalid-cursor")
                }
                cursor = page["next"]
            } while cursor != nil
            #expect(seen == expected)
            for query in ["state=all", "limit=0", "limit=x", "cursor=x"] {
                let answer = try await world.send("GET", "v1/markets/assef/providers?\(query)", token: admin.access)
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    @Test("the word of an admin reaches the broker")
    func broker() async throws {
        try await TestBroker.withVirtualHost { host in
            try await World.run(["SERAI_AMQP_URL": host.url]) { world async throws in
                let listener = ServiceTopology(service: "listener")
                let names = AllMessages.identity.map { $0.name }
                let declaring = Publisher(
                    try AMQPConfiguration(url: host.url, connectionName: "listener"),
                    topology: listener.events(names), logger: TestThreads.logger)
                let services =
                    [Task { try await declaring.run() }]
                    + world.assembly.components.filter { ["publisher", "relay"].contains($0.name) }.map { component in
                        Task { try await component.service.run() }
                    }
                defer { for service in services { service.cancel() } }
                try await eventually("the listener is bound") { declaring.isConnected }
                let admin = try await world.admin(of: "assef")
                let provider = try await world.register(.provider())
                #expect(try await world.verify(provider, by: admin).status == 200)
                // Two registrations, a grant, the word and the mail that tells of it.
                try await eventually("all five messages lie in the queue") {
                    try await host.queueDepth(listener.eventsQueue) == 5
                }
                let messages = try await host.get(listener.eventsQueue, limit: 10)
                let verified = try #require(messages.first { $0.properties.type == ProviderVerified.name.text })
                let payload = try JSON.wire.decode(ProviderVerified.self, verified.payload.utf8)
                #expect(payload.account.account == provider)
                #expect(verified.properties.correlationID == provider.text)
                #expect(verified.properties.appID == "identity")
            }
        }
    }
}

extension World {
    /// An admin of another market than those there are.
    func foreignAdmin() async throws -> Tokens {
        let tokens = try await join(Person())
        try await pool.withTransaction { transaction in
            transaction.send(PutRole(account: tokens.account, role: .admin(of: "hajji"), now: clock.now))
        }
        return try Tokens(
            try await post("sessions/refresh", ["refreshToken": .string(tokens.refresh)], key: nil))
    }
}
