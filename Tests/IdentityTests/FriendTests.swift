import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Friends who share places", .timeLimit(.minutes(15)))
struct FriendTests {
    private static let place = "v1/accounts/me/shared-place"

    private func ask(_ world: World, _ tokens: Tokens, _ person: Person) async throws -> Answer {
        try await world.post(
            "accounts/me/links", ["kind": "friend", "mobile": .string(person.mobile)], token: tokens.access)
    }

    /// Two friends, and their link.
    private func friends(
        _ world: World, _ first: Person = Person(), _ second: Person = Person()
    ) async throws -> (Tokens, Tokens, link: String) {
        let (one, other) = (try await world.join(first), try await world.join(second))
        let link = try #require(try await ask(world, one, second)["link"])
        #expect(try await world.post("accounts/me/links/\(link)/agreement", [:], token: other.access).status == 200)
        return (one, other, link)
    }

    private func links(_ world: World, _ tokens: Tokens) async throws -> [JSONValue] {
        try await world.send("GET", "v1/accounts/me/links", token: tokens.access).items
    }

    private func share(
        _ world: World, _ tokens: Tokens, _ latitude: Double, minutes: Int64 = 60, visible: Bool? = nil
    ) async throws -> Answer {
        var body: [String: JSONValue] = [
            "latitude": .number(latitude), "longitude": 39.8262, "minutes": .integer(minutes),
        ]
        if let visible { body["visible"] = .bool(visible) }
        return try await world.send("PUT", Self.place, .object(body), token: tokens.access)
    }

    private func move(_ world: World, _ tokens: Tokens, _ latitude: Double) async throws -> Answer {
        try await world.post(
            "accounts/me/shared-place/position", ["latitude": .number(latitude), "longitude": 39.8262],
            token: tokens.access, key: nil)
    }

    /// Writes what waits, as the service does ten times a second.
    private func flush(_ world: World) async throws -> [FriendPlaces.Place] {
        try await world.parts.moveSharedPlaces(world.parts.livePlaces.takeAll(), at: world.clock.now)
    }

    /// Whom the deadline of a hidden place has told, as if it were due now.
    private func takenBack(_ world: World) async throws -> [FriendPlaces.Place] {
        let told = Mutex<[FriendPlaces.Place]>([])
        let takeBack = TakeBackPlace(clock: { world.clock.now }) { message in told.withLock { $0 += message.places } }
        try await fire(world, takeBack)
        return told.withLock { $0 }
    }

    private func fire(_ world: World, _ takeBack: TakeBackPlace) async throws {
        for subject in try await world.pool.query(HiddenPlaces()) {
            try await world.pool.withTransaction { transaction in
                let deadline = Deadline(kind: TakeBackPlace.deadline, subject: subject, dueAt: world.clock.now)
                transaction.clearDeadline(kind: deadline.kind, subject: subject)
                try await takeBack(deadline, in: transaction)
            }
        }
    }

    /// The latitude that a friend reads in the list.
    private func seen(_ world: World, by tokens: Tokens) async throws -> JSONValue? {
        try await links(world, tokens).first?["other"]?["place"]?["latitude"]
    }

    @Test("H5, I10: a place moves for confirmed friends alone, the newest wins, and what is not shared is not kept")
    func moves() async throws {
        try await World.run { world async throws in
            let (owner, friend, link) = try await friends(world)
            let stranger = try await world.join(Person())
            #expect(try await move(world, owner, 21.41).status == 202)
            #expect(try await flush(world).isEmpty)
            #expect(try await seen(world, by: friend) == nil)
            #expect(try await share(world, owner, 21.42).status == 200)
            let begun = try await flush(world)
            #expect(begun.map(\.friends) == [[friend.account]] && begun.first?.account == owner.account)
            #expect(begun.first?.place == Coordinate(latitude: 21.42, longitude: 39.8262))
            world.clock.advance(by: .seconds(1))
            #expect(try await move(world, owner, 21.43).status == 202)
            #expect(try await move(world, owner, 21.44).status == 202)
            #expect(try await flush(world).map(\.place?.latitude) == [21.44])
            #expect(try await seen(world, by: friend) == 21.44)
            #expect(try await links(world, stranger).isEmpty)
            // The end of the link is the end of the sight, at the next position.
            let path = "v1/accounts/me/links/\(link)"
            #expect(try await world.send("DELETE", path, token: friend.access).status == 204)
            #expect(try await move(world, owner, 21.45).status == 202)
            #expect(try await flush(world).isEmpty)
            for body: JSONValue in [[:], ["latitude": 91, "longitude": 0], ["latitude": "x", "longitude": 0]] {
                let answer = try await world.post("accounts/me/shared-place/position", body, token: friend.access)
                #expect(answer.status == 422)
            }
        }
    }

    @Test("I10: a place that is submitted and hidden is its owner's alone, and what was visible is taken back")
    func hidden() async throws {
        try await World.run { world async throws in
            let (owner, friend, _) = try await friends(world)
            #expect(try await share(world, owner, 21.42, visible: false).status == 200)
            #expect(try await seen(world, by: friend) == nil)
            let own = try await world.send("GET", Self.place, token: owner.access)
            #expect(own.json?["visible"] == false && own.json?["place"]?["latitude"] == 21.42)
            #expect(try await flush(world).isEmpty)
            #expect(try await takenBack(world).map(\.friends) == [[friend.account]])
            // It moves, and nobody is told.
            #expect(try await move(world, owner, 21.43).status == 202)
            #expect(try await flush(world).isEmpty)
            #expect(try await world.send("GET", Self.place, token: owner.access).json?["place"]?["latitude"] == 21.43)
            #expect(try await share(world, owner, 21.44, visible: true).status == 200)
            #expect(try await flush(world).map(\.place?.latitude) == [21.44])
            #expect(try await seen(world, by: friend) == 21.44)
            #expect(try await world.send("DELETE", Self.place, token: owner.access).status == 204)
            #expect(try await flush(world).isEmpty)
            #expect(try await takenBack(world).map(\.place) == [nil])
            #expect(try await takenBack(world).isEmpty)
            #expect(try await world.send("GET", Self.place, token: owner.access).json?["place"] == nil)
            #expect(try await world.send("GET", Self.place, token: friend.access).json?["place"] == nil)
        }
    }

    @Test("I10: that a place is hidden is told although a move comes behind it, and again where it could not be told")
    func hiddenForSure() async throws {
        try await World.run { world async throws in
            let (owner, friend, _) = try await friends(world)
            #expect(try await share(world, owner, 21.42).status == 200)
            _ = try await flush(world)
            world.clock.advance(by: .seconds(1))
            #expect(try await share(world, owner, 21.43, visible: false).status == 200)
            #expect(try await move(world, owner, 21.44).status == 202)
            #expect(try await flush(world).isEmpty)
            // The broker is away: the deadline stays.
            let away = TakeBackPlace(clock: { world.clock.now }) { _ in throw LivePlaceFeed.NotTold() }
            await #expect(throws: LivePlaceFeed.NotTold.self) { try await fire(world, away) }
            let told = try await takenBack(world)
            #expect(told.map(\.friends) == [[friend.account]] && told.map(\.place) == [nil])
            // What is shown again meanwhile is not taken back.
            #expect(try await world.send("DELETE", Self.place, token: owner.access).status == 204)
            #expect(try await share(world, owner, 21.45).status == 200)
            #expect(try await takenBack(world).isEmpty)
        }
    }

    @Test("H5: a place that comes late does not go before the newer one that is kept")
    func late() async throws {
        try await World.run { world async throws in
            let (owner, friend, _) = try await friends(world)
            #expect(try await share(world, owner, 21.42).status == 200)
            _ = try await flush(world)
            let late = PlaceBuffer.Move(
                place: SharedPlace(latitude: 21.3, longitude: 39.8), at: world.clock.now.addingTimeInterval(-1))
            #expect(try await world.parts.moveSharedPlaces([owner.account: late], at: world.clock.now).isEmpty)
            #expect(try await seen(world, by: friend) == 21.42)
        }
    }

    @Test("I10: sharing ends by itself: at most after a pilgrimage, and no position is kept past its end")
    func ends() async throws {
        try await World.run { world async throws in
            let (owner, friend, _) = try await friends(world)
            #expect(try await share(world, owner, 21.42, minutes: 43_201).status == 422)
            #expect(try await share(world, owner, 21.42, minutes: 15).status == 200)
            _ = try await flush(world)
            world.clock.advance(by: .seconds(900))
            #expect(try await move(world, owner, 21.43).status == 202)
            #expect(try await flush(world).isEmpty)
            #expect(try await seen(world, by: friend) == nil)
        }
    }

    @Test("I10: positions come at one a second, and more of them are refused")
    func rate() async throws {
        try await World.run { world async throws in
            let owner = try await world.join(Person())
            var statuses: Set<Int> = []
            for _ in 0..<30 { statuses.insert(try await move(world, owner, 21.4).status) }
            #expect(statuses == [202, 429])
        }
    }

    @Test("I9: who is blocked is told that it has ended, asks for a number that nobody has, and sees no link")
    func blocked() async throws {
        try await World.run { world async throws in
            let (first, second) = (Person(), Person())
            let (one, other, link) = try await friends(world, first, second)
            let third = try await world.join(Person())
            let path = "accounts/me/links/\(link)"
            #expect(try await world.post("\(path)/block", [:], token: third.access).status == 404)
            let answer = try await world.post("\(path)/block", [:], token: other.access)
            #expect(answer.status == 200 && answer["state"] == "blocked")
            #expect(try await world.events(LinkRemoved.self).map(\.link.text) == [link])
            #expect(try await world.events(LinkMoved.self).last?.step == .removed)
            #expect(try await links(world, one).isEmpty)
            #expect(try await links(world, other).first?["state"] == "blocked")
            #expect(try await ask(world, one, second).fields == ["/mobile": "unknown-mobile"])
            let family: JSONValue = [
                "kind": "family", "market": "assef", "mobile": .string(second.mobile), "scopes": ["see"],
            ]
            let relative = try await world.post("accounts/me/links", family, token: one.access)
            #expect(relative.fields == ["/mobile": "unknown-mobile"])
            #expect(try await ask(world, other, first).slug == "link-exists")
            for act in ["agreement", "block"] {
                #expect(try await world.post("\(path)/\(act)", [:], token: one.access).status == 404)
            }
            #expect(try await world.send("DELETE", "v1/\(path)", token: one.access).status == 404)
            let moves = try await world.events(LinkMoved.self).count
            #expect(try await world.send("DELETE", "v1/\(path)", token: other.access).status == 204)
            #expect(try await world.events(LinkMoved.self).count == moves)
            #expect(try await ask(world, one, second).status == 201)
        }
    }

    @Test("I9: who has merely asked for a number cannot block to learn whose it is; who is asked can")
    func blockedRequest() async throws {
        try await World.run { world async throws in
            let second = Person()
            let (asking, asked) = (try await world.join(Person()), try await world.join(second))
            let link = try #require(try await ask(world, asking, second)["link"])
            let path = "accounts/me/links/\(link)/block"
            #expect(try await world.post(path, [:], token: asking.access).slug == "link-state")
            #expect(try await world.post(path, [:], token: asked.access)["state"] == "blocked")
            #expect(try await world.events(LinkRemoved.self).isEmpty)
            #expect(try await ask(world, asking, second).fields == ["/mobile": "unknown-mobile"])
        }
    }

    @Test("I9: of an agreement and a block at once either order leaves a block", arguments: 1...5)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let second = Person()
            let (asking, asked) = (try await world.join(Person()), try await world.join(second))
            let link = try #require(try await ask(world, asking, second)["link"])
            let path = "accounts/me/links/\(link)"
            async let agreed = world.post("\(path)/agreement", [:], token: asked.access)
            async let blocked = world.post("\(path)/block", [:], token: asked.access)
            #expect(try await blocked.status == 200)
            #expect([200, 409].contains(try await agreed.status))
            #expect(try await links(world, asked).first?["state"] == "blocked")
            #expect(try await links(world, asking).isEmpty)
        }
    }

    @Test("I12, I10: an export has the shared place, and with the account it is gone")
    func leaving() async throws {
        try await World.run { world async throws in
            let first = Person()
            let (owner, friend, _) = try await friends(world, first)
            #expect(try await share(world, owner, 21.42).status == 200)
            let body: JSONValue = ["password": .string(first.password)]
            let export = try await world.post("accounts/me/export", body, token: owner.access, key: nil)
            #expect(export.json?["sharedPlace"]?["latitude"] == 21.42)
            let deletion = try await world.askDeletion(first, owner)
            for service in Deletion.Service.allCases {
                try await world.answer(deletion, of: owner.account, from: service)
            }
            _ = world.parts.livePlaces.put(
                PlaceBuffer.Move(place: SharedPlace(latitude: 21.5, longitude: 39.8), at: world.clock.now),
                of: owner.account)
            #expect(try await flush(world).isEmpty)
            #expect(try await links(world, friend).isEmpty)
            #expect(
                try await world.pool.first(FindOwnSharedPlace(account: owner.account, now: .distantPast)) == nil)
        }
    }

    @Test("I10: of waiting places the newest of each person is kept, a full buffer takes no more people")
    func buffer() {
        var buffer = PlaceBuffer(limit: 2)
        let people = [UUID.timeOrdered(), .timeOrdered(), .timeOrdered()]
        func at(_ latitude: Double) -> PlaceBuffer.Move {
            PlaceBuffer.Move(
                place: SharedPlace(latitude: latitude, longitude: 0), at: Date(timeIntervalSince1970: latitude))
        }
        let puts = [
            buffer.put(at(1), of: people[0]), buffer.put(at(2), of: people[1]), buffer.put(at(3), of: people[2]),
            buffer.put(at(4), of: people[0]), buffer.put(at(3), of: people[0]),
        ]
        #expect(puts == [true, true, false, true, true])
        let taken = buffer.takeAll()
        #expect(taken == [people[0]: at(4), people[1]: at(2)] && buffer.isEmpty)
        // What came meanwhile is newer than what could not be written.
        _ = buffer.put(at(5), of: people[0])
        buffer.putBack(taken)
        let rest = buffer.takeAll()
        #expect(rest == [people[0]: at(5), people[1]: at(2)])
    }

    @Test("H5: a message names so many readers at most, and a place is never split")
    func messages() {
        let many = [UUID](repeating: .timeOrdered(), count: 2_000)
        let places = (0..<5).map { _ in
            FriendPlaces.Place(
                account: .timeOrdered(), place: nil, at: Date(timeIntervalSince1970: 0), expiresAt: nil, friends: many)
        }
        let messages = LivePlaceFeed.messages(places)
        #expect(messages.map(\.places.count) == [2, 2, 1])
        #expect(messages.flatMap(\.places).map(\.account) == places.map(\.account))
        #expect(LivePlaceFeed.messages([]).isEmpty)
    }
}

/// Of places that were hidden and not yet taken back.
private struct HiddenPlaces: Statement {
    static let sql: SQL = "SELECT subject FROM deadlines WHERE kind = 'identity.shared-place-hidden' ORDER BY subject"
    func bind(_ bindings: inout Bindings) {}
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
