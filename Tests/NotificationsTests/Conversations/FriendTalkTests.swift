import Contracts
import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("Talks of friends", .timeLimit(.minutes(15)))
struct FriendTalkTests {
    /// Two friends, as identity tells of them.
    private struct Friends: Sendable {
        let link = UUID.timeOrdered()
        let omar = LinkMoved.Person(account: .timeOrdered(), name: "Omar")
        let laila = LinkMoved.Person(account: .timeOrdered(), name: "Laila")

        func moved(_ step: LinkMoved.Step, kind: LinkConfirmed.Kind = .friend) -> LinkMoved {
            LinkMoved(
                link: link, kind: kind, market: kind == .friend ? nil : "edencare", from: omar, to: laila, step: step,
                by: laila.account, at: Date())
        }

        var removed: LinkRemoved {
            LinkRemoved(link: link, market: nil, from: omar.account, to: laila.account, by: nil, at: Date())
        }
    }

    private static let path = TalkScene.path

    private func told(_ friends: Friends, market: String? = nil, named: Bool = true) -> LinksTold.Link {
        LinksTold.Link(
            link: friends.link, market: market, from: friends.omar.account, to: friends.laila.account, scopes: [],
            fromName: named ? friends.omar.name : nil, toName: named ? friends.laila.name : nil)
    }

    /// The conversation as one of the two sees it; nil where there is none.
    private func talk(
        _ friends: Friends, of account: UUID, on process: NotificationsProcess
    ) async throws -> [String: Any]? {
        let answer = try await process.request(
            "GET", "\(Self.path)?link=\(friends.link.text)", token: try await process.world.token(account))
        #expect(answer.status == 200, "\(answer.text)")
        return try (answer.json["items"] as? [[String: Any]])?.first
    }

    /// Confirms the friendship, and gives the conversation that this opens.
    private func conversation(of friends: Friends, on process: NotificationsProcess) async throws -> String {
        try await process.world.publish(friends.moved(.confirmed))
        try await process.world.settle()
        return try #require(
            try await talk(friends, of: friends.omar.account, on: process)?["conversation"] as? String)
    }

    private func say(
        _ text: String, in conversation: String, by account: UUID, on process: NotificationsProcess
    ) async throws -> NotificationsProcess.Answer {
        try await process.request(
            "PUT", "\(Self.path)/\(conversation)/messages/\(UUID.timeOrdered().text)",
            token: try await process.world.token(account), body: #"{"text": "\#(text)"}"#)
    }

    @Test("H5, N4: friends write to each other without a role in any market, and nobody else reads it")
    func friends() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let friends = Friends()
                let (omar, laila) = (friends.omar.account, friends.laila.account)
                try await world.publish(friends.moved(.asked))
                try await world.settle()
                #expect(try await talk(friends, of: omar, on: process) == nil)
                try await world.publish(friends.moved(.confirmed))
                try await world.publish(friends.moved(.confirmed))
                try await world.settle()
                let seen = try #require(try await talk(friends, of: omar, on: process))
                let id = try #require(seen["conversation"] as? String)
                #expect(seen["role"] as? String == "asking" && seen["open"] as? Bool == true)
                #expect((seen["with"] as? [String: Any])?["name"] as? String == "Laila")
                #expect(seen["link"] as? String == friends.link.text && seen["order"] == nil)
                let stream = try await process.stream(laila)
                // Friends know each other's numbers: nobody is warned.
                #expect(try await say("Call +966 50 123 4567", in: id, by: omar, on: process).status == 200)
                try await eventually("the friend hears it") { stream.events("message").last?.text("from") == "asking" }
                let items = try await process.inbox(laila).filter { $0.topic == InboxTopic.talkFriend.rawValue }
                #expect(items.count == 1)
                let stranger = try await world.token(.timeOrdered())
                for path in ["\(Self.path)/\(id)", "\(Self.path)/\(id)/messages"] {
                    #expect(try await process.request("GET", path, token: stranger).status == 404)
                    #expect(try await process.request("GET", path, token: nil).status == 401)
                }
                #expect(try await say("x", in: id, by: .timeOrdered(), on: process).status == 404)
                let others = try await process.request(
                    "GET", "\(Self.path)?link=\(friends.link.text)", token: stranger)
                #expect(try (others.json["items"] as? [Any])?.isEmpty == true)
            }
        }
    }

    @Test("H5: with the link the talk ends, also when its end is heard before its beginning; a family has none")
    func ends() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (friends, late, family) = (Friends(), Friends(), Friends())
                try await world.publish(friends.moved(.confirmed))
                try await world.publish(late.removed)
                try await world.publish(family.moved(.confirmed, kind: .family))
                try await world.settle()
                let id = try #require(
                    try await talk(friends, of: friends.omar.account, on: process)?["conversation"] as? String)
                #expect(try await say("Here", in: id, by: friends.laila.account, on: process).status == 200)
                try await world.publish(friends.removed)
                try await world.publish(late.moved(.confirmed))
                try await world.settle()
                let refused = try await say("Gone", in: id, by: friends.omar.account, on: process)
                #expect(try refused.status == 409 && refused.slug == "conversation-closed")
                let seen = try #require(try await talk(friends, of: friends.omar.account, on: process))
                #expect(seen["open"] as? Bool == false && seen["lastNumber"] as? Int == 1)
                #expect(try await talk(late, of: late.omar.account, on: process) == nil)
                #expect(try await talk(family, of: family.omar.account, on: process) == nil)
            }
        }
    }

    @Test("I11, H5, P9: who is banned among the pilgrims writes to no friend until it ends; other bans change nothing")
    func banned() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let friends = Friends()
                let (omar, laila) = (friends.omar.account, friends.laila.account)
                let id = try await conversation(of: friends, on: process)
                func isOpen() async throws -> Bool {
                    try await world.settle()
                    let says = try await say("Hello", in: id, by: omar, on: process).status == 200
                    let seen = try #require(try await talk(friends, of: omar, on: process))
                    #expect(seen["open"] as? Bool == says)
                    return says
                }
                func ban(_ market: String, until: Date? = nil, version: Int) -> AccountBanned {
                    AccountBanned(
                        account: omar, market: market, reason: "Rude", until: until, by: laila, version: version,
                        at: Date())
                }
                func lift(_ market: String, version: Int) -> AccountUnbanned {
                    AccountUnbanned(account: omar, market: market, by: laila, version: version, at: Date())
                }
                try await world.publish(ban("assef", version: 2))
                #expect(try await isOpen())
                try await world.publish(ban("hajji", version: 3))
                #expect(try await isOpen() == false)
                #expect(try await say("I can", in: id, by: laila, on: process).status == 200)
                try await world.publish(lift("hajji", version: 4))
                // It comes late, and is older.
                try await world.publish(ban("hajji", version: 3))
                #expect(try await isOpen())
                try await world.publish(ban("*", version: 5))
                #expect(try await isOpen() == false)
                try await world.publish(ban("*", until: Date().addingTimeInterval(-1), version: 6))
                #expect(try await isOpen())
                // A ban of before they were kept is told again with the account.
                let snapshot = Sample().person(omar, language: "en", version: 7)
                try await world.publish(
                    AccountsTold(
                        range: ToldRange(after: nil, through: nil, readAt: Date()),
                        accounts: [
                            .init(
                                account: snapshot, registeredAt: Date(),
                                bans: [.init(market: "hajji", until: nil, at: Date())])
                        ]))
                #expect(try await isOpen() == false)
                // Its end was not heard: the account is told without it.
                try await world.publish(
                    AccountsTold(
                        range: ToldRange(after: nil, through: nil, readAt: Date()),
                        accounts: [
                            .init(
                                account: Sample().person(omar, language: "en", version: 8), registeredAt: Date(),
                                bans: [])
                        ]))
                #expect(try await isOpen())
            }
        }
    }

    @Test("H5, P12: friendships from before there were talks get theirs when they are told again, once, and silently")
    func toldAgain() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let (old, known, ended, family, nameless) = (Friends(), Friends(), Friends(), Friends(), Friends())
                try await world.publish(known.moved(.confirmed))
                try await world.publish(ended.removed)
                try await world.settle()
                let before = try #require(try await talk(known, of: known.omar.account, on: process))
                let items = try await process.inbox(known.laila.account).count
                for _ in 0..<2 {
                    try await world.publish(
                        LinksTold(
                            range: ToldRange(after: nil, through: nil, readAt: Date()),
                            links: [
                                told(old), told(known), told(ended), told(family, market: "edencare"),
                                told(nameless, named: false),
                            ]))
                }
                try await world.settle()
                let seen = try #require(try await talk(old, of: old.omar.account, on: process))
                #expect((seen["with"] as? [String: Any])?["name"] as? String == "Laila")
                #expect(seen["role"] as? String == "asking" && seen["open"] as? Bool == true)
                let id = try #require(seen["conversation"] as? String)
                #expect(try await say("Here", in: id, by: old.laila.account, on: process).status == 200)
                let after = try #require(try await talk(known, of: known.omar.account, on: process))
                #expect(after["conversation"] as? String == before["conversation"] as? String)
                #expect(try await process.inbox(known.laila.account).count == items)
                for none in [ended, family, nameless] {
                    #expect(try await talk(none, of: none.omar.account, on: process) == nil)
                }
                // A friendship that is told no more has ended, and its end was not heard; not one that may be newer than what was read.
                for (later, isOpen) in [(60.0, true), (3_600.0, false)] {
                    let range = ToldRange(after: nil, through: nil, readAt: Date().addingTimeInterval(later))
                    try await world.publish(LinksTold(range: range, links: [told(old)]))
                    try await world.settle()
                    #expect(try await talk(known, of: known.omar.account, on: process)?["open"] as? Bool == isOpen)
                    #expect(try await talk(old, of: old.omar.account, on: process)?["open"] as? Bool == true)
                }
            }
        }
    }

    @Test("H5, P9: a friend's reported message opens the talk to the pilgrims' admins, and to no other market's")
    func reported() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let friends = Friends()
                let id = try await conversation(of: friends, on: process)
                let said = try await say("Rude", in: id, by: friends.laila.account, on: process)
                let message = try #require(try said.json["message"] as? String)
                let scene = TalkScene(
                    world: world, process: process, sample: Sample(start: Date()), conversation: id)
                let admin = try await scene.admin("hajji")
                func read(_ market: String, _ token: String) async throws -> NotificationsProcess.Answer {
                    try await process.request(
                        "GET", "/notifications/v1/markets/\(market)/conversations/\(id)/messages", token: token)
                }
                #expect(try await read("hajji", admin).slug == "no-open-report")
                let report = try await process.request(
                    "POST", "\(Self.path)/\(id)/messages/\(message)/report",
                    token: try await world.token(friends.omar.account),
                    headers: [("Idempotency-Key", UUID().uuidString)],
                    body: #"{"reason": "It is rude"}"#)
                #expect(report.status == 204, "\(report.text)")
                let seen = try await read("hajji", admin)
                #expect(try (seen.json["items"] as? [[String: Any]])?.map { $0["text"] as? String } == ["Rude"])
                #expect(try await read("assef", try await scene.admin("assef")).status == 404)
                #expect(try await read("hajji", try await world.token(friends.omar.account)).status == 403)
            }
        }
    }

    @Test("H5, Q9, I12: the talk of friends stays as long as they are, and of who is gone no word is left")
    func remains() async throws {
        try await World.run { world in
            try await world.withProcess { process in
                let friends = Friends()
                let (omar, laila) = (friends.omar.account, friends.laila.account)
                let id = try await conversation(of: friends, on: process)
                #expect(try await say("Here", in: id, by: laila, on: process).status == 200)
                let later = Date().addingTimeInterval(5 * 366 * 86_400)
                try await world.purgeTalk(at: later)
                #expect(try await talk(friends, of: omar, on: process) != nil)
                try await world.publish(friends.removed)
                try await world.publish(AccountDeleted(account: laila, version: 9, at: Date()))
                try await world.settle()
                let left = try await process.request(
                    "GET", "\(Self.path)/\(id)/messages", token: try await world.token(omar))
                let items = try left.json["items"] as? [[String: Any]]
                #expect(items?.count == 1 && items?.first?["kind"] as? String == "removed")
                let gone = try await process.request(
                    "GET", "\(Self.path)/\(id)", token: try await world.token(laila))
                #expect(gone.status != 200)
                try await world.purgeTalk(at: later)
                #expect(try await talk(friends, of: omar, on: process) == nil)
            }
        }
    }
}
