import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N6: inquiries", .timeLimit(.minutes(15)))
struct InquiryTests {
    private static let path = "/notifications/v1/inquiries"

    private static func ask(
        _ scene: TalkScene, _ token: String, title: String = "My bill", content: String = "Why is it 12?",
        as role: String = "customer", market: String = "assef", key: String = UUID().uuidString
    ) async throws -> NotificationsProcess.Answer {
        let body = try JSON.wire.text(["market": market, "as": role, "title": title, "content": content])
        return try await scene.process.request(
            "POST", path, token: token, headers: [("Idempotency-Key", key)], body: body)
    }

    private static func answer(
        _ scene: TalkScene, _ inquiry: String, _ token: String, _ text: String = "It was a fine.", as id: UUID = UUID(),
        market: String = "assef"
    ) async throws -> NotificationsProcess.Answer {
        try await scene.process.request(
            "PUT", "/notifications/v1/markets/\(market)/inquiries/\(inquiry)/messages/\(id.uuidString)", token: token,
            body: try JSON.wire.text(["text": text]))
    }

    @Test("N6: an inquiry has a title, a status and a history; the answer comes on the stream and into the inbox")
    func answered() async throws {
        try await TalkScene.run { scene in
            let account = UUID.timeOrdered()
            let (token, admin) = (try await scene.token(account), try await scene.admin())
            let hears = try await scene.process.stream(account, after: 0)
            let asked = try await Self.ask(scene, token, key: "the-same-key")
            #expect(asked.status == 201, "\(asked.text)")
            #expect(try await Self.ask(scene, token, key: "the-same-key").text == asked.text)
            let inquiry = try #require(try asked.json["inquiry"] as? String)
            func status() async throws -> String? {
                try await scene.process.request("GET", "\(Self.path)/\(inquiry)", token: token).json["status"]
                    as? String
            }
            #expect(try await status() == "no-response-yet")
            let id = UUID()
            let answer = try await Self.answer(scene, inquiry, admin, as: id)
            #expect(try answer.status == 200 && answer.json["from"] as? String == "support", "\(answer.text)")
            #expect(try await Self.answer(scene, inquiry, admin, as: id).text == answer.text)
            #expect(try await status() == "responded")
            try await eventually("the answer is told") { hears.events("message").count == 2 }
            let told = try #require(hears.events("message").last)
            #expect(told.text("text") == "It was a fine." && told.text("sender") == nil)
            let item = try #require(try await scene.process.inbox(account).first)
            #expect(item.subject == "Your inquiry was answered" && item.content == "My bill")
            #expect(hears.events("inbox").first?.text("inquiry") == inquiry)
            // Who asks on waits again.
            let more = try await scene.process.request(
                "PUT", "\(TalkScene.path)/\(inquiry)/messages/\(UUID().uuidString)", token: token,
                body: #"{"text": "Which one?"}"#)
            #expect(more.status == 200)
            #expect(try await status() == "no-response-yet")
            let history = try await scene.process.request("GET", "\(Self.path)?market=assef", token: token)
            #expect(try (history.json["items"] as? [Any])?.count == 1)
            #expect(try await scene.world.told(TalkManaged.self).map(\.act) == [.inquiryAnswered])
        }
    }

    @Test("A1, N6: admins see two sections, of their market alone, and each look is told to the audit log")
    func sections() async throws {
        try await TalkScene.run { scene in
            let customer = try await scene.token(.timeOrdered())
            let provider = try await scene.token(.timeOrdered(), "provider")
            #expect(try await Self.ask(scene, customer, title: "From a customer").status == 201)
            #expect(try await Self.ask(scene, provider, title: "From a nurse", as: "provider").status == 201)
            #expect(try await Self.ask(scene, customer, as: "provider").status == 403)
            #expect(try await Self.ask(scene, customer, market: "btnc").status == 403)
            let admin = try await scene.admin()
            func titles(_ query: String) async throws -> [String] {
                let list = try await scene.process.request("GET", "\(TalkScene.desk)/inquiries?\(query)", token: admin)
                return (try list.json["items"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
            }
            #expect(try await titles("section=customers") == ["From a customer"])
            #expect(try await titles("section=providers") == ["From a nurse"])
            #expect(try await titles("answered=true") == [])
            #expect(
                try await scene.world.told(NotificationsListViewed.self).map(\.list) == [
                    "inquiries", "inquiries", "inquiries",
                ])
            for (token, status) in try await [
                (nil, 401), (customer, 403), (provider, 403), (scene.admin("btnc"), 403),
            ] as [(String?, Int)] {
                let list = try await scene.process.request("GET", "\(TalkScene.desk)/inquiries", token: token)
                #expect(list.status == status)
            }
        }
    }

    @Test("N6: an admin who takes an inquiry answers it alone, until it is given back; nobody answers his or her own")
    func taking() async throws {
        try await TalkScene.run { scene in
            let (first, second) = (try await scene.admin(), try await scene.admin())
            let asked = try await Self.ask(scene, try await scene.token(.timeOrdered()))
            let inquiry = try #require(try asked.json["inquiry"] as? String)
            func taker(_ method: String, _ token: String, market: String = "assef") async throws -> Int {
                try await scene.process.request(
                    method, "/notifications/v1/markets/\(market)/inquiries/\(inquiry)/taker", token: token
                ).status
            }
            func waiting(_ token: String) async throws -> Int? {
                try await scene.process.request("GET", "\(TalkScene.desk)/waiting", token: token).json["inquiries"]
                    as? Int
            }
            #expect(try await waiting(second) == 1)
            #expect(try await waiting(try await scene.admin("btnc")) == nil)
            #expect(try await waiting(try await scene.token(.timeOrdered())) == nil)
            #expect(try await taker("PUT", first) == 200)
            #expect(try await taker("PUT", first) == 200)
            #expect(try await taker("PUT", second) == 409)
            #expect(try await taker("PUT", try await scene.admin("btnc"), market: "btnc") == 404)
            #expect(try await taker("PUT", try await scene.token(.timeOrdered())) == 403)
            #expect(try await Self.answer(scene, inquiry, second).status == 409)
            #expect(try await taker("DELETE", second) == 200)
            #expect(try await Self.answer(scene, inquiry, second).status == 200)
            #expect(try await Self.answer(scene, inquiry, first).status == 409)
            #expect(try await waiting(first) == 0)
            let acts = try await scene.world.told(TalkManaged.self).map(\.act)
            #expect(acts == [.inquiryTaken, .inquiryReleased, .inquiryAnswered])
        }
    }

    @Test("Q7, N6: an inquiry of somebody else does not exist, and with its owner's account it is gone")
    func others() async throws {
        try await TalkScene.run { scene in
            let account = UUID.timeOrdered()
            let token = try await scene.token(account)
            let inquiry = try #require(try await Self.ask(scene, token).json["inquiry"] as? String)
            let stranger = try await scene.token(.timeOrdered())
            for path in [
                "\(Self.path)/\(inquiry)", "\(TalkScene.path)/\(inquiry)", "\(TalkScene.path)/\(inquiry)/messages",
            ] {
                #expect(try await scene.process.request("GET", path, token: stranger).status == 404)
                #expect(try await scene.process.request("GET", path, token: token).status == 200)
                #expect(try await scene.process.request("GET", path, token: nil).status == 401)
            }
            let desk = "\(TalkScene.desk)/inquiries/\(inquiry)"
            for path in [desk, "\(desk)/messages"] {
                #expect(try await scene.process.request("GET", path, token: stranger).status == 403)
                #expect(try await scene.process.request("GET", path, token: try await scene.admin()).status == 200)
            }
            try await scene.world.publish(AccountDeleted(account: account, version: 5, at: Date()))
            try await scene.world.settle()
            #expect(try await scene.process.request("GET", desk, token: try await scene.admin()).status == 404)
        }
    }

    @Test("N6: an inquiry has words, and an account has at most twenty without an answer")
    func limits() async throws {
        try await TalkScene.run { scene in
            let account = UUID.timeOrdered()
            let token = try await scene.token(account)
            #expect(try await Self.ask(scene, token, title: "").status == 422)
            #expect(try await Self.ask(scene, token, content: " ").status == 422)
            #expect(try await Self.ask(scene, token, market: "nowhere").status == 422)
            var insert = 0
            while insert < Inquiry.maximumOpen {
                let made = try await scene.world.pool.first(
                    InsertInquiry(
                        id: .timeOrdered(), market: "assef", account: account, role: "customer", section: .customers,
                        title: "\(insert)", now: Date()))
                #expect(made != nil)
                insert += 1
            }
            let refused = try await Self.ask(scene, token)
            #expect(try refused.status == 409 && refused.slug == "too-many-inquiries")
        }
    }
}
