import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N6: answers that are kept ready", .timeLimit(.minutes(15)))
struct CannedAnswerTests {
    private static let path = "\(TalkScene.desk)/canned-answers"

    private static func body(
        _ name: String, section: String = "customers", language: String = "en", text: String = "It was a fine."
    ) throws -> String {
        try JSON.wire.text(["name": name, "section": section, "language": language, "text": text])
    }

    private static func add(
        _ scene: TalkScene, _ token: String?, _ body: String
    ) async throws -> NotificationsProcess.Answer {
        try await scene.process.request(
            "POST", path, token: token, headers: [("Idempotency-Key", UUID().uuidString)], body: body)
    }

    @Test("N6: they are kept by section and language, changed by version, and each act is told to the audit log")
    func kept() async throws {
        try await TalkScene.run { scene in
            let admin = try await scene.admin()
            let added = try await Self.add(scene, admin, try Self.body("Fines"))
            #expect(added.status == 201, "\(added.text)")
            let one = "\(Self.path)/\(try #require(try added.json["answer"] as? String))"
            let taken = try await Self.add(scene, admin, try Self.body("FINES"))
            #expect(try taken.status == 409 && taken.slug == "canned-answer-name-taken")
            #expect(try await Self.add(scene, admin, try Self.body("Fines", language: "ar")).status == 201)
            #expect(try await Self.add(scene, admin, try Self.body("Papers", section: "providers")).status == 201)
            func names(_ query: String) async throws -> [String] {
                let list = try await scene.process.request("GET", "\(Self.path)\(query)", token: admin)
                return (try list.json["items"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            }
            #expect(try await names("") == ["Fines", "Fines", "Papers"])
            #expect(try await names("?section=customers&language=ar") == ["Fines"])
            #expect(try await names("?section=providers") == ["Papers"])
            func change(_ version: Int, _ name: String) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "PUT", one, token: admin, headers: [("If-Match", "\"\(version)\"")], body: try Self.body(name))
            }
            #expect(try await change(1, "Late fines").json["version"] as? Int == 2)
            #expect(try await change(1, "Other").status == 412)
            #expect(try await change(2, "fines").status == 200)
            #expect(try await scene.process.request("DELETE", one, token: admin).status == 204)
            #expect(try await scene.process.request("DELETE", one, token: admin).status == 404)
            #expect(try await names("?section=customers&language=en") == [])
            for wrong in [
                try Self.body(" "), try Self.body("A", section: "friends"), try Self.body("A", language: "fr"),
                try Self.body("A", text: String(repeating: "a", count: 2_001)),
            ] {
                #expect(try await Self.add(scene, admin, wrong).status == 422)
            }
            #expect(
                try await scene.world.told(TalkManaged.self).map(\.act) == [
                    .cannedAnswerAdded, .cannedAnswerAdded, .cannedAnswerAdded, .cannedAnswerChanged,
                    .cannedAnswerChanged, .cannedAnswerRemoved,
                ])
        }
    }

    @Test("Q7, N6: only admins of the market have them, and another market's do not exist")
    func callers() async throws {
        try await TalkScene.run { scene in
            let added = try await Self.add(scene, try await scene.admin(), try Self.body("Fines"))
            let id = try #require(try added.json["answer"] as? String)
            let strangers: [(String?, Int)] = [
                (nil, 401), (try await scene.token(.timeOrdered()), 403),
                (try await scene.token(.timeOrdered(), "provider"), 403), (try await scene.admin("btnc"), 403),
            ]
            for (method, path) in [
                ("GET", Self.path), ("POST", Self.path), ("PUT", "\(Self.path)/\(id)"),
                ("DELETE", "\(Self.path)/\(id)"),
            ] {
                for (token, status) in strangers {
                    let answer = try await scene.process.request(
                        method, path, token: token, headers: [("Idempotency-Key", UUID().uuidString)],
                        body: method == "PUT" || method == "POST" ? try Self.body("Other") : nil)
                    #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                }
            }
            let elsewhere = "/notifications/v1/markets/btnc/canned-answers/\(id)"
            let other = try await scene.admin("btnc")
            #expect(try await scene.process.request("DELETE", elsewhere, token: other).status == 404)
        }
    }

    @Test("N6: whoever asks and the admin who has taken it hear each other live, and see each other typing")
    func live() async throws {
        try await TalkScene.run { scene in
            let (account, admin) = (UUID.timeOrdered(), UUID.timeOrdered())
            let (token, desk) = (try await scene.token(account), try await scene.token(admin, "admin"))
            let asked = try await scene.process.request(
                "POST", "/notifications/v1/inquiries", token: token, headers: [("Idempotency-Key", UUID().uuidString)],
                body: #"{"market": "assef", "as": "customer", "title": "My bill", "content": "Why?"}"#)
            let inquiry = try #require(try asked.json["inquiry"] as? String)
            let one = "\(TalkScene.desk)/inquiries/\(inquiry)"
            #expect(try await scene.process.request("PUT", "\(one)/taker", token: desk).status == 200)
            let (owner, taker) = (try await scene.process.stream(account), try await scene.process.stream(admin))
            let said = try await scene.process.request(
                "PUT", "\(TalkScene.path)/\(inquiry)/messages/\(UUID().uuidString)", token: token,
                body: #"{"text": "And since when?"}"#)
            #expect(said.status == 200, "\(said.text)")
            try await eventually("the admin hears it") {
                taker.events("message").last?.text("text") == "And since when?"
            }
            #expect(
                try await scene.process.request("PUT", "\(TalkScene.path)/\(inquiry)/typing", token: token).status
                    == 204)
            try await eventually("the admin sees the owner typing") {
                taker.events("typing").last?.text("role") == "customer"
            }
            #expect(try await scene.process.request("PUT", "\(one)/typing", token: desk).status == 204)
            try await eventually("the owner sees that somebody is typing") {
                owner.events("typing").last?.text("role") == "support"
            }
            for (other, status) in [
                (try await scene.admin(), 409), (token, 403), (try await scene.admin("btnc"), 403),
            ] {
                #expect(try await scene.process.request("PUT", "\(one)/typing", token: other).status == status)
            }
            #expect(try await scene.process.request("PUT", "\(one)/typing", token: nil).status == 401)
        }
    }
}
