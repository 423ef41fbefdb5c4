import Contracts
import Foundation
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("Sessions of browsers", .timeLimit(.minutes(15)))
struct CookieSessionTests {
    private static let mode = ["serai-session": "cookie"]

    private func logIn(_ world: World, _ person: Person, _ headers: [String: String] = mode) async throws -> Answer {
        try await world.send(
            "POST", "v1/sessions", ["login": .string(person.email), "password": .string(person.password)],
            headers: headers)
    }

    private func refresh(_ world: World, _ headers: [String: String]) async throws -> Answer {
        try await world.send("POST", "v1/sessions/refresh", [:], key: nil, headers: headers)
    }

    /// `__Host-serai-session=…`, as a browser sends it back.
    private func cookie(_ answer: Answer) throws -> String {
        String(try #require(answer.headers["set-cookie"]?.split(separator: ";").first))
    }

    @Test("I15: a browser's refresh token is in a cookie that no script and no other site can use, and in no body")
    func cookieAlone() async throws {
        try await World.run { world async throws in
            let person = Person()
            _ = try await world.join(person)
            let answer = try await logIn(world, person)
            #expect(answer.status == 201)
            #expect(answer["accessToken"] != nil)
            #expect(answer["refreshToken"] == nil)
            let parts = try #require(answer.headers["set-cookie"]).split(separator: "; ").map(String.init)
            #expect(parts.first?.hasPrefix("__Host-serai-session=") == true)
            #expect(
                Set(parts.dropFirst())
                    == ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Strict", "Secure"])

            let next = try await refresh(world, Self.mode.merging(["cookie": "a=b; \(try cookie(answer))"]) { $1 })
            #expect(next.status == 200)
            #expect(next["refreshToken"] == nil)
            #expect(try cookie(next) != cookie(answer))
            let token = try #require(next["accessToken"])
            #expect(try await world.send("GET", "v1/accounts/me", token: token).status == 200)
        }
    }

    @Test("I15: the same login again, by its key, gives the same cookie again")
    func repeated() async throws {
        try await World.run { world async throws in
            let person = Person()
            _ = try await world.join(person)
            let key = UUID().uuidString
            func once() async throws -> Answer {
                try await world.send(
                    "POST", "v1/sessions", ["login": .string(person.email), "password": .string(person.password)],
                    key: key, headers: Self.mode)
            }
            let first = try await once()
            let second = try await once()
            #expect(second.status == 201)
            #expect(try cookie(first) == cookie(second))
        }
    }

    @Test("I15: the cookie alone does nothing: not without the header, not for a page of another site, not when forged")
    func foreignPages() async throws {
        try await World.run { world async throws in
            let person = Person()
            _ = try await world.join(person)
            let cookie = try cookie(try await logIn(world, person))
            #expect(try await refresh(world, ["cookie": cookie]).status == 422)
            for site in ["cross-site", "same-site", "none"] {
                let headers = ["cookie": cookie, "serai-session": "cookie", "sec-fetch-site": site]
                #expect(try await refresh(world, headers).status == 403)
                #expect(try await logIn(world, person, headers).status == 403)
            }
            #expect(try await refresh(world, Self.mode).status == 401)
            let forged = Self.mode.merging(["cookie": "__Host-serai-session=AAAA"]) { $1 }
            #expect(try await refresh(world, forged).status == 401)
            let own = ["cookie": cookie, "serai-session": "cookie", "sec-fetch-site": "same-origin"]
            #expect(try await refresh(world, own).status == 200)
        }
    }

    @Test("I15: a cookie that somebody else's host set beside the person's own begins no session, and ends none")
    func planted() async throws {
        try await World.run { world async throws in
            let (person, attacker) = (Person(), Person())
            _ = try await world.join(person)
            _ = try await world.join(attacker)
            let own = try cookie(try await logIn(world, person))
            let other = try cookie(try await logIn(world, attacker))
            for both in ["\(other); \(own)", "__Host-serai-session=AAAA; \(own)"] {
                #expect(try await refresh(world, Self.mode.merging(["cookie": both]) { $1 }).status == 401)
            }
            // The name of pages without TLS is not read here.
            let bare = own.replacing("__Host-", with: "")
            #expect(try await refresh(world, Self.mode.merging(["cookie": bare]) { $1 }).status == 401)
            #expect(try await refresh(world, Self.mode.merging(["cookie": "\(own); \(own)"]) { $1 }).status == 200)
        }
    }

    @Test("I15: without TLS the cookie has no prefix, and goes to the routes of sessions alone")
    func withoutTLS() {
        #expect(SessionDelivery.cookie(isSecure: false) == "serai-session")
        #expect(SessionDelivery.cookie(isSecure: true) == "__Host-serai-session")
    }

    @Test("I15: a log-out ends the session and takes the cookie away")
    func logOut() async throws {
        try await World.run { world async throws in
            let person = Person()
            _ = try await world.join(person)
            let answer = try await logIn(world, person)
            let token = try #require(answer["accessToken"])
            let out = try await world.send("DELETE", "v1/sessions/current", token: token, headers: Self.mode)
            #expect(out.status == 204)
            let removed = "__Host-serai-session=; Path=/; Max-Age=0"
            #expect(out.headers["set-cookie"]?.hasPrefix(removed) == true)
            let late = Self.mode.merging(["cookie": try cookie(answer)]) { $1 }
            #expect(try await refresh(world, late).status == 401)
        }
    }

    @Test("I15: a code that confirms an account begins a browser's session as well")
    func confirmation() async throws {
        try await World.run(confirmation: .sms) { world async throws in
            let person = Person()
            _ = try await world.post("accounts", person.json)
            let code = try #require(try await world.deliveries().last?.contents.arguments["code"])
            let answer = try await world.send(
                "POST", "v1/confirmations/code", ["login": .string(person.mobile), "code": .string(code)],
                headers: Self.mode)
            #expect(answer.status == 201)
            #expect(answer["refreshToken"] == nil)
            #expect(answer.headers["set-cookie"]?.hasPrefix("__Host-serai-session=") == true)
        }
    }
}
