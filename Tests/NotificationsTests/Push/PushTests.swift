import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications

@Suite("Push messages", .timeLimit(.minutes(15)))
struct PushTests {
    @Test(
        "N2: a new item is pushed once to each device of its account, readable there alone, in the account's language")
    func once() async throws {
        try await PushScene.run { scene in
            let (phone, desk) = (try await scene.register("phone"), try await scene.register("desk"))
            let other = try await scene.register("other", account: .timeOrdered())
            try await scene.world.publish(Sample().registered(scene.account, language: "ar"))
            let sample = try await scene.offer(600)
            try await eventually("both have it") {
                try scene.shown(phone).count == 1 && scene.shown(desk).count == 1
            }
            let item = try #require(try await scene.process.inbox(scene.account).first)
            let shown = try #require(try scene.shown(phone).first)
            #expect(shown == (try scene.shown(desk).first))
            #expect(shown.title == item.subject && shown.body == item.content && shown.lang == "ar" && shown.urgent)
            #expect(shown.url == "/assef/o/\(sample.order.text)" && shown.tag == item.id.text)
            let headers = try #require(scene.sandbox.pushes.messages(.web, to: "phone").first?.headers)
            #expect(headers["urgency"] == "high" && headers["topic"] == item.id.text.replacing("-", with: ""))
            #expect((1...600).contains(Int(headers["ttl"] ?? "") ?? 0))
            try await eventually("both are done with") { try await scene.count("sent") == 2 }
            #expect(try scene.shown(other).isEmpty)
            #expect(try await scene.world.pool.first(CountSealed()) == 0)
        }
    }

    @Test("N2: while a push service is away nothing is lost, nothing doubled, and an account's order is kept")
    func away() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 503))
            for riyals in 1...3 { try await scene.tip(riyals) }
            try await eventually("it was tried") { scene.sandbox.pushes.tries(.web) >= 2 }
            scene.sandbox.pushes.answer(.web, with: nil)
            try await eventually("all are done with") { try await scene.count("sent") == 3 }
            let titles = try scene.shown(browser).map(\.title)
            #expect(titles == (try await scene.process.inbox(scene.account).map(\.subject).reversed()))
            #expect(titles.count == 3)
        }
    }

    @Test("N2: what was sent when its process died is sent at most once more, under the name that it had")
    func repeated() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 500, keeps: true))
            try await scene.tip(5)
            try await eventually("it has come, and nobody knows") { try scene.shown(browser).count == 1 }
            scene.sandbox.pushes.answer(.web, with: nil)
            try await eventually("it is done with") { try await scene.count("sent") == 1 }
            let topics = scene.sandbox.pushes.messages(.web, to: "phone").map { $0.headers["topic"] }
            #expect(topics.count <= 3 && Set(topics).count == 1)
            #expect(Set(try scene.shown(browser).map(\.tag)).count == 1)
        }
    }

    @Test("N2: a service's own limit is kept, for all devices behind it; a pause of one service holds up no other")
    func limits() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 429, retryAfter: 3_000))
            try await scene.tip(1)
            try await eventually("the pause is known") { try await scene.world.pool.first(CountPauses()) == 1 }
            let tries = scene.sandbox.pushes.tries(.web)
            scene.sandbox.pushes.answer(.web, with: nil)
            let neighbour = try await scene.register("neighbour", account: .timeOrdered())
            try await scene.world.pool.execute(WakePushes())
            try await scene.tip(2)
            #expect(scene.sandbox.pushes.tries(.web) == tries)
            #expect(try scene.shown(neighbour).isEmpty)
            try await scene.wakeAll()
            try await eventually("both have come, in order") { try scene.shown(browser).count == 2 }
            #expect(
                try scene.shown(browser).map(\.tag)
                    == (try await scene.process.inbox(scene.account).map(\.id.text).reversed()))
        }
    }

    @Test("N2: a device that its service does not know any more is removed, with what waited for it")
    func gone() async throws {
        try await PushScene.run { scene in
            try await scene.register("phone")
            let desk = try await scene.register("desk")
            scene.sandbox.pushes.answer(.web, to: "phone", with: .init(status: 410))
            for riyals in 1...2 { try await scene.tip(riyals) }
            try await eventually("it is removed") { try await scene.devices() == 1 }
            try await eventually("the other has both") { try scene.shown(desk).count == 2 }
            try await eventually("nothing waits") { try await scene.count("waiting") == 0 }
        }
    }

    @Test("N2: an offer that nobody could be told of in its window is given up, with an event")
    func givenUp() async throws {
        try await PushScene.run { scene in
            try await FailedDeliveries.with(scene.world.broker) { failed in
                try await scene.register("phone")
                scene.sandbox.pushes.answer(.web, with: .init(status: 503))
                _ = try await scene.offer(60)
                try await eventually("it was tried") { scene.sandbox.pushes.tries(.web) >= 1 }
                // Windows are told in whole minutes, so this one is made over in the database.
                try await scene.world.pool.execute(ExpirePushes())
                try await eventually("it is given up") {
                    try await scene.wakeAll()
                    return try await scene.count("failed") == 1
                }
                try await eventually("it is told") { failed.all.count == 1 }
                let event = try #require(failed.all.first)
                #expect(event.account == scene.account && event.channel == .push && event.reason == .expired)
                #expect(event.text == InboxTopic.orderRequested.rawValue)
                #expect(scene.sandbox.pushes.messages(.web).isEmpty)
            }
        }
    }

    @Test("N2: a mail that has expired is given up, with an event")
    func mails() async throws {
        try await PushScene.run { scene in
            try await FailedDeliveries.with(scene.world.broker) { failed in
                let seal = DeliverySeal(secret: Redacted(String(repeating: "d", count: 32)))
                let id = UUID.timeOrdered()
                try await scene.world.publish(
                    DeliveryRequested(
                        delivery: id, account: scene.account, channel: .mail, text: "password-changed", language: "en",
                        sealed: try seal.seal(.init(to: "a@example.com", arguments: ["name": "A"]), delivery: id),
                        expiresAt: Date() - 1, at: Date()))
                try await eventually("it is told") { failed.all.map(\.delivery) == [id] }
                #expect(failed.all.first?.channel == .mail && failed.all.first?.reason == .expired)
            }
        }
    }

    @Test("N2: what is read before it could be sent is not sent")
    func read() async throws {
        try await PushScene.run { scene in
            try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 503))
            try await scene.tip(1)
            let answer = try await scene.process.request(
                "POST", "/notifications/v1/inbox/read", token: try await scene.world.token(scene.account),
                headers: [("Idempotency-Key", UUID().uuidString)])
            #expect(answer.status == 200)
            try await eventually("it is dropped") {
                try await scene.wakeAll()
                return try await scene.count("dropped") == 1
            }
            #expect(scene.sandbox.pushes.messages(.web).isEmpty)
        }
    }

    @Test("N2: more than three of a kind that wait are one message, which says how many and opens the inbox")
    func digest() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 503))
            for riyals in 1...5 { try await scene.tip(riyals) }
            let before = scene.sandbox.pushes.tries(.web)
            try await eventually("a try has seen all of them") {
                try await scene.wakeAll()
                return scene.sandbox.pushes.tries(.web) > before + 1
            }
            scene.sandbox.pushes.answer(.web, with: nil)
            try await eventually("all are done with") {
                try await scene.wakeAll()
                return try await scene.count("sent") == 5
            }
            let shown = try scene.shown(browser)
            #expect(shown.map(\.title) == ["5 new notices about your money"])
            #expect(shown.first?.url == "/assef/inbox" && shown.first?.body.isEmpty == false)
        }
    }

    @Test("N2: after three of a kind the next wait for ten minutes; an offer does not")
    func storm() async throws {
        try await PushScene.run { scene in
            let browser = try await scene.register("phone")
            for riyals in 1...3 {
                try await scene.tip(riyals)
                try await eventually("it has come") { try scene.shown(browser).count == riyals }
                try await eventually("it is done with") { try await scene.count("sent") == riyals }
            }
            try await scene.tip(4)
            try await eventually("it is laid aside") { try await scene.world.pool.first(CountHeld()) == 1 }
            _ = try await scene.offer(600)
            try await eventually("the offer has come") { try scene.shown(browser).last?.urgent == true }
            #expect(try scene.shown(browser).count == 4)
            try await scene.world.pool.execute(AgeSentPushes())
            try await scene.wakeAll()
            try await eventually("the one that waited has come") { try scene.shown(browser).count == 5 }
        }
    }
}

extension PushTests {
    @Test("N2: what waits for a kind of device that is not set up any more goes a day after it is of no use")
    func unsent() async throws {
        try await PushScene.run { scene in
            try await scene.register("phone")
            scene.sandbox.pushes.answer(.web, with: .init(status: 429, retryAfter: 3_000))
            try await scene.tip(1)
            try await eventually("it waits") { try await scene.world.pool.first(CountPauses()) == 1 }
            #expect(try await scene.world.pool.execute(PurgeUnsentPushes(limit: 10)) == 0)
            try await scene.world.pool.execute(AgeWaitingPushes())
            #expect(try await scene.world.pool.execute(PurgeUnsentPushes(limit: 10)) == 1)
            #expect(try await scene.world.pool.execute(PurgePausedHosts()) == 0)
        }
    }
}

struct AgeWaitingPushes: Statement {
    static let sql: SQL = "UPDATE deliveries SET expires_at = now() - interval '2 days' WHERE channel = 'push'"
}

struct CountPauses: Statement {
    static let sql: SQL = "SELECT count(*) FROM paused_hosts WHERE until > now()"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountHeld: Statement {
    static let sql: SQL = "SELECT count(*) FROM deliveries WHERE is_held AND state = 'waiting' AND next_at > now()"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct ExpirePushes: Statement {
    static let sql: SQL = "UPDATE deliveries SET expires_at = now() WHERE channel = 'push'"
}
