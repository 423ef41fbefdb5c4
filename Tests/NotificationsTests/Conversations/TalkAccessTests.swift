import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("Q7: who may read and say what in a conversation", .timeLimit(.minutes(15)))
struct TalkAccessTests {
    @Test("Q7, N4: to others a conversation does not exist, and without a token there is nothing")
    func wrongCallers() async throws {
        try await TalkScene.run { scene in
            let id = UUID.timeOrdered()
            try await scene.say("Between us", by: scene.sample.customer, as: id)
            let own = "\(TalkScene.path)/\(scene.conversation)"
            let calls: [(String, String, String?)] = [
                ("GET", own, nil), ("GET", "\(own)/messages", nil), ("GET", "\(own)/messages/\(id.text)/file", nil),
                ("PUT", "\(own)/messages/\(UUID().uuidString)", #"{"text": "x"}"#), ("PUT", "\(own)/marks", "{}"),
                ("PUT", "\(own)/typing", nil), ("POST", "\(own)/messages/\(id.text)/report", #"{"reason": "x"}"#),
            ]
            let strangers = try await [
                scene.token(.timeOrdered()), scene.token(.timeOrdered(), "provider"), scene.admin(),
                scene.token(.timeOrdered(), "admin", market: "*"),
            ]
            for (method, path, body) in calls {
                for token in [nil, "nonsense"] {
                    let answer = try await scene.process.request(
                        method, path, token: token, headers: [("Idempotency-Key", UUID().uuidString)], body: body)
                    #expect(answer.status == 401, "\(method) \(path)")
                }
                for token in strangers {
                    let answer = try await scene.process.request(
                        method, path, token: token, headers: [("Idempotency-Key", UUID().uuidString)], body: body)
                    #expect(answer.status == 404, "\(method) \(path) \(answer.text)")
                }
            }
            for token in strangers {
                let list = try await scene.process.request("GET", TalkScene.path, token: token)
                #expect(try (list.json["items"] as? [Any])?.isEmpty == true)
            }
            #expect(try await scene.messages(scene.sample.provider).count == 1)
        }
    }

    @Test("I11, N4: who has no role in the market any more says nothing there; an ended session is refused at once")
    func banned() async throws {
        try await TalkScene.run { scene in
            let (customer, session) = (scene.sample.customer, UUID.timeOrdered())
            func say(_ token: String) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "PUT", "\(TalkScene.path)/\(scene.conversation)/messages/\(UUID().uuidString)", token: token,
                    body: #"{"text": "Still here"}"#)
            }
            #expect(try await say(try await scene.token(customer, nil)).status == 403)
            #expect(try await say(try await scene.token(customer, "customer", market: "btnc")).status == 403)
            let token = try await scene.token(customer, session: session)
            #expect(try await say(token).status == 200)
            try await scene.world.publish(
                SessionsEnded(
                    account: customer, sessions: [session], until: Date().addingTimeInterval(900), at: Date()))
            try await eventually("the session is refused") { try await say(token).status == 401 }
        }
    }

    @Test("N4, P9: admins read a conversation only while its order is reported, and each read is told to the audit log")
    func reportedOrder() async throws {
        try await TalkScene.run { scene in
            try await scene.say("Come at six", by: scene.sample.customer)
            let path = "\(TalkScene.desk)/conversations/\(scene.conversation)/messages"
            let admin = try await scene.admin()
            let closed = try await scene.process.request("GET", path, token: admin)
            #expect(try closed.status == 403 && closed.slug == "no-open-report")
            let report = UUID.timeOrdered()
            try await scene.world.publish(
                ReportOpened(
                    report: report, order: scene.sample.order, market: "assef", by: .customer,
                    account: scene.sample.customer, reason: "other", note: nil, cancels: false, awaitsDecision: false,
                    at: Date()))
            try await scene.world.settle()
            let read = try await scene.process.request("GET", path, token: admin)
            #expect(read.status == 200)
            #expect(try (read.json["items"] as? [[String: Any]])?.first?["text"] as? String == "Come at six")
            for token in try await [
                scene.admin("btnc"), scene.token(of: scene.sample.customer), scene.token(.timeOrdered(), "provider"),
            ] {
                #expect(try await scene.process.request("GET", path, token: token).status == 403)
            }
            let other = path.replacing("/assef/", with: "/btnc/")
            #expect(try await scene.process.request("GET", other, token: try await scene.admin("btnc")).status == 404)
            let viewed = try await scene.world.told(NotificationsListViewed.self)
            #expect(viewed.map(\.list) == ["messages of a conversation"])
            #expect(viewed.first?.filter["id"] == scene.conversation)
            let list = try await scene.process.request(
                "GET", "\(TalkScene.desk)/orders/\(scene.sample.order.text)/conversations", token: admin)
            #expect(try (list.json["items"] as? [[String: Any]])?.first?["readable"] as? Bool == true)
            // Answered, it is closed again; that the report is heard of once more changes nothing.
            try await scene.world.publish(
                ReportAnswered(
                    report: report, order: scene.sample.order, market: "assef", account: scene.sample.customer,
                    answer: "Done", by: .timeOrdered(), at: Date()))
            try await scene.world.settle()
            #expect(try await scene.process.request("GET", path, token: admin).status == 403)
        }
    }

    @Test("N4, P9: a reported message opens the conversation to the market's admins until one has closed the report")
    func reportedMessage() async throws {
        try await TalkScene.run { scene in
            let id = UUID.timeOrdered()
            try await scene.say("Rude words", by: scene.sample.customer, as: id)
            func report(_ account: UUID, _ reason: String = "It is rude") async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "POST", "\(TalkScene.path)/\(scene.conversation)/messages/\(id.text)/report",
                    token: try await scene.token(of: account), headers: [("Idempotency-Key", UUID().uuidString)],
                    body: #"{"reason": "\#(reason)"}"#)
            }
            #expect(try await report(scene.sample.customer).status == 404)
            #expect(try await report(scene.sample.provider).status == 204)
            #expect(try await report(scene.sample.provider, "Once more").status == 204)
            let admin = try await scene.admin()
            let list = "\(TalkScene.desk)/message-reports"
            let reports = try await scene.process.request("GET", list, token: admin).json["items"] as? [[String: Any]]
            #expect(reports?.map { $0["reason"] as? String } == ["It is rude"])
            let found = try #require(reports?.first?["report"] as? String)
            let messages = "\(TalkScene.desk)/conversations/\(scene.conversation)/messages"
            #expect(try await scene.process.request("GET", messages, token: admin).status == 200)
            func close(_ token: String, _ market: String = "assef") async throws -> Int {
                try await scene.process.request(
                    "POST", "/notifications/v1/markets/\(market)/message-reports/\(found)/close", token: token,
                    headers: [("Idempotency-Key", UUID().uuidString)]
                ).status
            }
            #expect(try await close(try await scene.token(of: scene.sample.provider)) == 403)
            #expect(try await close(try await scene.admin("btnc"), "btnc") == 404)
            #expect(try await close(admin) == 204)
            #expect(try await close(admin) == 404)
            #expect(try await scene.process.request("GET", messages, token: admin).status == 403)
            #expect(try await scene.world.told(TalkManaged.self).map(\.act) == [.messageReportClosed])
        }
    }

    @Test("I12, N4: of somebody who is gone no word is left, neither with the other nor on the other's stream")
    func deletion() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let photo = UUID.timeOrdered()
            try await scene.say("My door has the code 1234", by: customer)
            #expect(try await scene.send(SampleFiles.jpeg, by: customer, as: photo).status == 200)
            try await scene.say("Thank you", by: provider)
            let own = try await scene.process.request(
                "GET", "/notifications/v1/messages", token: try await scene.token(of: customer))
            #expect(try (own.json["items"] as? [[String: Any]])?.count == 2)
            try await scene.world.publish(AccountDeleted(account: customer, version: 9, at: Date()))
            try await scene.world.settle()
            let left = try await scene.messages(provider)
            #expect(left.map { $0["kind"] as? String } == ["text", "removed", "removed"])
            #expect(left.map { $0["text"] as? String } == ["Thank you", nil, nil])
            let file = try await scene.process.request(
                "GET", "\(TalkScene.path)/\(scene.conversation)/messages/\(photo.text)/file",
                token: try await scene.token(of: provider))
            #expect(file.status == 404)
            #expect(try await (scene.talk(provider)["with"] as? [String: Any])?["name"] as? String == "—")
            let stream = try await scene.process.stream(provider, after: 0)
            try await eventually("all are told again") { stream.events("message").count == 3 }
            #expect(stream.events("message").map { $0.text("text") } == [nil, nil, "Thank you"])
            #expect(stream.events("message").map { $0.text("kind") } == ["removed", "removed", "text"])
        }
    }
}

extension World {
    /// What the service has told, from its outbox.
    func told<M: Message>(_ type: M.Type) async throws -> [M] {
        try await pool.query(ListTold(name: M.name.text)).map { try JSON.wire.decode(M.self, Array($0.utf8)) }
    }
}

private struct ListTold: Statement {
    static let sql: SQL = "SELECT payload::text FROM outbox WHERE name = $1 ORDER BY seq"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
