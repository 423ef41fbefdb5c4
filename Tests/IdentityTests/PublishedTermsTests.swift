import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import Testing

@testable import SeraiIdentity
@testable import ServiceKit

@Suite("Terms that a market's admins publish", .timeLimit(.minutes(15)))
struct PublishedTermsTests {
    private static func told(_ number: Int) -> TermsPublished {
        TermsPublished(
            market: "carrepsa", version: "2026-11-28-\(number)",
            text: ["en": "Terms \(number)", "ar": "شروط \(number)"],
            number: number, at: Date())
    }

    private func hear(_ told: TermsPublished, _ world: World) async throws {
        // As the handler of the event does.
        try await world.pool.execute(StoreMarketTerms(told))
        try await world.parts.terms.refresh()
    }

    @Test("X8: who registers reads and accepts the published terms, and no others")
    func register() async throws {
        try await World.run { world async throws in
            var handlers = MessageHandlers()
            world.parts.terms.register(in: &handlers)
            #expect(handlers.names.contains(TermsPublished.name))
            try await hear(Self.told(2), world)
            let rules = try await world.send("GET", "v1/markets/carrepsa/registration")
            let terms: JSONValue = ["version": "2026-11-28-2", "text": "Terms 2"]
            #expect(rules.json?["terms"] == terms, "\(rules)")
            var person = Person()
            person.market = "carrepsa"
            // The market's file has those that the person brings.
            let former = try await world.post("accounts", person.json)
            #expect(former.fields == ["/terms": "terms-version"])
            #expect(try await world.post("accounts", person.with(["terms": "2026-11-28-2"])).status == 201)
        }
    }

    @Test(
        "X8: who accepted the former terms is asked for those that were published since, and an older word changes nothing"
    )
    func anew() async throws {
        try await World.run { world async throws in
            var person = Person()
            person.market = "carrepsa"
            _ = try await world.register(person)
            let login: JSONValue = ["login": .string(person.email), "password": .string(person.password)]
            #expect(try await world.post("sessions", login).json?["termsAsked"] == nil)
            try await hear(Self.told(3), world)
            try await hear(Self.told(2), world)
            let session = try await world.post("sessions", login)
            let asked: JSONValue = [["market": "carrepsa", "version": "2026-11-28-3"]]
            #expect(session.json?["termsAsked"] == asked, "\(session)")
            let token = try Tokens(session).access
            let accepted = try await world.post(
                "accounts/me/terms", ["market": "carrepsa", "version": "2026-11-28-3"], token: token)
            #expect(accepted.status == 204, "\(accepted)")
            #expect(try await world.post("sessions", login).json?["termsAsked"] == nil)
        }
    }
}
