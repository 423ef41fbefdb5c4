import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: the cards of series", .timeLimit(.minutes(10)))
struct SeriesCardTests {
    private static let now = Date(timeIntervalSince1970: 1_795_413_600)

    private static func card(_ id: UUID, _ month: Int, _ year: Int, isConsented: Bool = false) -> KnownCards.Card {
        KnownCards.Card(card: id, expiryMonth: month, expiryYear: year, isConsented: isConsented)
    }

    @Test("O7, W3: a named card is one's own and not expired; who is not asked now must have agreed on the card itself")
    func rule() {
        let (good, agreed, old, other) = (UUID(), UUID(), UUID(), UUID())
        // It is November 2026.
        let known = KnownCards(
            hasMethod: true,
            cards: [
                Self.card(good, 11, 2026), Self.card(agreed, 1, 2030, isConsented: true),
                Self.card(old, 10, 2026, isConsented: true),
            ])
        func fault(_ card: UUID?, _ needsConsent: Bool = false, of known: KnownCards? = nil) -> KnownCards.Fault? {
            (known ?? self.known(good, agreed, old)).fault(of: card, needsConsent: needsConsent, at: Self.now)
        }
        #expect(known == self.known(good, agreed, old))
        #expect(fault(good) == nil && fault(good, true) == .notConsented && fault(agreed, true) == nil)
        #expect(fault(old) == .expired && fault(other) == .noSuchCard && fault(nil, true) == nil)
        let expired = KnownCards(hasMethod: false, cards: [Self.card(old, 10, 2026, isConsented: true)])
        #expect(fault(nil, true, of: expired) == .notConsented)
        // An older wallet has only told whether there is one.
        #expect(fault(other, of: KnownCards(hasMethod: true, cards: nil)) == nil)
        #expect(fault(other, of: KnownCards(hasMethod: false, cards: nil)) == .noSuchCard)
    }

    private func known(_ good: UUID, _ agreed: UUID, _ old: UUID) -> KnownCards {
        KnownCards(
            hasMethod: true,
            cards: [
                Self.card(good, 11, 2026), Self.card(agreed, 1, 2030, isConsented: true),
                Self.card(old, 10, 2026, isConsented: true),
            ])
    }

    private static func tell(
        _ ground: PlacesGround, _ account: UUID, version: Int, _ cards: [MethodChanged.Card]
    ) async throws {
        try await ground.pool.execute(
            StoreMethod(account: account, hasMethod: !cards.isEmpty, version: version, cards: cards))
    }

    @Test("O7: a series is begun with a card of one's own, and paid otherwise by one; any other is a 422 at the card")
    func begun() async throws {
        try await PlacesGround.run { ground in
            let (customer, mine, old) = (UUID.timeOrdered(), UUID.timeOrdered(), UUID.timeOrdered())
            func ask(_ method: String, _ path: String, _ body: String) async throws -> ProviderAnswer {
                try await ground.ask(
                    try #require(.init(rawValue: method)), path, body, as: customer, in: "edencare")
            }
            func card(_ id: UUID) -> String { #""payment":"card","card":"\#(id.text)","consent":true"# }
            func begin(_ payment: String) async throws -> ProviderAnswer {
                try await ask("POST", "series", SeriesRouteTests.body(payment: payment))
            }
            let none = try await begin(card(mine))
            #expect(none.status == 422 && none.codes == ["/card": "no-such-card"], "\(none.json)")
            try await Self.tell(
                ground, customer, version: 1,
                [
                    .init(card: mine, expiryMonth: 12, expiryYear: 2099, isConsented: false),
                    .init(card: old, expiryMonth: 1, expiryYear: 2020, isConsented: true),
                ])
            #expect(try await begin(card(.timeOrdered())).codes == ["/card": "no-such-card"])
            #expect(try await begin(card(old)).codes == ["/card": "card-expired"])
            let both = try await begin(#""payment":"wallet","card":"\#(mine.text)""#)
            #expect(both.status == 422 && both.codes == ["/card": "card-not-for-wallet"], "\(both.json)")
            let made = try await begin(card(mine))
            #expect(made.status == 201, "\(made.json)")
            let path = "series/\(try #require(made.json["series"]?.asText))/payment"
            for other in [UUID.timeOrdered(), old] {
                let answer = try await ask("PUT", path, "{\(card(other))}")
                #expect(answer.status == 422 && answer.codes.keys.contains("/card"), "\(answer.json)")
            }
            #expect(try await ask("PUT", path, "{\(card(mine))}").status == 200)
            // Removed, it is named no more.
            try await Self.tell(ground, customer, version: 2, [])
            #expect(try await ask("PUT", path, "{\(card(mine))}").codes == ["/card": "no-such-card"])
            // A late event changes nothing.
            try await Self.tell(
                ground, customer, version: 1, [.init(card: mine, expiryMonth: 12, expiryYear: 2099, isConsented: true)])
            #expect(try await ask("PUT", path, "{\(card(mine))}").codes == ["/card": "no-such-card"])
        }
    }

    @Test("O7: an admin names for a caller a card that its owner has released for such orders, or none of several")
    func byPhone() async throws {
        try await PlacesGround.run { ground in
            let (admin, caller) = (UUID.timeOrdered(), UUID.timeOrdered())
            let (plain, agreed) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await ground.pool.execute(InsertPerson(account: caller, name: "Ada"))
            _ = try await ground.pool.query(StoreCustomerRoles(account: caller, markets: ["edencare"]))
            func begin(_ payment: String) async throws -> ProviderAnswer {
                try await ground.ask(
                    .post, "series",
                    SeriesRouteTests.body(payment: payment, more: #","customer":"\#(caller.text)""#),
                    as: admin, ["admin"], in: "edencare")
            }
            try await Self.tell(
                ground, caller, version: 2,
                [.init(card: plain, expiryMonth: 12, expiryYear: 2099, isConsented: false)])
            let named = #""payment":"card","card":"\#(plain.text)""#
            #expect(try await begin(named).codes == ["/card": "card-not-consented"])
            #expect(try await begin(#""payment":"card""#).codes == ["/card": "card-not-consented"])
            try await Self.tell(
                ground, caller, version: 3,
                [
                    .init(card: plain, expiryMonth: 12, expiryYear: 2099, isConsented: false),
                    .init(card: agreed, expiryMonth: 12, expiryYear: 2099, isConsented: true),
                ])
            #expect(try await begin(#""payment":"card""#).status == 201)
            #expect(try await begin(#""payment":"card","card":"\#(agreed.text)""#).status == 201)
        }
    }

    @Test("W3: the cards that a newer wallet tells again reach a row that had only told whether there is one")
    func toldAgain() async throws {
        try await PlacesGround.run { ground in
            let (account, card) = (UUID.timeOrdered(), UUID.timeOrdered())
            func store(_ version: Int, _ cards: [MethodChanged.Card]?) async throws {
                try await ground.pool.execute(
                    StoreMethod(account: account, hasMethod: true, version: version, cards: cards))
            }
            func known() async throws -> [UUID]? {
                try await ground.pool.first(FindKnownCards(account: account))?.cards?.map(\.card)
            }
            try await store(3, nil)
            #expect(try await known() == nil)
            let told = MethodChanged.Card(card: card, expiryMonth: 1, expiryYear: 2099, isConsented: true)
            try await store(3, [told])
            #expect(try await known() == [card])
            try await store(3, [])
            #expect(try await known() == [card])
            try await ground.pool.withTransaction { transaction in
                let method = StandingsTold.Method(hasMethod: false, version: 4, cards: [])
                transaction.send(UpsertRepublishedMethods(methods: [(account, method)]))
            }
            #expect(try await known() == [])
        }
    }
}
