import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What registration needs", .timeLimit(.minutes(15)))
struct RegistrationRulesTests {
    private func rules(
        _ world: World, of market: String, in language: String = "en"
    ) async throws -> [String: JSONValue] {
        let answer = try await world.send("GET", "v1/markets/\(market)/registration", language: language)
        try #require(answer.status == 200, "\(answer)")
        #expect(answer.headers["content-language"] == language)
        guard case .object(let members)? = answer.json else { return [:] }
        return members
    }

    @Test("I1, P7: without an account one reads ways in, terms with their text, ages, details with types and choices")
    func read() async throws {
        try await World.run { world async throws in
            let btnc = try await rules(world, of: "btnc")
            #expect(btnc["open"] == true && btnc["ways"] == [["way": "password", "open": true]])
            #expect(btnc["terms"]?["version"] == "2026-01")
            guard case .string(let terms)? = btnc["terms"]?["text"], case .array(let roles)? = btnc["roles"] else {
                Issue.record("there are no words")
                return
            }
            #expect(terms.contains("13 years"))
            #expect(roles.map { $0["title"] ?? .null } == [.null, "driver", "restaurant"])
            #expect(roles[0]["ages"] == ["minimum": 13, "adultBelow": 16])
            #expect(roles[1]["ages"] == ["minimum": 20])
            guard case .array(let details)? = roles[1]["details"] else { return }
            let vehicle = try #require(details.first { $0["id"] == "vehicleClass" })
            #expect(vehicle["kind"] == "choice" && vehicle["required"] == true)
            #expect(vehicle["choices"]?.arrayIDs == ["regular", "xl"])
            #expect(details.first { $0["id"] == "licenceSince" }?["years"] == 4)
            let arabic = try await rules(world, of: "btnc", in: "ar")
            #expect(arabic["name"] != nil && arabic["terms"]?["text"] != btnc["terms"]?["text"])
            #expect(try await world.send("GET", "v1/markets/nowhere/registration").status == 404)
        }
    }

    @Test(
        "I2: the rules say which way into a market of Nafath is open: by the operator's word, by an issuer, or none"
    )
    func ways() async throws {
        try await World.run { world async throws in
            let assef = try await rules(world, of: "assef")
            #expect(assef["open"] == true)
            #expect(assef["ways"] == [["way": "password", "open": true], ["way": "nafath", "open": false]])
        }
        try await World.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { world async throws in
            let assef = try await rules(world, of: "assef")
            #expect(assef["open"] == false && assef["ways"] == [["way": "nafath", "open": false]])
        }
        try await NafathWorld.run(["SERAI_IDENTITY_PASSWORD_MARKETS": "none"]) { nafath async throws in
            let assef = try await rules(nafath.world, of: "assef")
            #expect(assef["open"] == true && assef["ways"] == [["way": "nafath", "open": true]])
        }
    }

    @Test("P7: details, choices, papers and terms of every market have words in each language")
    func words() {
        for market in Market.all {
            let onboarding = market.onboarding
            var texts = onboarding.details.map(\.name) + onboarding.papers.map(\.name)
            for detail in onboarding.details {
                if case .choice(let choices) = detail.kind { texts += choices.map(\.name) }
            }
            if let terms = onboarding.terms { texts.append(terms.text) }
            for text in texts {
                for language in MarketSettings.knownLanguages { #expect(text.texts[language]?.isEmpty == false) }
            }
        }
    }

    @Test("X8: in Carrepsa everybody accepts terms that say what must not be carried and who is liable")
    func carrepsa() async throws {
        let terms = try #require(Market.carrepsa.onboarding.terms)
        let text = terms.text.text(in: "en")
        #expect(text.contains("must not be sent or carried") && text.contains("liable"))
        try await World.run { world async throws in
            var person = Person()
            person.market = "carrepsa"
            let refused = try await world.post("accounts", person.with(["terms": "2019-01"]))
            #expect(refused.fields == ["/terms": "terms-version"])
            #expect(try await world.post("accounts", person.json).status == 201)
        }
    }

    @Test("X8: whoever accepted an earlier version is asked at login, and accepts the current one once")
    func anew() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.market = "carrepsa"
            let account = try await world.register(person)
            try await world.pool.execute(AcceptedEarlier(account: account))
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            let session = try await world.post("sessions", login)
            let version = try #require(Market.carrepsa.onboarding.terms?.version)
            let asked: JSONValue = [["market": "carrepsa", "version": .string(version)]]
            #expect(session.json?["asks"] == ["terms"] && session.json?["termsAsked"] == asked, "\(session)")
            let token = try Tokens(session).access
            let profile = try await world.send("GET", "v1/accounts/me", token: token)
            #expect(profile.json?["termsAsked"] == asked)
            // Until then the account is nobody there: every service refuses the acts of the market by one problem.
            let caller = try await world.bootstrap.tokenVerifier().verify(token)
            #expect(caller.roles.isEmpty && caller.askedTerms == ["carrepsa"])
            let page = "v1/markets/carrepsa/people/\(account.text)"
            let refused = try await world.send("GET", page, token: token)
            #expect(refused.status == 403 && refused.slug == "terms-not-accepted", "\(refused)")
            #expect(refused.json?["market"] == "carrepsa")
            let foreign = try await world.send("GET", "v1/markets/btnc/people/\(account.text)", token: token)
            #expect(foreign.slug == "forbidden", "\(foreign)")
            let old = try await world.post(
                "accounts/me/terms", ["market": "carrepsa", "version": "2019-01"], token: token)
            #expect(old.fields == ["/terms": "terms-version"])
            let elsewhere = try await world.post(
                "accounts/me/terms", ["market": "btnc", "version": "2026-01"], token: token)
            #expect(elsewhere.fields == ["/role": "not-your-role"])
            let accepted = try await world.post(
                "accounts/me/terms", ["market": "carrepsa", "version": .string(version)], token: token)
            #expect(accepted.status == 204, "\(accepted)")
            let again = try await world.post("sessions", login)
            #expect(again.json?["termsAsked"] == nil && again.json?["asks"] == nil, "\(again)")
            // The first session has its rights with the next token.
            let refreshed = try await world.post(
                "sessions/refresh", ["refreshToken": .string(try Tokens(session).refresh)], key: nil)
            #expect(refreshed.json?["asks"] == nil, "\(refreshed)")
            let next = try await world.bootstrap.tokenVerifier().verify(try Tokens(refreshed).access)
            #expect(next.has("customer", in: "carrepsa") && next.askedTerms.isEmpty)
            #expect(try await world.send("GET", page, token: try Tokens(refreshed).access).status == 200)
        }
    }

    @Test("X8: who was invited by an admin accepts the terms before the first act in the market")
    func invited() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.market = "carrepsa"
            let account = try await world.register(person)
            try await world.pool.execute(NothingAccepted(account: account))
            let session = try await world.post(
                "sessions", ["login": .string(person.email), "password": .string(person.password)])
            #expect(session.json?["asks"] == ["terms"], "\(session)")
            let caller = try await world.bootstrap.tokenVerifier().verify(try Tokens(session).access)
            #expect(caller.roles.isEmpty)
            // A new version is told with the next token, too.
            let refreshed = try await world.post(
                "sessions/refresh", ["refreshToken": .string(try Tokens(session).refresh)], key: nil)
            #expect(refreshed.json?["asks"] == ["terms"], "\(refreshed)")
        }
    }
}

extension JSONValue {
    /// The ids of a list's objects.
    fileprivate var arrayIDs: [String] {
        guard case .array(let items) = self else { return [] }
        return items.compactMap {
            guard case .string(let id)? = $0["id"] else { return nil }
            return id
        }
    }
}

/// As if the terms had changed since the registration.
private struct AcceptedEarlier: Statement {
    static let sql: SQL = "UPDATE accepted_terms SET version = '2019-01' WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

/// As if an admin had made the account, so that its owner was never asked.
private struct NothingAccepted: Statement {
    static let sql: SQL = "DELETE FROM accepted_terms WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
