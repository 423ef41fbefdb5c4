import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Dead messages and the state of a service, over HTTP", .timeLimit(.minutes(15)))
struct OperatingTests {
    private static let path = "/admin/v1/dead-messages"

    /// Gives the service a message that it cannot read, and waits until it is a row.
    private func poison(
        _ fixture: AdminFixture, _ body: String = #"{"sealed":"s3cret","code":"4711","note":"n"}"#
    )
        async throws -> JSONValue
    {
        let properties = TestKit.MessageProperties(
            messageID: UUID.timeOrdered().text, type: "identity.account.changed.v1", correlationID: "it",
            appID: "identity")
        try await eventually("it is bound") {
            try await fixture.broker.publish(
                body, exchange: "identity", routingKey: "identity.account.changed.v1", properties: properties)
        }
        let found = try await eventually(
            "it is a dead message", value: { try await fixture.read(Self.path, as: fixture.master).items }
        ) { items in items.contains { $0["message"]?.string == properties.messageID } }
        return try #require(found.first { $0["message"]?.string == properties.messageID })
    }

    @Test("Q7: dead messages are master admins' alone, and how the service stands every admin's")
    func matrix() async throws {
        try await AdminFixture.running { fixture async throws in
            let message = try await poison(fixture)
            let id = try #require(message["id"]?.string)
            let wrong: [(TestCaller?, Int)] = [
                (nil, 401), (TestCaller(roles: []), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403), (fixture.admin, 403),
            ]
            let calls: [(HTTPMethod, String, String?)] = [
                (.GET, Self.path, nil), (.GET, "\(Self.path)/\(id)", nil), (.POST, "\(Self.path)/\(id)/retry", nil),
                (.POST, "\(Self.path)/\(id)/drop", #"{"reason":"Old."}"#), (.POST, "\(Self.path)/retry", "{}"),
            ]
            for (caller, status) in wrong {
                for (method, path, body) in calls {
                    let answer = try await fixture.send(method, path, as: caller, body: body)
                    #expect(answer.status == status, "\(method) \(path)")
                    #expect(!answer.text.contains("s3cret"))
                }
                let expected = caller == nil ? 401 : caller?.account == fixture.admin.account ? 200 : 403
                #expect(try await fixture.send(.GET, "/admin/v1/system", as: caller).status == expected)
            }
            #expect(try await DeadMessages.waiting(in: fixture.pool) == 1)
            #expect(try await fixture.acts(as: fixture.master).isEmpty)
            for (path, status) in [("\(UUID().text)", 404), ("nonsense", 404)] {
                #expect(try await fixture.send(.GET, "\(Self.path)/\(path)", as: fixture.master).status == status)
            }
        }
    }

    @Test("P9, Q2: a body is shown without what is sealed, and each look, retry and drop is in the audit log")
    func decided() async throws {
        try await AdminFixture.running { fixture async throws in
            let message = try await poison(fixture)
            let id = try #require(message["id"]?.string)
            #expect(message["body"] == nil && message["queue"]?.string == "admin.events")
            let shown = try await fixture.read("\(Self.path)/\(id)", as: fixture.master)
            #expect(
                shown["body"]
                    == .object(["sealed": "[redacted]", "code": "[redacted]", "note": "n"]), "\(shown)")
            // Its cause is not mended: it comes back.
            #expect(try await fixture.send(.POST, "\(Self.path)/\(id)/retry", as: fixture.master).status == 204)
            try await eventually("it waits again") {
                let again = try await fixture.read("\(Self.path)?state=all", as: fixture.master).items
                return again.count == 1 && again[0]["state"]?.string == "waiting"
                    && again[0]["failedAt"] != nil && again[0]["decidedAt"] == nil
            }
            let bad = try await fixture.send(.POST, "\(Self.path)/\(id)/drop", as: fixture.master, body: "{}")
            #expect(bad.status == 422)
            let dropped = try await fixture.send(
                .POST, "\(Self.path)/\(id)/drop", as: fixture.master, body: #"{"reason":"Of a deleted account."}"#)
            #expect(dropped.status == 204)
            for act in ["retry", "drop"] {
                let late = try await fixture.send(
                    .POST, "\(Self.path)/\(id)/\(act)", as: fixture.master, body: #"{"reason":"Late."}"#)
                #expect(late.status == 409)
                #expect(try late.slug == "dead-message-decided")
            }
            let all = try await fixture.send(
                .POST, "\(Self.path)/retry", as: fixture.master, body: #"{"queue":"admin.events"}"#)
            #expect(all.status == 200)
            #expect(try all.json["count"]?.integer == 0)
            let log = try await fixture.acts(as: fixture.master)
            #expect(
                log.compactMap { $0["action"]?.string } == [
                    "dead-message.all-retried", "dead-message.dropped", "dead-message.retried", "dead-message.viewed",
                ])
            #expect(log[1]["subject"]?.string == id)
            #expect(log[1]["after"]?["reason"]?.string == "Of a deleted account.")
            #expect(log[1]["after"]?["name"]?.string == "identity.account.changed.v1")
            #expect(log.allSatisfy { $0["by"]?["account"]?.string == fixture.master.account.text })
            #expect(log.allSatisfy { $0["market"]?.string == "*" && $0["service"]?.string == "admin" })
        }
    }

    @Test("P9: what master admins do to dead messages of other services is recorded once")
    func others() async throws {
        try await AdminFixture.running { fixture async throws in
            let id = UUID.timeOrdered()
            let event = NotificationsDeadMessageManaged(
                act: "dropped", message: .timeOrdered(), details: ["reason": "Old."], by: fixture.master.account,
                at: Date())
            for _ in 0..<2 { try await fixture.tell(event, id: id) }
            let log = try await eventually(
                "it is recorded", value: { try await fixture.acts(as: fixture.master) }
            ) { $0.count == 1 }
            #expect(log.first?["service"]?.string == "notifications")
            #expect(log.first?["action"]?.string == "dead-message.dropped")
            #expect(try await fixture.acts(as: fixture.admin).isEmpty)
        }
    }

    @Test(
        "Q2: the service says how it stands: its migrations, what waits, and how far its clock is from the database's")
    func system() async throws {
        try await AdminFixture.running { fixture async throws in
            _ = try await poison(fixture)
            let system = try await fixture.read("/admin/v1/system", as: fixture.admin)
            #expect(system["service"]?.string == "admin")
            #expect(system["deadMessages"]?.integer == 1)
            #expect(abs(system["databaseAheadMilliseconds"]?.integer ?? .max) < 60_000)
            let migrations = system["migrations"]?.array ?? []
            #expect(migrations.contains { $0["component"]?.string == "messaging" && $0["version"]?.integer == 6 })
            #expect(system["outbox"]?["count"]?.integer != nil && system["deadlines"]?["count"]?.integer == 0)
        }
    }
}
