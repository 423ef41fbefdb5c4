import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What a profile and a public page show", .timeLimit(.minutes(15)))
struct ProfilePageTests {
    @Test("P7: a language is a file: with its catalogue people have it, are answered in it, and others are told of it")
    func languages() async throws {
        let french = Array(#"{"problem.not-found.title": "Introuvable"}"#.utf8)
        try await World.run(languages: [Language(rawValue: "fr"): french]) { world async throws in
            let person = Person()
            let tokens = try await world.join(person)
            let wrong = try await world.send("PATCH", "v1/accounts/me", ["language": "de"], token: tokens.access)
            #expect(wrong.fields == ["/language": "not-a-choice"])
            let french = try await world.send("PATCH", "v1/accounts/me", ["language": "fr"], token: tokens.access)
            #expect(french.status == 200)
            #expect(try await world.events(AccountChanged.self).last?.account.language == "fr")
            let path = "v1/accounts/me/places/\(UUID().text)"
            // The token carries the language.
            let again = try await world.logIn(person)
            #expect(try await world.send("GET", path, token: again.access)["title"] == "Introuvable")
            let changed = try await world.send("PATCH", "v1/accounts/me", ["language": "ar"], token: tokens.access)
            #expect(changed["language"] == "ar")
        }
    }

    @Test("P7: a registration takes a language of the market: the chosen one, else Accept-Language's, else its first")
    func languageOfMarket() async throws {
        let french = Array(#"{"problem.not-found.title": "Introuvable"}"#.utf8)
        try await World.run(languages: [Language(rawValue: "fr"): french]) { world async throws in
            func registered(_ body: JSONValue, header: String?) async throws -> String? {
                let answer = try await world.send("POST", "v1/accounts", body, language: header)
                guard answer.status == 201 else { return answer.fields["/language"] }
                return try await world.events(AccountRegistered.self).last?.account.language
            }
            #expect(try await registered(Person().json, header: nil) == "ar")
            #expect(try await registered(Person().json, header: "fr-CA") == "ar")
            #expect(try await registered(Person().json, header: "fr, en;q=0.5") == "en")
            #expect(try await registered(Person().with(["language": "en"]), header: "ar") == "en")
            #expect(try await registered(Person().with(["language": "fr"]), header: nil) == "not-a-choice")
            var elsewhere = Person()
            elsewhere.market = "carrepsa"
            #expect(try await registered(elsewhere.json, header: nil) == Market.carrepsa.defaults.languages.first)
            // Somebody whom an admin makes has the market's first language, and rules are read in it.
            let admin = try await world.admin(of: "assef")
            let made = try await world.post(
                "markets/assef/people",
                Person().with(["role": "customer"]), token: admin.access)
            #expect(made.status == 201, "\(made)")
            #expect(try await world.events(AccountRegistered.self).last?.account.language == "ar")
            let rules = try await world.send("GET", "v1/markets/assef/registration")
            #expect(rules.headers["content-language"] == "ar" && rules["name"] == "أسعف")
        }
    }

    @Test("I1: the account shows which terms were accepted and when, and which adult comes along")
    func terms() async throws {
        let clock = FixedClock(Date(timeIntervalSince1970: 1_773_300_000))
        try await World.run(onboarding: .rides, clock: clock) { world async throws in
            let child = Person()
            let body = child.with([
                "terms": "2026-01", "birthDate": "2011-06-01", "accompaniedBy": "Huda Al-Amri",
            ])
            #expect(try await world.post("accounts", body).status == 201)
            let account = try await world.pool.first(
                FindPassword(emailHash: world.parts.cipher.hash(child.email.lowercased(), for: .email), mobileHash: nil)
            )
            let id = try #require(account?.account)
            let profile = ProfileView(
                try #require(try await world.parts.readProfile(id, at: clock.now)), world.parts.markets)
            #expect(profile.terms == [AcceptedTerms(market: "assef", version: "2026-01", acceptedAt: clock.now)])
            #expect(profile.accompaniedBy == ["assef": "Huda Al-Amri"])
        }
    }

    @Test("I6: the page of a person shows average and number of the stars, as a sum that goes with the account")
    func ratings() async throws {
        try await World.run { world async throws in
            let nurse = try await world.join(.provider())
            let customer = try await world.join(Person())
            let handlers = try world.handlers
            #expect(handlers.names.contains(RatingGiven.name))
            // As a batch of messages is handled.
            func rate(_ stars: Int..., to: UUID, by: OrderSnapshot.Actor = .customer) async throws {
                try await world.pool.withTransaction { transaction in
                    for stars in stars {
                        AccountHandlers.rated(
                            RatingGiven(
                                order: .timeOrdered(), market: "assef", from: customer.account, to: to, by: by,
                                stars: stars, serviceStars: nil, comment: nil, at: world.clock.now), in: transaction)
                    }
                }
            }
            let path = "v1/markets/assef/people/\(nurse.account.text)"
            func rating() async throws -> JSONValue? {
                guard case .array(let roles)? = try await world.send("GET", path, token: customer.access).json?["roles"]
                else { return nil }
                return roles.first?["rating"]
            }
            #expect(try await rating() == nil)
            try await rate(5, 4, to: nurse.account)
            try await rate(4, to: nurse.account)
            #expect(try await rating() == ["average": 4.33, "count": 3])
            // As a customer she is somebody else.
            try await rate(1, to: nurse.account, by: .provider)
            #expect(try await rating() == ["average": 4.33, "count": 3])
            try await rate(5, to: UUID())
            try await world.pool.execute(DeleteAccountRow(account: nurse.account))
            try await rate(5, to: nurse.account)
            #expect(try await world.pool.query(ListRatingSums(account: nurse.account, market: "assef")).isEmpty)
        }
    }

    @Test("I6: files are taken from an account so fast and no faster")
    func uploads() async throws {
        try await World.run { world async throws in
            let tokens = try await world.join(Person())
            var seen: Set<Int> = []
            for _ in 0..<40 {
                seen.insert(
                    try await world.send("PUT", "v1/accounts/me/avatar", token: tokens.access).status)
            }
            #expect(seen == [415, 429])
            let other = try await world.join(Person())
            #expect(try await world.send("PUT", "v1/accounts/me/avatar", token: other.access).status == 415)
            #expect(try await world.send("DELETE", "v1/accounts/me/avatar", token: tokens.access).status == 204)
        }
    }
}

private struct DeleteAccountRow: Statement {
    static let sql: SQL = "DELETE FROM accounts WHERE id = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
