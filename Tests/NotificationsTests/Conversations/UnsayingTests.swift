import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("T110: what was said is deleted and forwarded", .timeLimit(.minutes(15)))
struct UnsayingTests {
    private func path(_ scene: TalkScene, _ id: UUID, _ rest: String = "") -> String {
        "\(TalkScene.path)/\(scene.conversation)/messages/\(id.text)\(rest)"
    }

    private func delete(_ scene: TalkScene, _ id: UUID, _ token: String?) async throws -> NotificationsProcess.Answer {
        try await scene.process.request("DELETE", path(scene, id), token: token)
    }

    private func report(_ scene: TalkScene, _ id: UUID, by account: UUID) async throws -> Int {
        try await scene.process.request(
            "POST", path(scene, id, "/report"), token: try await scene.token(of: account),
            headers: [("Idempotency-Key", UUID().uuidString)], body: #"{"reason": "It is rude"}"#
        ).status
    }

    @Test("N4: who said it deletes it for both, once; it keeps its number, and no stream or file has the words")
    func deleted() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let (text, photo) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await scene.say("The code is 1234", by: customer, as: text)
            #expect(try await scene.send(SampleFiles.jpeg, by: customer, as: photo).status == 200)
            let hears = try await scene.process.stream(provider, after: 0)
            let token = try await scene.token(of: customer)
            for id in [text, photo] {
                let answer = try await delete(scene, id, token)
                #expect(try answer.status == 200 && answer.json["kind"] as? String == "deleted", "\(answer.text)")
                #expect(try await delete(scene, id, token).text == answer.text)
            }
            let left = try await scene.messages(provider)
            #expect(left.map { $0["kind"] as? String } == ["deleted", "deleted"])
            #expect(left.map { $0["number"] as? Int } == [2, 1] && left.allSatisfy { $0["text"] == nil })
            let file = try await scene.process.request(
                "GET", path(scene, photo, "/file"), token: try await scene.token(of: provider))
            #expect(file.status == 404)
            try await eventually("the deletions are told once each") { hears.events("message-deleted").count == 2 }
            #expect(hears.events("message-deleted").map { $0.number("number") } == [1, 2])
            // Whoever comes later is told of what was said without the words.
            let later = try await scene.process.stream(provider, after: 0)
            try await eventually("all is told again") { later.events("message-deleted").count == 2 }
            #expect(later.events("message").map { $0.text("kind") } == ["deleted", "deleted"])
            #expect(later.events("message").allSatisfy { $0.text("text") == nil })
            // Nobody reports what is not there.
            #expect(try await report(scene, text, by: provider) == 404)
            #expect(try await scene.world.pool.query(CountCopies()) == [0])
        }
    }

    @Test("N4: nobody deletes what somebody else has said, nor after an hour; friends have all the time")
    func refused() async throws {
        try await TalkScene.run { scene in
            let id = UUID.timeOrdered()
            try await scene.say("Mine", by: scene.sample.customer, as: id)
            for (token, status) in try await [
                (nil, 401), (scene.token(of: scene.sample.provider), 404), (scene.token(.timeOrdered()), 404),
                (scene.admin(), 404), (scene.admin("btnc"), 404),
            ] as [(String?, Int)] {
                #expect(try await delete(scene, id, token).status == status)
            }
            let own = try await scene.token(of: scene.sample.customer)
            #expect(try await delete(scene, .timeOrdered(), own).status == 404)
            _ = try await scene.world.pool.execute(SetBack())
            let late = try await delete(scene, id, own)
            #expect(try late.status == 409 && late.slug == "message-too-old")
            #expect(try await scene.messages(scene.sample.provider).first?["text"] as? String == "Mine")
        }
        let (said, later) = (Date(), Date().addingTimeInterval(3_600))
        #expect(!Unsaying.isAllowed(ofFriends: false, saidAt: said, at: later))
        #expect(Unsaying.isAllowed(ofFriends: false, saidAt: said, at: later.addingTimeInterval(-1)))
        #expect(Unsaying.isAllowed(ofFriends: true, saidAt: said, at: later.addingTimeInterval(1e6)))
    }

    @Test("N4: what is deleted after it was reported stays for the admins alone, until the report is closed")
    func reported() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let (rude, photo) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await scene.say("Rude words", by: customer, as: rude)
            #expect(try await scene.send(SampleFiles.jpeg, by: customer, as: photo).status == 200)
            for number in 3...8 { try await scene.say("\(number)", by: provider) }
            #expect(try await report(scene, rude, by: provider) == 204)
            let own = try await scene.token(of: customer)
            for id in [rude, photo] { #expect(try await delete(scene, id, own).status == 200) }
            #expect(try await scene.messages(provider).suffix(2).allSatisfy { $0["kind"] as? String == "deleted" })
            let admin = try await scene.admin()
            let talk = "\(TalkScene.desk)/conversations/\(scene.conversation)/messages"
            func read(_ query: String) async throws -> [[String: Any]] {
                let answer = try await scene.process.request("GET", talk + query, token: admin)
                return try answer.json["items"] as? [[String: Any]] ?? []
            }
            // However much was said since, the reported one is found by its number.
            let about = try await read("?around=1&limit=2")
            #expect(about.map { $0["number"] as? Int } == [2, 1])
            #expect(about.last?["text"] as? String == "Rude words" && about.last?["deleted"] as? Bool == true)
            #expect(try await read("?limit=2").map { $0["number"] as? Int } == [8, 7])
            func file() async throws -> Int {
                try await scene.process.request("GET", "\(talk)/\(photo.text)/file", token: admin).status
            }
            #expect(try await file() == 200)
            let list = "\(TalkScene.desk)/message-reports"
            let reports = try await scene.process.request("GET", list, token: admin).json["items"] as? [[String: Any]]
            let one = "\(list)/\(try #require(reports?.first?["report"] as? String))"
            #expect(try await scene.process.request("GET", one, token: admin).json["number"] as? Int == 1)
            for (token, status) in try await [(nil, 401), (own, 403), (scene.admin("btnc"), 403)] as [(String?, Int)] {
                #expect(try await scene.process.request("GET", one, token: token).status == status)
            }
            let other = one.replacing("/assef/", with: "/btnc/")
            #expect(try await scene.process.request("GET", other, token: try await scene.admin("btnc")).status == 404)
            try await scene.world.purgeTalk(at: Date())
            #expect(try await scene.world.pool.query(CountCopies()) == [2])
            let close = try await scene.process.request(
                "POST", "\(one)/close", token: admin, headers: [("Idempotency-Key", UUID().uuidString)])
            #expect(close.status == 204)
            #expect(try await file() == 403)
            #expect(try await scene.process.request("GET", one, token: admin).status == 404)
            try await scene.world.purgeTalk(at: Date())
            #expect(try await scene.world.pool.query(CountCopies()) == [0])
        }
    }

    @Test("N4: words and photos are forwarded as copies; who may not read or write there forwards nothing")
    func forwarded() async throws {
        try await TalkScene.run { scene in
            let (customer, provider) = (scene.sample.customer, scene.sample.provider)
            let other = try await TalkScene.make(
                scene.world, scene.process, Sample(provider: provider, start: Date()))
            let (text, photo) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await scene.say("At the blue door", by: customer, as: text)
            #expect(try await scene.send(SampleFiles.jpeg, by: customer, as: photo).status == 200)
            func forward(
                _ message: UUID, as id: UUID = .timeOrdered(), by token: String?
            ) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    "PUT", path(other, id, "/forward"), token: token,
                    body: #"{"conversation": "\#(scene.conversation)", "message": "\#(message.text)"}"#)
            }
            let token = try await scene.token(of: provider)
            let copy = UUID.timeOrdered()
            let first = try await forward(text, as: copy, by: token)
            #expect(first.status == 200, "\(first.text)")
            #expect(try first.json["text"] as? String == "At the blue door" && first.json["forwarded"] as? Bool == true)
            let picture = UUID.timeOrdered()
            #expect(try await forward(photo, as: picture, by: token).json["kind"] as? String == "photo")
            // The copies stay when the first ones go, and a repeat is the same message.
            for id in [text, photo] {
                #expect(try await delete(scene, id, try await scene.token(of: customer)).status == 200)
            }
            #expect(try await forward(text, as: copy, by: token).text == first.text)
            #expect(try await forward(text, by: token).status == 404)
            let shown = try await scene.process.request(
                "GET", path(other, picture, "/file"), token: try await scene.token(of: other.sample.customer))
            #expect(shown.status == 200)
            #expect(try await other.messages(other.sample.customer).map { $0["number"] as? Int } == [2, 1])
            let said = UUID.timeOrdered()
            try await scene.say("Private", by: provider, as: said)
            // One party of each alone: the first cannot write there, the second cannot read here.
            for (token, status) in try await [
                (nil, 401), (scene.token(of: customer), 404), (scene.token(of: other.sample.customer), 404),
                (scene.token(.timeOrdered()), 404), (scene.admin(), 404),
            ] as [(String?, Int)] {
                #expect(try await forward(said, by: token).status == status)
            }
        }
    }

    private struct CountCopies: Statement {
        static let sql: SQL = "SELECT count(*) FROM deleted_messages"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    /// Everything was said an hour and a minute ago.
    private struct SetBack: Statement {
        static let sql: SQL = "UPDATE talk_messages SET at = at - interval '61 minutes'"
    }
}
