import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiNotifications

@Suite("The inbox", .timeLimit(.minutes(15)))
struct InboxTests {
    private static let inbox = "/notifications/v1/inbox"

    /// Gives an account some items of different times.
    private static func fill(_ count: Int, _ customer: UUID, _ world: World) async throws {
        for version in 1...count { try await world.publish(Sample(customer: customer).accepted(version: version)) }
        try await world.settle()
    }

    @Test("N1: items are listed page by page, the newest first, each once")
    func pages() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let account = UUID.timeOrdered()
                try await Self.fill(7, account, world)
                let token = try await world.token(account)
                var items: [InboxEntry] = []
                var path = Self.inbox + "?limit=3"
                for _ in 0..<3 {
                    let answer = try await process.request("GET", path, token: token)
                    let page = try JSON.answer.decode(InboxPage.self, answer.body)
                    items += page.items
                    guard let next = page.next else { break }
                    path = Self.inbox + "?limit=3&cursor=\(next)"
                }
                #expect(items.count == 7 && Set(items.map(\.id)).count == 7)
                #expect(items.map(\.at) == items.map(\.at).sorted(by: >))
                let other = try await world.token(.timeOrdered())
                #expect(try await process.request("GET", path, token: other).status == 400)
                #expect(try await process.request("GET", Self.inbox + "?cursor=x", token: token).status == 400)
                #expect(try await process.request("GET", Self.inbox + "?limit=0", token: token).status == 400)
                #expect(try await process.request("GET", Self.inbox + "?limit=101", token: token).status == 400)
            }
        }
    }

    @Test("N1: unread items are counted and marked, named ones or all; others' are left alone")
    func reading() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (account, other) = (UUID.timeOrdered(), UUID.timeOrdered())
                try await Self.fill(4, account, world)
                try await Self.fill(2, other, world)
                func unread(_ account: UUID) async throws -> Int? {
                    let token = try await world.token(account)
                    return try await process.request("GET", Self.inbox + "/unread", token: token).json["count"] as? Int
                }
                func mark(_ body: String?, key: String = UUID().uuidString) async throws -> NotificationsProcess.Answer
                {
                    try await process.request(
                        "POST", Self.inbox + "/read", token: try await world.token(account),
                        headers: [("Idempotency-Key", key)], body: body)
                }
                #expect(try await unread(account) == 4)
                let mine = try await process.inbox(account)
                let theirs = try await process.inbox(other)
                let named = try await mark("{\"items\": [\"\(mine[0].id)\", \"\(theirs[0].id)\", \"\(UUID())\"]}")
                #expect(named.status == 200)
                #expect(try named.json["count"] as? Int == 3)
                #expect(try await unread(other) == 2)
                #expect(try await process.inbox(account).map(\.read) == [true, false, false, false])

                // A repeat with the same key must not mark what came in between.
                let all = try await mark(nil, key: "same-key-1")
                #expect(try all.json["count"] as? Int == 0)
                try await Self.fill(1, account, world)
                let repeated = try await mark(nil, key: "same-key-1")
                #expect(repeated.text == all.text)
                #expect(try await unread(account) == 1)

                for body in ["{\"items\": \"all\"}", "{\"items\": []}", "{\"items\": [\"x\"]}", "[]"] {
                    #expect(try await mark(body).status == 422, "\(body)")
                }
                #expect(try await mark("{").status == 400)
                let many = (0...100).map { _ in "\"\(UUID())\"" }.joined(separator: ",")
                #expect(try await mark("{\"items\": [\(many)]}").status == 422)
                let keyless = try await process.request(
                    "POST", Self.inbox + "/read", token: try await world.token(account))
                #expect(keyless.status == 400)
            }
        }
    }

    @Test("N1: deleting all empties the inbox, and streams that resume are not told of what is deleted")
    func deleting() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (account, other) = (UUID.timeOrdered(), UUID.timeOrdered())
                try await Self.fill(3, account, world)
                try await Self.fill(1, other, world)
                let before = try await process.stream(account, after: 0)
                try await eventually("all are told") { before.events("inbox").count == 3 }
                let answer = try await process.request("DELETE", Self.inbox, token: try await world.token(account))
                #expect(answer.status == 204)
                #expect(try await process.inbox(account).isEmpty)
                #expect(try await process.inbox(other).count == 1)
                try await Self.fill(1, account, world)
                let after = try await process.stream(account, after: 0)
                try await eventually("the new one is told") { after.numbers.last == 8 }
                #expect(after.events("inbox").count == 1)
                #expect(after.events("order").count == 4)
                #expect(after.events.first?.json["missed"] as? Bool == false)
            }
        }
    }

    @Test("N1: nobody gets at an inbox without a token")
    func wrongCallers() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                for (method, path) in [("GET", ""), ("DELETE", ""), ("GET", "/unread"), ("POST", "/read")] {
                    for token in [nil, "nonsense", try await world.token(.timeOrdered(), lifetime: -100)] {
                        let answer = try await process.request(
                            method, Self.inbox + path, token: token, headers: [("Idempotency-Key", "some-key-1")])
                        #expect(answer.status == 401, "\(method) \(path)")
                    }
                }
                #expect(try await process.request("PUT", Self.inbox, token: nil).status == 405)
            }
        }
    }
}
