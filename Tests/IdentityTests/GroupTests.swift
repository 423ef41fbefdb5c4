import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Groups of friends", .timeLimit(.minutes(15)))
struct GroupTests {
    /// A leader and a friend of the leader's.
    struct Two {
        let leader: Tokens
        let friend: Tokens
        let link: String
    }

    static let path = "v1/accounts/me/groups"

    func two(_ world: World, _ first: Person = Person()) async throws -> Two {
        let second = Person()
        let (leader, friend) = (try await world.join(first), try await world.join(second))
        let asked = try await world.post(
            "accounts/me/links", ["kind": "friend", "mobile": .string(second.mobile)], token: leader.access)
        let link = try #require(asked["link"])
        #expect(try await world.post("accounts/me/links/\(link)/agreement", [:], token: friend.access).status == 200)
        return Two(leader: leader, friend: friend, link: link)
    }

    func make(_ world: World, _ leader: Tokens, radius: Int64? = nil) async throws -> String {
        var body: [String: JSONValue] = ["title": "Bus 7"]
        if let radius { body["radius"] = .integer(radius) }
        let answer = try await world.post("accounts/me/groups", .object(body), token: leader.access)
        #expect(answer.status == 201, "\(answer)")
        return try #require(answer["group"])
    }

    func invite(_ world: World, _ two: Two, _ group: String) async throws -> Answer {
        try await world.post(
            "accounts/me/groups/\(group)/members", ["link": .string(two.link)], token: two.leader.access)
    }

    private func agree(_ world: World, _ tokens: Tokens, _ group: String) async throws -> Answer {
        try await world.post("accounts/me/groups/\(group)/agreement", [:], token: tokens.access)
    }

    /// A group that the friend has joined.
    func joined(_ world: World, _ two: Two, radius: Int64? = nil) async throws -> String {
        let group = try await make(world, two.leader, radius: radius)
        #expect(try await invite(world, two, group).status == 204)
        #expect(try await agree(world, two.friend, group).status == 204)
        return group
    }

    private func groups(_ world: World, _ tokens: Tokens) async throws -> [JSONValue] {
        try await world.send("GET", Self.path, token: tokens.access).items
    }

    private func members(_ world: World, _ tokens: Tokens) async throws -> Int {
        guard case .array(let members)? = try await groups(world, tokens).first?["members"] else { return 0 }
        return members.count
    }

    func steps(_ world: World) async throws -> [GroupChanged.Step] {
        try await world.events(GroupChanged.self).map(\.step)
    }

    @Test("H5: a friend joins a group only after saying yes, and each version of it is told with its people")
    func joining() async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            let group = try await make(world, two.leader)
            #expect(try await invite(world, two, group).status == 204)
            #expect(try await invite(world, two, group).status == 204)
            #expect(try await groups(world, two.friend).first?["joined"] == false)
            #expect(try await members(world, two.leader) == 2)
            #expect(try await agree(world, two.friend, group).status == 204)
            #expect(try await agree(world, two.friend, group).status == 404)
            #expect(try await groups(world, two.friend).first?["joined"] == true)
            let told = try await world.events(GroupChanged.self)
            #expect(told.map(\.step) == [.made, .invited, .joined])
            #expect(told.map(\.members.count) == [1, 1, 2])
            #expect(told.last?.members.map(\.number) == [0, 1])
            #expect(told.last?.person?.account == two.friend.account)
            #expect(zip(told, told.dropFirst()).allSatisfy { $0.version < $1.version })
            // Out, and in again with another number.
            let own = "\(Self.path)/\(group)/members/\(two.friend.account.text)"
            #expect(try await world.send("DELETE", own, token: two.friend.access).status == 204)
            #expect(try await groups(world, two.friend).isEmpty)
            #expect(try await invite(world, two, group).status == 204)
            #expect(try await agree(world, two.friend, group).status == 204)
            #expect(try await world.events(GroupChanged.self).last?.members.map(\.number) == [0, 2])
            #expect(try await world.send("DELETE", own, token: two.leader.access).status == 204)
            #expect(try await steps(world).suffix(4) == [.left, .invited, .joined, .removed])
        }
    }

    @Test("H5, Q7: strangers, members and friends of others change no group, and who is only asked sees no member")
    func wrongPeople() async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            let other = try await self.two(world)
            let group = try await joined(world, two)
            let stranger = other.leader
            let path = "\(Self.path)/\(group)"
            let title: JSONValue = ["title": "Mine"]
            for tokens in [stranger, two.friend] {
                #expect(try await world.send("PUT", path, title, token: tokens.access).status == 404)
                #expect(try await world.send("DELETE", path, token: tokens.access).status == 404)
                let invited = try await world.send(
                    "POST", "\(path)/members", ["link": .string(two.link)], token: tokens.access)
                #expect(invited.status == 404)
            }
            for (method, suffix) in [("PUT", ""), ("DELETE", ""), ("POST", "/members"), ("POST", "/agreement")] {
                #expect(try await world.send(method, path + suffix, title).status == 401)
            }
            #expect(try await agree(world, stranger, group).status == 404)
            for member in [two.leader, two.friend] {
                let out = "\(path)/members/\(member.account.text)"
                #expect(try await world.send("DELETE", out, token: stranger.access).status == 404)
            }
            // Without its leader there is no group: it is ended.
            let leader = "\(path)/members/\(two.leader.account.text)"
            #expect(try await world.send("DELETE", leader, token: two.leader.access).status == 404)
            // The friendship of two others makes nobody a member.
            let foreign = try await world.post(
                "accounts/me/groups/\(group)/members", ["link": .string(other.link)], token: two.leader.access)
            #expect(foreign.status == 404)
            #expect(try await groups(world, stranger).isEmpty)
            #expect(try await world.send("PUT", path, title, token: two.leader.access).status == 204)
            #expect(try await groups(world, two.friend).first?["title"] == "Mine")
            for body: JSONValue in [
                [:], ["title": ""], ["title": "x", "radius": 49], ["title": "x", "radius": 50_001],
            ] {
                #expect(try await world.post("accounts/me/groups", body, token: stranger.access).status == 422)
            }
        }
    }

    @Test("H5, I9: who is no friend of the leader's any more is out of the group", arguments: ["removal", "block"])
    func parting(_ how: String) async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            _ = try await joined(world, two)
            let link = "accounts/me/links/\(two.link)"
            if how == "block" {
                #expect(try await world.post("\(link)/block", [:], token: two.friend.access).status == 200)
            } else {
                #expect(try await world.send("DELETE", "v1/\(link)", token: two.friend.access).status == 204)
            }
            #expect(try await groups(world, two.friend).isEmpty)
            #expect(try await members(world, two.leader) == 1)
            #expect(try await steps(world).last == .parted)
        }
    }

    @Test("H5, I12: with the leader's account the group ends, with a member's it goes on")
    func leaving() async throws {
        try await World.run { world async throws in
            let person = Person()
            let two = try await two(world, person)
            let led = try await joined(world, two)
            let other = try await make(world, two.friend)
            let asked = try await world.post(
                "accounts/me/groups/\(other)/members", ["link": .string(two.link)], token: two.friend.access)
            #expect(asked.status == 204)
            #expect(try await agree(world, two.leader, other).status == 204)
            let deletion = try await world.askDeletion(person, two.leader)
            for service in Deletion.Service.allCases {
                try await world.answer(deletion, of: two.leader.account, from: service)
            }
            let left = try await groups(world, two.friend)
            #expect(left.map { $0["group"] } == [.string(other)])
            #expect(try await members(world, two.friend) == 1)
            let ended = try await world.events(GroupChanged.self).filter { $0.step == .ended }
            #expect(ended.map(\.group.text) == [led])
            #expect(ended.first?.members.count == 2)
        }
    }

    @Test("H5: of an agreement and an end at once nobody is left in a group that is not there", arguments: 1...5)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            let group = try await make(world, two.leader)
            #expect(try await invite(world, two, group).status == 204)
            async let agreed = agree(world, two.friend, group)
            async let ended = world.send("DELETE", "\(Self.path)/\(group)", token: two.leader.access)
            #expect(try await ended.status == 204)
            #expect([204, 404].contains(try await agreed.status))
            #expect(try await groups(world, two.friend).isEmpty)
            #expect(try await steps(world).last == .ended)
        }
    }

    // MARK: Straying

    private static let middle = SharedPlace(latitude: 21.4225, longitude: 39.8262)

    /// A thousandth of a degree of latitude is 111 m.
    @Test(
        "H5: who is outside the radius has strayed, and is back a fifth inside of it",
        arguments: [
            (0.0, Told.never, StrayRule.Outcome.unchanged), (0.0017, .never, .unchanged),
            (0.0019, .never, .strayed(metres: 211, tells: true)), (0.0019, .told, .unchanged),
            (0.0017, .told, .unchanged), (0.0013, .told, .returned), (0.0, .told, .returned),
            (0.1, .never, .strayed(metres: 11_119, tells: true)),
            // Back and away again within a quarter of an hour: noted, and told once that has passed.
            (0.0019, .toldBefore, .strayed(metres: 211, tells: false)), (0.0019, .notedAfter, .unchanged),
            (0.0019, .notedLongAfter, .strayed(metres: 211, tells: true)),
        ])
    func rule(_ north: Double, _ told: Told, _ expected: StrayRule.Outcome) {
        let member = SharedPlace(latitude: Self.middle.latitude + north, longitude: Self.middle.longitude)
        let now = Date(timeIntervalSince1970: 10_000)
        let (strayedAt, toldAt) = told.seconds
        let rule = StrayRule(
            radius: 200, strayedAt: strayedAt.map(now.addingTimeInterval), toldAt: toldAt.map(now.addingTimeInterval))
        switch (rule.outcome(leader: Self.middle, member: member, at: now), expected) {
        case (.strayed(let metres, let tells), .strayed(let near, let expects)):
            #expect(abs(metres - near) <= near / 100 + 1 && tells == expects)
        case (let outcome, _): #expect(outcome == expected)
        }
    }

    enum Told {
        case never, told, toldBefore, notedAfter, notedLongAfter

        /// From now: since when it is noted, and when it was told last.
        var seconds: (noted: Double?, told: Double?) {
            switch self {
            case .never: (nil, nil)
            case .told: (-60, -60)
            case .toldBefore: (nil, -899)
            case .notedAfter: (-60, -899)
            case .notedLongAfter: (-60, -900)
            }
        }
    }

    /// How many of the first group are shown as strayed.
    func strayed(_ world: World, _ tokens: Tokens) async throws -> Int {
        guard case .array(let members)? = try await groups(world, tokens).first?["members"] else { return 0 }
        return members.filter { $0["strayedAt"] != nil }.count
    }

    func watch(_ world: World) -> GroupWatch {
        GroupWatch(
            pool: world.pool, cipher: world.parts.cipher, clock: { world.clock.now }, logger: TestThreads.logger)
    }

    func share(
        _ world: World, _ tokens: Tokens, north: Double = 0, isVisible: Bool = true
    ) async throws {
        let body: JSONValue = [
            "latitude": .number(Self.middle.latitude + north), "longitude": .number(Self.middle.longitude),
            "minutes": 600, "visible": .bool(isVisible),
        ]
        let answer = try await world.send("PUT", "v1/accounts/me/shared-place", body, token: tokens.access)
        #expect(answer.status == 200, "\(answer)")
    }

    @Test("H5: who strays is told once, with the leader, until that one is back; hidden and old places tell nothing")
    func straying() async throws {
        try await World.run { world async throws in
            let two = try await two(world)
            let group = try await joined(world, two, radius: 200)
            let watch = GroupWatch(
                pool: world.pool, cipher: world.parts.cipher, clock: { world.clock.now }, logger: TestThreads.logger)
            func told() async throws -> Int {
                // Several processes look at the same time.
                async let one: Void = watch.watch(at: world.clock.now)
                async let other: Void = watch.watch(at: world.clock.now)
                _ = try await (one, other)
                return try await world.events(GroupStrayed.self).count
            }
            try await share(world, two.leader)
            #expect(try await told() == 0)
            try await share(world, two.friend, north: 0.01, isVisible: false)
            #expect(try await told() == 0)
            try await share(world, two.friend, north: 0.01)
            #expect(try await told() == 1)
            #expect(try await told() == 1)
            let event = try #require(try await world.events(GroupStrayed.self).first)
            #expect(event.group.text == group && event.member.account == two.friend.account)
            #expect(event.leader.account == two.leader.account && (1_100...1_125).contains(event.metres))
            #expect(try await strayed(world, two.leader) == 1)
            try await share(world, two.friend)
            #expect(try await told() == 1)
            // Away again soon: it is shown, and told when the last time is a quarter of an hour ago.
            world.clock.advance(by: .seconds(10))
            try await share(world, two.friend, north: 0.01)
            #expect(try await told() == 1)
            #expect(try await strayed(world, two.leader) == 1)
            world.clock.advance(by: .seconds(900))
            try await share(world, two.leader)
            try await share(world, two.friend, north: 0.01)
            #expect(try await told() == 2)
            try await share(world, two.friend)
            #expect(try await told() == 2)
            // A place of long ago says nothing.
            try await share(world, two.friend, north: 0.02)
            world.clock.advance(by: .seconds(301))
            try await share(world, two.leader)
            #expect(try await told() == 2)
            let path = "\(Self.path)/\(group)"
            #expect(try await world.send("PUT", path, ["title": "Bus 7"], token: two.leader.access).status == 204)
            try await share(world, two.friend, north: 0.02)
            #expect(try await told() == 2)
        }
    }
}
