import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("Talks of groups", .timeLimit(.minutes(15)))
struct GroupTalkTests {
    /// A group, as identity tells of it.
    private struct Group: Sendable {
        let group = UUID.timeOrdered()
        let people: [GroupChanged.Member]

        init(_ names: String...) {
            people = names.enumerated().map { GroupChanged.Member(account: .timeOrdered(), name: $1, number: $0) }
        }

        /// - Parameter count: of those who are in it.
        func version(
            _ version: Int, _ step: GroupChanged.Step, _ count: Int, about person: GroupChanged.Member? = nil,
            title: String = "Bus 7"
        ) -> GroupChanged {
            GroupChanged(
                group: group, version: version, title: title, leader: people[0].account,
                members: Array(people.prefix(count)), step: step,
                person: person.map { .init(account: $0.account, name: $0.name) }, at: Date())
        }
    }

    private static let path = TalkScene.path

    private func talk(
        _ group: Group, of member: GroupChanged.Member, on process: NotificationsProcess
    ) async throws -> [String: Any]? {
        let answer = try await process.request(
            "GET", "\(Self.path)?group=\(group.group.text)", token: try await process.world.token(member.account))
        #expect(answer.status == 200, "\(answer.text)")
        return try (answer.json["items"] as? [[String: Any]])?.first
    }

    private func say(
        _ text: String, in conversation: String, by member: GroupChanged.Member, on process: NotificationsProcess
    ) async throws -> NotificationsProcess.Answer {
        try await process.request(
            "PUT", "\(Self.path)/\(conversation)/messages/\(UUID.timeOrdered().text)",
            token: try await process.world.token(member.account), body: #"{"text": "\#(text)"}"#)
    }

    private func messages(
        _ conversation: String, _ account: UUID, on process: NotificationsProcess
    ) async throws -> NotificationsProcess.Answer {
        try await process.request(
            "GET", "\(Self.path)/\(conversation)/messages", token: try await process.world.token(account))
    }

    @Test("H5, N4: who is in a group reads and writes there, each under a role of his own, and nobody else does")
    func people() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let group = Group("Omar", "Laila", "Musa")
                let (omar, laila, musa) = (group.people[0], group.people[1], group.people[2])
                try await world.publish(group.version(1, .made, 1))
                try await world.publish(group.version(2, .joined, 2, about: laila))
                try await world.settle()
                let seen = try #require(try await talk(group, of: omar, on: process))
                let id = try #require(seen["conversation"] as? String)
                #expect(seen["role"] as? String == "leader" && seen["group"] as? String == group.group.text)
                #expect((seen["with"] as? [String: Any])?["name"] as? String == "Bus 7")
                #expect((seen["members"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Omar", "Laila"])
                let stream = try await process.stream(omar.account)
                #expect(try await say("At the gate", in: id, by: laila, on: process).status == 200)
                try await eventually("the leader hears it") {
                    stream.events("message").last?.text("from") == "member-1"
                }
                let items = try await process.inbox(omar.account).filter { $0.topic == InboxTopic.talkGroup.rawValue }
                #expect(items.count == 1)
                #expect(try await talk(group, of: musa, on: process) == nil)
                #expect(try await say("x", in: id, by: musa, on: process).status == 404)
                #expect(try await messages(id, musa.account, on: process).status == 404)
                // Who joins reads what is said from then on, and nothing is unread.
                try await world.publish(group.version(3, .joined, 3, about: musa))
                try await world.settle()
                #expect(try await talk(group, of: musa, on: process)?["unread"] as? Int == 0)
                func read() async throws -> [String?]? {
                    (try await messages(id, musa.account, on: process).json["items"] as? [[String: Any]])?
                        .map { $0["text"] as? String }
                }
                #expect(try await read() == [])
                #expect(try await say("We wait", in: id, by: omar, on: process).status == 200)
                #expect(try await read() == ["We wait"])
            }
        }
    }

    @Test("H5: of versions that come in any order the newest counts; who has left reads no more; the end closes it")
    func versions() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let group = Group("Omar", "Laila")
                let (omar, laila) = (group.people[0], group.people[1])
                try await world.publish(group.version(2, .joined, 2, about: laila))
                try await world.publish(group.version(4, .left, 1, about: laila, title: "Bus 8"))
                try await world.publish(group.version(3, .changed, 2, title: "Bus 9"))
                try await world.settle()
                let seen = try #require(try await talk(group, of: omar, on: process))
                let id = try #require(seen["conversation"] as? String)
                #expect((seen["with"] as? [String: Any])?["name"] as? String == "Bus 8")
                #expect(try await talk(group, of: laila, on: process) == nil)
                #expect(try await say("x", in: id, by: laila, on: process).status == 404)
                let later = Date().addingTimeInterval(5 * 366 * 86_400)
                try await world.purgeTalk(at: later)
                #expect(try await say("Alone", in: id, by: omar, on: process).status == 200)
                try await world.publish(group.version(5, .ended, 1))
                try await world.settle()
                #expect(try await say("Gone", in: id, by: omar, on: process).slug == "conversation-closed")
                try await world.purgeTalk(at: later)
                #expect(try await talk(group, of: omar, on: process) == nil)
            }
        }
    }

    @Test("H5: who has left a group takes back what was said there, and nobody else does")
    func takesBack() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let group = Group("Omar", "Laila")
                let (omar, laila) = (group.people[0], group.people[1])
                try await world.publish(group.version(2, .joined, 2, about: laila))
                try await world.settle()
                let id = try #require(try await talk(group, of: omar, on: process)?["conversation"] as? String)
                let said = try await say("Here", in: id, by: laila, on: process)
                let path = "\(TalkScene.path)/\(id)/messages/\(try #require(try said.json["message"] as? String))"
                try await world.publish(group.version(3, .left, 1, about: laila))
                try await world.settle()
                for other in [omar.account, UUID.timeOrdered()] {
                    let refused = try await process.request("DELETE", path, token: try await world.token(other))
                    #expect(refused.status == 404)
                }
                let deleted = try await process.request("DELETE", path, token: try await world.token(laila.account))
                #expect(try deleted.status == 200 && deleted.json["kind"] as? String == "deleted", "\(deleted.text)")
                let left = try await process.request(
                    "GET", "\(TalkScene.path)/\(id)/messages", token: try await world.token(omar.account))
                #expect(!left.text.contains("Here"))
            }
        }
    }

    @Test("I12: of who has left a group and is gone no word stays there, nor on the others' streams")
    func gone() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let group = Group("Omar", "Laila")
                let (omar, laila) = (group.people[0], group.people[1])
                let musa = GroupChanged.Member(account: .timeOrdered(), name: "Musa", number: 2)
                var three = group.version(2, .joined, 2, about: laila)
                three.members.append(musa)
                try await world.publish(three)
                try await world.settle()
                let id = try #require(try await talk(group, of: omar, on: process)?["conversation"] as? String)
                #expect(try await say("A secret", in: id, by: laila, on: process).status == 200)
                // Musa leaves; what he was told goes all the same.
                try await world.publish(group.version(3, .left, 2, about: musa))
                try await world.settle()
                try await world.publish(group.version(4, .parted, 1))
                try await world.settle()
                try await world.publish(AccountDeleted(account: laila.account, version: 9, at: Date()))
                try await world.settle()
                #expect(!(try await messages(id, omar.account, on: process).text.contains("A secret")))
                for account in [omar.account, musa.account] {
                    let told = try await world.pool.query(StreamPayloads(account: account))
                    #expect(!told.isEmpty && !told.contains { $0.contains("A secret") })
                }
                // With the leader goes what the leader has called it, in whichever order the two are heard.
                try await world.publish(AccountDeleted(account: omar.account, version: 9, at: Date()))
                try await world.settle()
                try await world.publish(group.version(5, .ended, 1))
                try await world.settle()
                #expect(try await world.pool.query(GroupTitle(group: group.group)) == [""])
            }
        }
    }

    private struct GroupTitle: Statement {
        static let sql: SQL = "SELECT title FROM conversations WHERE group_id = $1"
        let group: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(group) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct StreamPayloads: Statement {
        static let sql: SQL =
            "SELECT coalesce(payload, '') FROM stream_events WHERE account = $1 AND kind = 'message'"
        let account: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(account) }
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }
}
