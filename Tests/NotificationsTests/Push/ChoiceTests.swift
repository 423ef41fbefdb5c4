import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications

@Suite("Choices of notices", .timeLimit(.minutes(15)))
struct ChoiceTests {
    static let night = #"{"from": "22:00", "to": "07:00", "zone": "Asia/Riyadh"}"#

    private static func isOn(
        _ kind: String, _ way: String, _ answer: NotificationsProcess.Answer
    ) throws -> Bool? {
        let kinds = try answer.json["kinds"] as? [[String: Any]] ?? []
        let ways = kinds.first { $0["kind"] as? String == kind }?["ways"] as? [[String: Any]] ?? []
        return ways.first { $0["way"] as? String == way }?["on"] as? Bool
    }

    @Test("I6, N2: each kind has sensible defaults, is chosen way by way, and by its owner alone")
    func chosen() async throws {
        try await PushScene.run { scene in
            let before = try await scene.send("GET", "choices")
            #expect(try Self.isOn("money", "push", before) == true && Self.isOn("ratings", "push", before) == false)
            #expect(try Self.isOn("money", "mail", before) == nil && Self.isOn("account", "mail", before) == true)
            let after = try await scene.send("PUT", "choices/money", #"{"push": false}"#)
            #expect(try Self.isOn("money", "push", after) == false && Self.isOn("money", "app", after) == true)
            let again = try await scene.send("PUT", "choices/money", #"{"app": false}"#)
            #expect(try Self.isOn("money", "push", again) == false && Self.isOn("money", "app", again) == false)
            let other = try await scene.send("GET", "choices", account: .timeOrdered())
            #expect(try Self.isOn("money", "push", other) == true)
            #expect(try await scene.send("PUT", "choices/nothing", "{}").status == 404)
            for (kind, body) in [
                ("dues", #"{"push": false}"#), ("dues", #"{"sms": false}"#), ("money", #"{"mail": true}"#),
                ("money", #"{"push": "no"}"#),
            ] {
                #expect(try await scene.send("PUT", "choices/\(kind)", body).status == 422, "\(kind) \(body)")
            }
            for (method, path) in [
                ("GET", "choices"), ("PUT", "choices/money"), ("PUT", "quiet-hours"), ("DELETE", "quiet-hours"),
            ] {
                let answer = try await scene.process.request(
                    method, "/notifications/v1/\(path)", token: nil, body: method == "PUT" ? "{}" : nil)
                #expect(answer.status == 401)
            }
        }
    }

    @Test("I6, N2: what is switched off is not pushed; what the law or the money needs is, whatever was chosen")
    func effect() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            let sample = Sample(customer: scene.account)
            #expect(try await scene.send("PUT", "choices/money", #"{"push": false, "app": false}"#).status == 200)
            try await scene.tip(1)
            #expect(try await scene.process.inbox(scene.account).map(\.read) == [true])
            var account = sample.registered(scene.account, language: "en")
            account.account.muted = ["push", "mail"]
            account.account.version = 90
            try await scene.world.publish(AccountChanged(account: account.account, at: Date()))
            try await scene.world.settle()
            _ = try await scene.offer(600)
            try await scene.world.publish(
                FineCharged(
                    order: sample.order, market: "assef", account: scene.account, provider: sample.provider,
                    amount: sample.fine, providerShare: sample.fine, platformShare: Money(amount: 0, currency: "SAR"),
                    dueAt: Date() + 86_400, at: Date()))
            try await scene.world.settle()
            let fine = try #require(
                try await scene.process.inbox(scene.account).first { $0.topic == InboxTopic.fineCharged.rawValue })
            try await eventually("the fine has come, alone") {
                try scene.shown(browser).map(\.tag) == [fine.id.text]
            }
            #expect(!fine.read)
            try await eventually("nothing else waits") {
                let (waiting, sent) = (try await scene.count("waiting"), try await scene.count("sent"))
                return waiting == 0 && sent == 1
            }
        }
    }

    @Test(
        "I6, N2: mails of a kind that is switched off are not sent; codes, and what was done to the account, always are"
    )
    func mails() async throws {
        try await PushScene.run { scene in
            #expect(try await scene.send("PUT", "choices/account", #"{"mail": false}"#).status == 200)
            let seal = DeliverySeal(secret: Redacted(String(repeating: "d", count: 32)))
            for text in ["login-reminder", "document-expiring", "password-changed", "reset-password"] {
                let id = UUID.timeOrdered()
                try await scene.world.publish(
                    DeliveryRequested(
                        delivery: id, account: scene.account, channel: .mail, text: text, language: "en",
                        sealed: try seal.seal(.init(to: "a@example.com", arguments: [:]), delivery: id),
                        expiresAt: Date() + 600, at: Date()))
            }
            try await scene.world.settle()
            #expect(try await scene.world.pool.query(ListMails()) == ["password-changed", "reset-password"])
        }
    }

    @Test("N2: quiet hours defer what is not urgent, in the account's zone, and let through what somebody waits for")
    func quiet() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            // Quiet from an hour ago until an hour from now.
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
            func time(_ offset: Double) -> String {
                let parts = calendar.dateComponents([.hour, .minute], from: Date() + offset)
                return QuietHours.text((parts.hour ?? 0) * 60 + (parts.minute ?? 0))
            }
            let body = #"{"from": "\#(time(-3_600))", "to": "\#(time(3_600))", "zone": "Asia/Tokyo"}"#
            let set = try await scene.send("PUT", "quiet-hours", body)
            #expect((try set.json["quiet"] as? [String: Any])?["zone"] as? String == "Asia/Tokyo")
            try await scene.tip(1)
            try await eventually("it is laid aside") { try await scene.world.pool.first(CountHeld()) == 1 }
            _ = try await scene.offer(600)
            try await eventually("the offer has come") { try scene.shown(browser).count == 1 }
            #expect(try scene.shown(browser).first?.urgent == true)
            #expect(try await scene.send("DELETE", "quiet-hours").status == 204)
            try await scene.wakeAll()
            try await eventually("the other has come, too") { try scene.shown(browser).count == 2 }
        }
    }

    @Test("N2, P10: quiet hours have two times and a zone that exist")
    func forms() async throws {
        try await PushScene.run { scene in
            for body in [
                "{}", #"{"from": "22:00", "to": "22:00", "zone": "UTC"}"#,
                #"{"from": "25:00", "to": "07:00", "zone": "UTC"}"#,
                #"{"from": "22:00", "to": "07:00", "zone": "Moon/Crater"}"#,
                #"{"from": 22, "to": "07:00", "zone": "UTC"}"#,
            ] {
                #expect(try await scene.send("PUT", "quiet-hours", body).status == 422, "\(body)")
            }
            let answer = try await scene.send("PUT", "quiet-hours", Self.night)
            #expect(
                (try answer.json["quiet"] as? [String: String]) == [
                    "from": "22:00", "to": "07:00", "zone": "Asia/Riyadh",
                ])
            #expect(try await scene.send("DELETE", "quiet-hours").status == 204)
            #expect(try await scene.send("GET", "choices").json["quiet"] == nil)
        }
    }
}

struct ListMails: Statement {
    static let sql: SQL = "SELECT text FROM deliveries WHERE channel = 'mail' ORDER BY text"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
