import Foundation
import Matching
import TestKit
import Testing

@Suite("Who is never offered an order", .timeLimit(.minutes(15)))
struct RoundRuleTests {
    /// What the only provider of a round with one order is left out by; nil if an offer is made.
    private func rule(
        _ provider: RoundProvider, order: RoundOrder = SampleRound.order(), settings: RoundSettings = RoundSettings()
    ) throws -> RoundRule? {
        let sample = SampleRound(orders: [order], providers: [provider], settings: settings)
        let decisions = sample.decide()
        let explanation = try #require(decisions.explanation(of: order.id))
        switch explanation.providers.first?.verdict {
        case .leftOut(let rule):
            if case .offer = explanation.outcome { Issue.record("an offer in spite of \(rule)") }
            return rule
        case .weighed:
            #expect(explanation.outcome == .offer(to: provider.id, until: SampleRound.now + settings.offerSeconds))
            return nil
        case nil:
            Issue.record("the provider is not in the explanation")
            return nil
        }
    }

    @Test("P4: somebody free, near and fresh is offered the order")
    func free() throws {
        #expect(try rule(SampleRound.provider()) == nil)
    }

    @Test(
        "P4, X12: who must not be asked is not, and the rule is told",
        arguments: [
            (RoundProvider.Facts.banned, RoundRule.banned), (.unverified, .unverified),
            (.unsubscribed, .unsubscribed), (.unavailable, .unavailable), (.busy, .busy), (.onOffer, .onOffer),
            (.outOfHours, .outOfHours),
        ] as [(RoundProvider.Facts, RoundRule)])
    func facts(fact: RoundProvider.Facts, expected: RoundRule) throws {
        #expect(try rule(SampleRound.provider(facts: fact)) == expected)
    }

    @Test("P4: of several rules the gravest is told")
    func several() throws {
        #expect(try rule(SampleRound.provider(facts: [.busy, .banned, .outOfHours])) == .banned)
    }

    @Test("P4: who said no to an order, or let it pass, is not asked again")
    func declined() throws {
        let provider = SampleRound.provider()
        #expect(try rule(provider, order: SampleRound.order(declined: [provider.id])) == .declined)
        #expect(try rule(provider, order: SampleRound.order(declined: [UUID()])) == nil)
    }

    @Test("P4: a place that is too old is not believed, up to the second")
    func stale() throws {
        let settings = RoundSettings()
        #expect(try rule(SampleRound.provider(placeAge: settings.freshSeconds)) == nil)
        #expect(try rule(SampleRound.provider(placeAge: settings.freshSeconds + 1)) == .stale)
    }

    @Test("O8: an XL ride goes to who drives one")
    func kinds() throws {
        let order = SampleRound.order(kind: "ride-xl")
        #expect(try rule(SampleRound.provider(kinds: ["ride"]), order: order) == .otherKind)
        #expect(try rule(SampleRound.provider(kinds: ["ride", "ride-xl"]), order: order) == nil)
    }

    @Test("P4: nobody is offered an order of his or her own")
    func own() throws {
        let provider = SampleRound.provider()
        #expect(try rule(provider, order: SampleRound.order(customer: provider.id)) == .ownOrder)
    }

    @Test("O8: the radius of the order's stage binds")
    func radius() throws {
        let settings = RoundSettings()
        for (stage, radius) in settings.radiiMetres.enumerated() {
            let order = SampleRound.order(stage: stage)
            let inside = SampleRound.provider(at: SampleRound.north(Double(radius) - 20))
            let outside = SampleRound.provider(at: SampleRound.north(Double(radius) + 20))
            #expect(try rule(inside, order: order) == nil)
            #expect(try rule(outside, order: order) == .outOfRadius)
        }
    }

    @Test("P4: where there is no way, or no answer about it, nobody is sent")
    func unreachable() throws {
        let sample = SampleRound(orders: [SampleRound.order()], providers: [SampleRound.provider()])
        for answers in [[[nil]], [[]], []] as [[[Int?]]] {
            let decisions = sample.round.decide(answers)
            let explanation = try #require(decisions.explanation(of: sample.orders[0].id))
            #expect(explanation.providers.map(\.verdict) == [.leftOut(.unreachable)])
            #expect(explanation.outcome == .widen(to: 1))
        }
    }

    @Test("P4, O13: in random rounds nobody is offered what a rule forbids, and nobody is offered two orders")
    func randomRounds() {
        var generator = SeededGenerator()
        for _ in 0..<1_500 {
            let sample = SampleRound.random(
                orders: .random(in: 0...6, using: &generator), providers: .random(in: 0...12, using: &generator),
                &generator)
            let providers = Dictionary(uniqueKeysWithValues: sample.providers.map { ($0.id, $0) })
            let orders = Dictionary(uniqueKeysWithValues: sample.orders.map { ($0.id, $0) })
            var asked: Set<UUID> = []
            let decisions = sample.decide()
            #expect(decisions.all.map(\.order) == orders.keys.sorted(), "\(generator)")
            for case (let id, .offer(let who, _)) in decisions.all {
                guard let order = orders[id], let provider = providers[who] else {
                    Issue.record("\(generator): an offer to nobody")
                    continue
                }
                #expect(asked.insert(who).inserted, "\(generator): two offers")
                #expect(provider.facts.isEmpty && provider.kinds.contains(order.kind), "\(generator)")
                #expect(!order.declined.contains(who) && order.customer != who, "\(generator)")
                #expect(SampleRound.now - provider.placeAt <= sample.settings.freshSeconds, "\(generator)")
                let radius = Double(sample.settings.radiiMetres[order.stage])
                #expect(provider.place.metres(to: order.place) <= radius + 1, "\(generator)")
            }
        }
    }
}
