import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N1: the admins' inbox", .timeLimit(.minutes(15)))
struct AdminInboxTests {
    private static let inbox = "/notifications/v1/markets/assef/inbox"

    /// A cash-out that waits.
    private static func ask(
        _ scene: NoticeScene, _ cashOut: UUID = .timeOrdered(), of account: UUID = .timeOrdered(),
        market: String = "assef", at: Date = Date()
    ) async throws -> UUID {
        try await scene.world.publish(
            CashOutAsked(
                cashOut: cashOut, account: account, market: market, amount: Money(amount: 5_000, currency: "SAR"),
                at: at))
        try await scene.world.settle()
        return cashOut
    }

    private static func decide(_ scene: NoticeScene, _ cashOut: UUID, at: Date = Date()) async throws {
        try await scene.world.publish(
            CashOutDecided(
                cashOut: cashOut, account: .timeOrdered(), market: "assef",
                amount: Money(amount: 5_000, currency: "SAR"), isAccepted: true, reason: nil, by: .timeOrdered(),
                at: at))
        try await scene.world.settle()
    }

    private static func items(
        _ scene: NoticeScene, _ token: String, _ query: String = "", path: String = inbox
    ) async throws -> [[String: Any]] {
        let answer = try await scene.process.request("GET", path + query, token: token)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json["items"] as? [[String: Any]] ?? []
    }

    private static func act(
        _ scene: NoticeScene, _ method: String, _ item: String, _ act: String, _ token: String
    ) async throws -> NotificationsProcess.Answer {
        try await scene.process.request(method, "\(inbox)/\(item)/\(act)", token: token)
    }

    @Test(
        "N1, W5: a cash-out waits in one row for all admins of its market, and goes when the wallet says that it is decided"
    )
    func settled() async throws {
        try await NoticeScene.run { scene in
            let owner = UUID.timeOrdered()
            let cashOut = try await Self.ask(scene, of: owner)
            let (one, two) = (try await scene.admin(), try await scene.admin("*"))
            for token in [one, two] {
                let items = try await Self.items(scene, token)
                #expect(items.count == 1)
                #expect(items.first?["subject"] as? String == cashOut.text)
                #expect(items.first?["person"] as? String == owner.text)
                #expect(items.first?["text"] as? String == "A cash-out of 50.00 SAR waits for a decision")
                #expect(items.first?["state"] as? String == "waiting")
            }
            #expect(try await Self.items(scene, one, "?kind=report").isEmpty)
            #expect(try await Self.items(scene, one, "?kind=cash-out&urgent=false&state=waiting").count == 1)
            let counts = try await scene.process.request("GET", "\(Self.inbox)-counts", token: one).json
            #expect(counts["waiting"] as? Int == 1 && counts["own"] as? Int == 0)
            let waiting = try await scene.process.request(
                "GET", "/notifications/v1/markets/assef/waiting", token: one
            ).json
            #expect(waiting["inbox"] as? Int == 1)
            try await Self.decide(scene, cashOut)
            #expect(try await Self.items(scene, one).isEmpty)
            let ended = try await Self.items(scene, one, "?state=settled")
            #expect(ended.count == 1 && ended.first?["endedAt"] != nil)
            // What is heard late does not open it again.
            _ = try await Self.ask(scene, cashOut, at: Date().addingTimeInterval(-60))
            #expect(try await Self.items(scene, one).isEmpty)
            let early = UUID.timeOrdered()
            try await Self.decide(scene, early)
            _ = try await Self.ask(scene, early, at: Date().addingTimeInterval(-60))
            #expect(try await Self.items(scene, one).isEmpty)
        }
    }

    @Test("N1, P9: of two admins at once one takes a thing and the other is told; each act is in the audit log once")
    func twoAtOnce() async throws {
        try await NoticeScene.run { scene in
            _ = try await Self.ask(scene)
            let tokens = [try await scene.admin(), try await scene.admin()]
            let item = try #require(try await Self.items(scene, tokens[0]).first?["item"] as? String)
            let answers = try await withThrowingTaskGroup(of: (Int, NotificationsProcess.Answer).self) { group in
                for index in tokens.indices {
                    group.addTask { (index, try await Self.act(scene, "PUT", item, "taker", tokens[index])) }
                }
                return try await group.reduce(into: [Int: NotificationsProcess.Answer]()) { $0[$1.0] = $1.1 }
            }
            #expect(answers.values.map(\.status).sorted() == [200, 409])
            let winner = try #require(answers.first { $0.value.status == 200 }?.key)
            let (one, other) = (tokens[winner], tokens[1 - winner])
            #expect(try answers[1 - winner]?.slug == "inbox-item-taken")
            #expect(try await Self.act(scene, "PUT", item, "taker", one).status == 200)
            #expect(try await Self.act(scene, "PUT", item, "done", other).slug == "inbox-item-taken")
            #expect(try await Self.items(scene, one, "?own=true").count == 1)
            #expect(try await Self.items(scene, other, "?own=true").isEmpty)
            // The one who took it is on holiday.
            #expect(try await Self.act(scene, "DELETE", item, "taker", other).status == 200)
            #expect(try await Self.act(scene, "PUT", item, "done", other).status == 200)
            #expect(try await Self.items(scene, one).isEmpty)
            #expect(try await Self.act(scene, "PUT", item, "taker", one).slug == "inbox-item-ended")
            #expect(try await Self.items(scene, one, "?state=done").count == 1)
            #expect(try await Self.act(scene, "DELETE", item, "done", one).status == 200)
            #expect(try await Self.items(scene, one, "?state=waiting").count == 1)
            let acts = try await scene.world.told(AdminItemManaged.self)
            #expect(acts.map(\.act) == [.taken, .released, .done, .reopened])
            #expect(acts.allSatisfy { $0.kind == "cash-out" && $0.market == "assef" })
        }
    }

    @Test(
        "N1: a change is told at once to the admins and the support of the market who are connected, and to nobody else"
    )
    func live() async throws {
        try await NoticeScene.run { scene in
            func stream(_ role: String, _ market: String) async throws -> StreamClient {
                let token = try await scene.token(.timeOrdered(), role, market: market)
                let client = StreamClient(port: scene.process.port, token: token, after: nil)
                try await eventually("the stream is ready") { client.events.first?.name == "ready" }
                return client
            }
            let hear = [
                try await stream("admin", "assef"), try await stream("support", "assef"),
                try await stream("admin", "*"),
            ]
            let others = [try await stream("admin", "btnc"), try await stream("customer", "assef")]
            _ = try await Self.ask(scene)
            for client in hear {
                try await eventually("the admins hear it") { !client.events("waiting").isEmpty }
                #expect(client.events("waiting").first?.text("market") == "assef")
                // It has no number: whoever was away reads the list.
                #expect(client.events("waiting").first?.id == nil)
            }
            _ = try await Self.ask(scene, market: "btnc")
            try await eventually("the other market's admin hears its own") { !others[0].events("waiting").isEmpty }
            #expect(others[0].events("waiting").allSatisfy { $0.text("market") == "btnc" })
            #expect(others[1].events("waiting").isEmpty)
        }
    }

    @Test("I13, N1: an admin who is removed stops to see at once: the stream ends, and the list is refused")
    func removed() async throws {
        try await NoticeScene.run { scene in
            let (account, session) = (UUID.timeOrdered(), UUID.timeOrdered())
            let now = Date().timeIntervalSince1970
            let token = try await scene.world.tokens.sign(
                AccessTokenClaims(
                    sub: account.text, iss: World.issuer, aud: "serai", exp: now + 600, iat: now - 10,
                    roles: [MarketRole(market: "assef", role: "admin")], sid: session.text))
            let client = StreamClient(port: scene.process.port, token: token, after: nil)
            try await eventually("the stream is ready") { client.events.first?.name == "ready" }
            try await scene.world.publish(
                SessionsEnded(
                    account: account, sessions: [session], until: Date().addingTimeInterval(900), at: Date()))
            try await eventually("the stream ends") { client.hasEnded }
            try await eventually("the list is refused") {
                try await scene.process.request("GET", Self.inbox, token: token).status == 401
            }
        }
    }

    @Test(
        "Q7, N1: nobody but a market's admins has its inbox; the support reads and takes nothing; nobody takes the own matter"
    )
    func wrongCallers() async throws {
        try await NoticeScene.run { scene in
            let admin = UUID.timeOrdered()
            _ = try await Self.ask(scene, of: admin)
            let own = try await scene.token(admin, "admin")
            let item = try #require(try await Self.items(scene, own).first?["item"] as? String)
            let reads = ["", ".csv", "-counts", "/\(item)"].map { ("GET", Self.inbox + $0) }
            let acts = [("PUT", "taker"), ("DELETE", "taker"), ("PUT", "done"), ("DELETE", "done")].map {
                ($0.0, "\(Self.inbox)/\(item)/\($0.1)")
            }
            let strangers = [
                try await scene.token(.timeOrdered(), "customer"), try await scene.token(.timeOrdered(), "provider"),
                try await scene.admin("btnc"),
            ]
            for (method, path) in reads + acts {
                #expect(try await scene.process.request(method, path, token: nil).status == 401, "\(method) \(path)")
                for token in strangers {
                    let answer = try await scene.process.request(method, path, token: token)
                    #expect(answer.status == 403, "\(method) \(path) \(answer.text)")
                }
            }
            let support = try await scene.token(.timeOrdered(), "support")
            for (method, path) in reads {
                #expect(try await scene.process.request(method, path, token: support).status == 200, "\(path)")
            }
            for (method, path) in acts {
                #expect(try await scene.process.request(method, path, token: support).status == 403, "\(path)")
            }
            #expect(try await Self.act(scene, "PUT", item, "taker", own).slug == "own-matter")
            // Another market's admin does not find it in the own market either.
            let elsewhere = "/notifications/v1/markets/btnc/inbox/\(item)"
            #expect(
                try await scene.process.request("GET", elsewhere, token: try await scene.admin("btnc")).status == 404)
            // The file is in the audit log; the list, which names nobody, is not.
            let viewed = try await scene.world.told(NotificationsListViewed.self)
            #expect(viewed.map(\.list) == ["admins' inbox"] && viewed.allSatisfy(\.isFile))
        }
    }

    @Test(
        "N1, N6: an inquiry waits, is the same admin's on both pages, goes with the answer and comes again with a question"
    )
    func inquiry() async throws {
        try await NoticeScene.run { scene in
            let customer = try await scene.token(.timeOrdered(), "customer")
            let asked = try await scene.process.request(
                "POST", "/notifications/v1/inquiries", token: customer,
                headers: [("Idempotency-Key", UUID().uuidString)],
                body: #"{"market": "assef", "as": "customer", "title": "My bill", "content": "Why?"}"#)
            let inquiry = try #require(try asked.json["inquiry"] as? String)
            let page = "/notifications/v1/markets/assef/inquiries/\(inquiry)"
            let (one, two) = (try await scene.admin(), try await scene.admin())
            let item = try #require(try await Self.items(scene, one).first?["item"] as? String)
            #expect(try await Self.act(scene, "PUT", item, "taker", one).status == 200)
            #expect(
                try await scene.process.request("PUT", "\(page)/taker", token: two).slug == "inquiry-taken")
            // Given back there, it is free here.
            #expect(try await scene.process.request("DELETE", "\(page)/taker", token: one).status == 200)
            #expect(try await Self.items(scene, one, "?state=waiting").count == 1)
            #expect(try await scene.process.request("PUT", "\(page)/taker", token: two).status == 200)
            #expect(try await Self.act(scene, "PUT", item, "taker", one).slug == "inbox-item-taken")
            let answer = try await scene.process.request(
                "PUT", "\(page)/messages/\(UUID().uuidString)", token: two, body: #"{"text": "A fine."}"#)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await Self.items(scene, one).isEmpty)
            let again = try await scene.process.request(
                "PUT", "\(TalkScene.path)/\(inquiry)/messages/\(UUID().uuidString)", token: customer,
                body: #"{"text": "Which one?"}"#)
            #expect(again.status == 200, "\(again.text)")
            let open = try await Self.items(scene, one)
            #expect(open.count == 1 && open.first?["item"] as? String == item)
            // Whoever answered has it still.
            #expect(try await Self.items(scene, two, "?own=true").count == 1)
        }
    }

    @Test("N1, O7: a visit at the desk is urgent when its time comes near, and gone when somebody is sent")
    func desk() async throws {
        try await NoticeScene.run { scene in
            let sample = Sample(start: Date())
            func visit(_ state: OrderSnapshot.State, _ version: Int) -> OrderSnapshot {
                sample.snapshot(state, version: version, by: .customer) {
                    ($0.market, $0.kind, $0.provider) = ("edencare", "homeCare", nil)
                }
            }
            let path = "/notifications/v1/markets/edencare/inbox"
            let admin = try await scene.admin("edencare")
            try await scene.world.publish(OrderRequested(order: visit(.requested, 2)))
            try await scene.world.settle()
            let item = try #require(try await Self.items(scene, admin, path: path).first)
            #expect(item["kind"] as? String == "visit" && item["isUrgent"] as? Bool == false)
            #expect((item["text"] as? String)?.contains("Wound care, Injection") == true)
            let id = try #require(item["item"] as? String)
            #expect(try await scene.process.request("PUT", "\(path)/\(id)/done", token: admin).status == 200)
            // Nobody was sent all the same.
            try await scene.world.publish(OrderNobodyYet(order: visit(.requested, 2), at: Date()))
            try await scene.world.settle()
            let late = try await Self.items(scene, admin, "?urgent=true", path: path)
            #expect(late.map { $0["item"] as? String } == [id])
            try await scene.world.publish(OrderOffered(order: visit(.offered, 3)))
            try await scene.world.settle()
            #expect(try await Self.items(scene, admin, path: path).isEmpty)
            // Its partner gives it back: it waits anew, and nobody has it.
            try await scene.world.publish(OrderReopened(order: visit(.requested, 4), former: nil))
            try await scene.world.settle()
            let back = try await Self.items(scene, admin, path: path)
            #expect(back.map { $0["isUrgent"] as? Bool } == [false] && back.first?["takenBy"] == nil)
        }
    }

    @Test(
        "N1, I12: with an account all that waits about it goes, and nothing names it any more; long-ended things are deleted"
    )
    func forgotten() async throws {
        try await NoticeScene.run { scene in
            let account = UUID.timeOrdered()
            _ = try await Self.ask(scene, of: account)
            let admin = try await scene.admin()
            try await scene.world.publish(AccountDeleted(account: account, version: 2, at: Date()))
            try await scene.world.settle()
            #expect(try await Self.items(scene, admin).isEmpty)
            let ended = try await Self.items(scene, admin, "?state=settled")
            #expect(ended.count == 1 && ended.first?["person"] == nil)
            let purge = AdminItemPurge(pool: scene.world.pool, clock: { Date() }, logger: TestThreads.logger)
            try await purge.purge(at: Date().addingTimeInterval(89 * 86_400))
            #expect(try await Self.items(scene, admin, "?state=settled").count == 1)
            try await purge.purge(at: Date().addingTimeInterval(91 * 86_400))
            #expect(try await Self.items(scene, admin, "?state=settled").isEmpty)
        }
    }
}
