import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Sessions", .timeLimit(.minutes(15)))
struct SessionTests {
    private func refresh(_ world: World, _ token: String) async throws -> Answer {
        try await world.post("sessions/refresh", ["refreshToken": .string(token)], key: nil)
    }

    @Test("I15: a refresh gives new tokens of the same session")
    func rotation() async throws {
        try await World.run { world async throws in
            let first = try await world.join(Person())
            let answer = try await refresh(world, first.refresh)
            #expect(answer.status == 200)
            let second = try Tokens(answer)
            #expect(second.account == first.account)
            #expect(second.refresh != first.refresh)
            let verifier = try await world.bootstrap.tokenVerifier()
            #expect(try await verifier.verify(first.access).sessionID == verifier.verify(second.access).sessionID)
            #expect(try await refresh(world, second.refresh).status == 200)
        }
    }

    @Test("I15: a refresh token used twice ends the whole family, and only that")
    func reuse() async throws {
        try await World.run { world async throws in
            let person = Person()
            let stolen = try await world.join(person)
            let other = try await world.logIn(person)
            let next = try Tokens(try await refresh(world, stolen.refresh))
            world.clock.advance(by: .seconds(11))
            let reused = try await refresh(world, stolen.refresh)
            #expect(reused.status == 401)
            #expect(reused.slug == "session-ended")
            #expect(try await refresh(world, next.refresh).status == 401)
            #expect(try await refresh(world, other.refresh).status == 200)
            // The thief's access token is worth nothing either.
            #expect(try await world.send("GET", "v1/accounts/me", token: next.access).status == 401)
            #expect(try await world.send("GET", "v1/accounts/me", token: other.access).status == 200)
            #expect(try await world.events(SessionsEnded.self).map(\.sessions.count) == [1])
        }
    }

    @Test("I15: a phone that lost the answer gets the same successor again, for ten seconds and while it is unused")
    func grace() async throws {
        try await World.run { world async throws in
            let first = try await world.join(Person())
            let second = try Tokens(try await refresh(world, first.refresh))
            world.clock.advance(by: .seconds(9))
            let again = try Tokens(try await refresh(world, first.refresh))
            #expect(again.refresh == second.refresh)
            #expect(try await refresh(world, second.refresh).status == 200)
            // The successor is used: the old one is a stolen one, however early.
            #expect(try await refresh(world, first.refresh).status == 401)
        }
    }

    @Test("I15: refreshes of one token at once get one and the same successor")
    func parallel() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<8 { group.addTask { try await refresh(world, tokens.refresh) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.status)) == [200])
            let successors = Set(answers.compactMap { $0["refreshToken"] })
            #expect(successors.count == 1)
            let successor = try #require(successors.first)
            #expect(try await refresh(world, successor).status == 200)
        }
    }

    @Test("I15: log out ends this device, or all")
    func logOut() async throws {
        try await World.run { world async throws in
            let person = Person()
            let stranger = try await world.join(Person())
            let phone = try await world.join(person)
            let laptop = try await world.logIn(person)
            let tablet = try await world.logIn(person)
            #expect(try await world.send("DELETE", "v1/sessions/current", token: phone.access).status == 204)
            let again = try await world.send("DELETE", "v1/sessions/current", token: phone.access)
            #expect(again.status == 401)
            #expect(again.slug == "token-expired")
            #expect(try await refresh(world, phone.refresh).status == 401)
            let laptopNext = try Tokens(try await refresh(world, laptop.refresh))
            #expect(try await world.send("DELETE", "v1/sessions", token: laptopNext.access).status == 204)
            #expect(try await refresh(world, laptopNext.refresh).status == 401)
            #expect(try await refresh(world, tablet.refresh).status == 401)
            #expect(try await world.send("GET", "v1/accounts/me", token: tablet.access).status == 401)
            #expect(try await refresh(world, stranger.refresh).status == 200)
        }
    }

    @Test("I15: a session that nobody refreshes ends after 30 days, and is removed later")
    func idle() async throws {
        try await World.run { world async throws in
            let kept = try await world.join(Person())
            let left = try await world.join(Person())
            world.clock.advance(by: .seconds(29 * 86_400))
            let next = try Tokens(try await refresh(world, kept.refresh))
            world.clock.advance(by: .seconds(2 * 86_400 + 1))
            #expect(try await refresh(world, left.refresh).status == 401)
            #expect(try await refresh(world, next.refresh).status == 200)
            let purge = PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(600))
            try await purge.purge()
            #expect(try await world.pool.first(CountRows())?.sessions == 1)
            #expect(try await world.pool.first(CountRows())?.failures == 0)
        }
    }

    @Test("I15: what nobody can use any more is removed: ended sessions, and tokens replaced long ago")
    func purged() async throws {
        try await World.run { world async throws in
            let ended = try await world.join(Person())
            var kept = try await world.join(Person())
            #expect(try await world.send("DELETE", "v1/sessions/current", token: ended.access).status == 204)
            for _ in 0..<4 {
                world.clock.advance(by: .seconds(10 * 86_400))
                kept = try Tokens(try await refresh(world, kept.refresh))
            }
            world.clock.advance(by: .seconds(1))
            let purge = PurgeExpired(
                pool: world.pool, logger: TestThreads.logger, clock: { world.clock.now }, interval: .seconds(600))
            try await purge.purge()
            #expect(try await world.pool.first(CountRows())?.sessions == 1)
            // The newest, and the three that were replaced in the last 30 days.
            #expect(try await world.pool.first(CountTokens()) == 4)
            #expect(try await refresh(world, kept.refresh).status == 200)
        }
    }

    @Test(
        "I15: what is no refresh token is refused as one that has ended",
        arguments: [
            "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "../../..", "\u{202E}",
        ])
    func forgedRefresh(text: String) async throws {
        try await World.run { world async throws in
            #expect(try await refresh(world, text).slug == "session-ended")
        }
    }

    @Test("I15: expired and forged access tokens are refused")
    func forgedAccess() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let account = Account(
                id: tokens.account, name: try PersonName("Noura"), gender: nil, language: .english,
                role: .admin(of: "*"))
            let session = UUID.timeOrdered()
            let expired = try await world.parts.tokens.issue(
                to: account, session: session, isStrong: false, at: Date() - 700)
            let answer = try await world.send("GET", "v1/accounts/me", token: expired)
            #expect(answer.status == 401)
            #expect(answer.slug == "token-expired")
            let foreign = AccessTokens(
                ring: try await world.foreignRing(),
                issuer: world.parts.tokens.issuer, audience: world.parts.tokens.audience, lifetimeSeconds: 600)
            let forged = try await foreign.issue(to: account, session: session, isStrong: false, at: Date())
            let parts = tokens.access.split(separator: ".")
            let unsigned = "eyJhbGciOiJub25lIn0.\(parts[1])."
            let changed = "\(parts[0]).\(parts[1].dropLast())A.\(parts[2])"
            for token in [forged, unsigned, changed, "x", tokens.refresh] {
                #expect(try await world.send("GET", "v1/accounts/me", token: token).slug == "unauthenticated")
            }
            #expect(try await world.send("GET", "v1/accounts/me", token: tokens.access).status == 200)
        }
    }

    @Test("P1: roles that were added show in the token from the next refresh on")
    func roles() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            let added = try await world.post(
                "accounts/me/roles",
                ["market": "assef", "role": "provider", "title": "nurse", "terms": "2026-11"], token: tokens.access)
            #expect(added.status == 201)
            let next = try Tokens(try await refresh(world, tokens.refresh))
            let verifier = try await world.bootstrap.tokenVerifier()
            #expect(try await verifier.verify(tokens.access).roles.map(\.role) == ["customer"])
            #expect(try await verifier.verify(next.access).roles.map(\.role).sorted() == ["customer", "provider"])
        }
    }
}

extension World {
    /// Another key under the same id.
    func foreignRing() async throws -> SigningKeyRing {
        let fresh = try TokenSigningKey.generate()
        let json = String(decoding: try fresh.json, as: UTF8.self)
            .replacing(fresh.id, with: try #require(await keyID()))
        return try await SigningKeyRing(
            try TokenSigningKeys(json: Data(json.utf8)), published: parts.tokens.ring.published)
    }

    func keyID() async -> String? {
        // The set has one key.
        guard case .array(let keys)? = (try? JSONValue(parsing: parts.tokens.ring.published))?["keys"],
            case .string(let id)? = keys.first?["kid"]
        else { return nil }
        return id
    }
}

struct CountTokens: Statement {
    static let sql: SQL = "SELECT count(*) FROM refresh_tokens"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
