import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("The list of sessions", .timeLimit(.minutes(15)))
struct SessionListTests {
    @Test("I15: the owner sees device, times and which is this one, and ends one; others' are not there")
    func list() async throws {
        try await World.run { world async throws in
            let person = Person()
            try await world.register(person)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            let phone = try Tokens(
                try await world.send(
                    "POST", "v1/sessions", login,
                    agent: "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Mobile"))
            world.clock.advance(by: .seconds(5))
            let laptop = try await world.logIn(person)
            let stranger = try await world.join(Person())
            let list = try await world.send("GET", "v1/sessions", token: laptop.access).items
            #expect(list.map { $0["current"] } == [true, false])
            #expect(list.last?["device"] == "Chrome, Android")
            #expect(list.first?["device"] == nil)
            guard case .string(let lost)? = list.last?["session"] else { throw Missing() }
            #expect(try await world.send("DELETE", "v1/sessions/\(lost)", token: stranger.access).status == 404)
            #expect(try await world.send("GET", "v1/accounts/me", token: phone.access).status == 200)
            for _ in 1...2 {
                #expect(try await world.send("DELETE", "v1/sessions/\(lost)", token: laptop.access).status == 204)
            }
            #expect(try await world.send("GET", "v1/accounts/me", token: phone.access).slug == "token-expired")
            #expect(try await world.send("GET", "v1/sessions", token: laptop.access).items.count == 1)
            let events = try await world.events(SessionsEnded.self)
            #expect(events.map { $0.sessions.map(\.text) } == [[lost]])
            let event = try #require(events.first)
            #expect(event.account == phone.account)
            #expect(abs(event.until.timeIntervalSince(world.clock.now) - 660) < 1)
            for path in ["v1/sessions/no-id", "v1/sessions/\(UUID.timeOrdered().text)"] {
                #expect(try await world.send("DELETE", path, token: laptop.access).status == 404)
            }
        }
    }

    @Test("I15: an account has fifty sessions at most; a further one ends the one that was not used for longest")
    func surplus() async throws {
        // In the past, so that the last token is not from the future.
        try await World.run(clock: FixedClock(Date() - 60)) { world async throws in
            let first = try await world.join(Person())
            try await world.pool.withTransaction { transaction in
                for number in 1..<SessionRule.maximumSessions {
                    let at = world.clock.now.addingTimeInterval(Double(number))
                    transaction.send(
                        InsertSession(
                            session: .timeOrdered(), account: first.account, device: nil, createdAt: at,
                            expiresAt: at.addingTimeInterval(3_600), isStrong: false))
                }
            }
            #expect(try await world.send("GET", "v1/sessions", token: first.access).items.count == 50)
            let account = first.account
            world.clock.advance(by: .seconds(60))
            let now = world.clock.now
            let parts = world.parts
            let grant = try await world.pool.withTransaction { transaction in
                try await parts.startSession(for: account, password: nil, on: Device(), at: now, in: transaction)
            }
            #expect(try await world.send("GET", "v1/accounts/me", token: first.access).status == 401)
            #expect(try await world.send("GET", "v1/sessions", token: grant.accessToken).items.count == 50)
        }
    }

    @Test("I15: a login and the end of all sessions at once leave none that the end has missed", arguments: 1...5)
    func race(_ round: Int) async throws {
        try await World.run { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            async let other = world.logIn(person)
            async let ended = world.send("DELETE", "v1/sessions", token: tokens.access)
            #expect(try await ended.status == 204)
            let late = try await other
            let isRefused = try await world.send("GET", "v1/accounts/me", token: late.access).status == 401
            let told = try await world.events(SessionsEnded.self).flatMap(\.sessions)
            let session = try await world.bootstrap.tokenVerifier().verify(late.access).sessionID
            #expect(isRefused == told.contains(try #require(session)))
        }
    }

    @Test(
        "of a device only words are kept",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18 Safari/604.1",
                "Safari, iPhone"
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox, Linux"),
            ("Serai/2.1 CFNetwork/1568 Darwin/24.1.0", "Serai, Apple"), ("", nil), ("\u{202E}<script>", nil),
            (String(repeating: "a", count: 10_000), nil),
        ] as [(String, String?)])
    func device(userAgent: String, words: String?) {
        #expect(DeviceName(userAgent: userAgent)?.text == words)
    }

    private struct Missing: Error {}
}
