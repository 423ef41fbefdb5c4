import Foundation
import Matching
import TestKit
import Testing

@Suite("Rounds", .timeLimit(.minutes(15)))
struct RoundTests {
    private func offers(_ decisions: RoundDecisions) -> [UUID: UUID] {
        var offers: [UUID: UUID] = [:]
        for case (let order, .offer(let provider, _)) in decisions.all { offers[order] = provider }
        return offers
    }

    @Test("O8: the best is offered first, then the next when he says no or says nothing")
    func next() {
        let near = SampleRound.provider(at: SampleRound.north(300))
        let far = SampleRound.provider(at: SampleRound.north(900))
        let order = SampleRound.order()
        var sample = SampleRound(orders: [order], providers: [far, near])
        let until = SampleRound.now + sample.settings.offerSeconds
        #expect(sample.outcome() == .offer(to: near.id, until: until))
        sample.orders = [SampleRound.order(id: order.id, declined: [near.id])]
        #expect(sample.outcome() == .offer(to: far.id, until: until))
        sample.orders = [SampleRound.order(id: order.id, declined: [near.id, far.id])]
        #expect(sample.outcome() == .widen(to: 1))
    }

    @Test("P4: a round is cheaper as a whole than the nearest for each in turn")
    func wholeRound() {
        let first = SampleRound.order(at: SampleRound.north(0))
        let second = SampleRound.order(at: SampleRound.north(500))
        let between = SampleRound.provider(at: SampleRound.north(240))
        let beyond = SampleRound.provider(at: SampleRound.north(-400))
        // The first order's nearest is `between`; but then the second one waits for somebody from far away.
        let sample = SampleRound(orders: [first, second], providers: [between, beyond])
        #expect(offers(sample.decide()) == [first.id: beyond.id, second.id: between.id])
    }

    @Test(
        "P4: of two as near the one who has waited longer is asked, and of two who have waited as long the better rated"
    )
    func fairness() {
        let place = SampleRound.north(500)
        let waited = SampleRound.provider(at: place, waited: 900, rating: 400)
        let fresh = SampleRound.provider(at: place, waited: 0, rating: 400)
        let better = SampleRound.provider(at: place, waited: 900, rating: 490)
        let order = SampleRound.order()
        #expect(offers(SampleRound(orders: [order], providers: [fresh, waited]).decide()) == [order.id: waited.id])
        #expect(offers(SampleRound(orders: [order], providers: [waited, better]).decide()) == [order.id: better.id])
    }

    @Test("P4: waiting makes good only so much: nobody is fetched from the other end of the town")
    func fairnessLimit() {
        let near = SampleRound.provider(at: SampleRound.north(100), waited: 0)
        let far = SampleRound.provider(at: SampleRound.north(1_900), waited: 1_000_000)
        let order = SampleRound.order()
        #expect(offers(SampleRound(orders: [order], providers: [far, near]).decide()) == [order.id: near.id])
    }

    @Test("P4: when there are more orders than providers, as many as can be are served, the longest waiting first")
    func scarce() {
        let old = SampleRound.order(at: SampleRound.north(700), age: 200)
        let new = SampleRound.order(at: SampleRound.north(100), age: 0)
        let sample = SampleRound(orders: [new, old], providers: [SampleRound.provider()])
        #expect(offers(sample.decide()).keys.map(\.self) == [old.id])
    }

    @Test("X12: the cost is travel, less what waiting makes good, more for missing stars, in seconds")
    func cost() throws {
        let provider = SampleRound.provider(at: SampleRound.north(1_000), waited: 600, rating: 460)
        let order = SampleRound.order()
        let sample = SampleRound(orders: [order], providers: [provider])
        let round = sample.round
        #expect(round.questions.map(\.origins) == [[provider.place]])
        let explanation = try #require(round.decide([[77]]).explanation(of: order.id))
        guard case .weighed(let cost) = try #require(explanation.providers.first).verdict else {
            Issue.record("not weighed")
            return
        }
        #expect(cost.travelSeconds == 77)
        #expect(cost.fairnessSeconds == -30)
        #expect(cost.ratingSeconds == 12)
        #expect(cost.total == 59)
    }

    @Test(
        "X12: every provider of a round is in every order's explanation once: weighed at a cost, or left out by a rule")
    func complete() throws {
        var generator = SeededGenerator()
        for _ in 0..<500 {
            let sample = SampleRound.random(
                orders: .random(in: 1...5, using: &generator), providers: .random(in: 0...12, using: &generator),
                &generator)
            let decisions = sample.decide()
            for order in sample.orders {
                let explanation = try #require(decisions.explanation(of: order.id))
                let told = explanation.providers.map(\.provider)
                #expect(told.sorted() == sample.providers.map(\.id).sorted(), "\(generator)")
                guard case .offer(let chosen, _) = explanation.outcome else { continue }
                let verdict = explanation.providers.first { $0.provider == chosen }?.verdict
                guard case .weighed = verdict else {
                    Issue.record("\(generator): offered and not weighed")
                    continue
                }
            }
            #expect(decisions.explanation(of: UUID()) == nil)
        }
    }

    @Test("X12: who is not among the nearest is told so, and only when there are more than are weighed")
    func nearest() throws {
        let order = SampleRound.order()
        let providers = (1...5).map { SampleRound.provider(at: SampleRound.north(Double($0) * 100)) }
        var sample = SampleRound(orders: [order], providers: providers.shuffled())
        sample.settings.candidatesPerOrder = 3
        let told = try #require(sample.decide().explanation(of: order.id)).providers
        #expect(told.prefix(3).map(\.provider) == providers.prefix(3).map(\.id))
        #expect(told.suffix(2).map(\.verdict) == [.leftOut(.notAmongNearest), .leftOut(.notAmongNearest)])
        #expect(sample.round.questions.map(\.origins) == [providers.prefix(3).map(\.place)])
    }

    @Test("O8: the radius widens step by step when nobody may be asked, and when others need them more for too long")
    func widening() {
        let settings = RoundSettings()
        #expect(SampleRound(orders: [SampleRound.order(stage: 0)]).outcome() == .widen(to: 1))
        #expect(SampleRound(orders: [SampleRound.order(stage: 1)]).outcome() == .widen(to: 2))
        #expect(SampleRound(orders: [SampleRound.order(stage: 2)]).outcome() == .wait)
        // Two orders and one provider: the one that has to wait looks further after a while.
        let first = SampleRound.order(age: 100, stageAge: 0)
        for (age, expected) in [
            (settings.widenAfterSeconds - 1, RoundDecisions.Outcome.wait),
            (settings.widenAfterSeconds, .widen(to: 1)),
        ] as [(Int, RoundDecisions.Outcome)] {
            let second = SampleRound.order(age: age, stageAge: age)
            let sample = SampleRound(orders: [first, second], providers: [SampleRound.provider()])
            #expect(sample.decide().explanation(of: second.id)?.outcome == expected)
        }
    }

    @Test("O8: when the search has lasted its time, the honest end is that nobody was found")
    func giveUp() {
        let settings = RoundSettings()
        let last = SampleRound.order(age: settings.searchSeconds - 1, stage: 2)
        #expect(SampleRound(orders: [last]).outcome() == .wait)
        let over = SampleRound.order(age: settings.searchSeconds, stage: 2)
        #expect(SampleRound(orders: [over]).outcome() == .giveUp)
        // What was said when it began counts, whatever the settings are by now.
        let longer = SampleRound.order(age: settings.searchSeconds, stage: 2, endsIn: 1)
        #expect(SampleRound(orders: [longer]).outcome() == .wait)
        #expect(SampleRound(orders: [SampleRound.order(stage: 2, endsIn: 0)]).outcome() == .giveUp)
        // Then nobody is asked any more, and who was near is free for another order.
        let provider = SampleRound.provider()
        let other = SampleRound.order(at: SampleRound.north(1_000))
        let sample = SampleRound(orders: [over, other], providers: [provider])
        #expect(sample.decide().explanation(of: over.id)?.outcome == .giveUp)
        #expect(offers(sample.decide()) == [other.id: provider.id])
    }

    @Test("P4: equal rounds have equal decisions, in whatever order they are told")
    func determinism() throws {
        var generator = SeededGenerator()
        for _ in 0..<300 {
            var sample = SampleRound.random(orders: 6, providers: 10, &generator)
            let first = sample.decide()
            sample.orders.shuffle(using: &generator)
            sample.providers.shuffle(using: &generator)
            let second = sample.decide()
            #expect(first.all.map(\.order) == second.all.map(\.order), "\(generator)")
            #expect(first.all.map(\.outcome) == second.all.map(\.outcome), "\(generator)")
            for order in sample.orders {
                #expect(first.explanation(of: order.id) == second.explanation(of: order.id), "\(generator)")
            }
        }
    }

    @Test("P4: a round's offers are the cheapest of all that may be, by trying all of a small one")
    func optimum() {
        var generator = SeededGenerator()
        for _ in 0..<1_000 {
            let sample = SampleRound.random(
                orders: .random(in: 0...4, using: &generator), providers: .random(in: 0...6, using: &generator),
                &generator)
            let decisions = sample.decide()
            #expect(decisions.assignment.cost == AssignmentTests.leastCost(decisions.costs), "\(generator)")
            #expect(AssignmentTests.faults(of: decisions.assignment, in: decisions.costs) == [], "\(generator)")
        }
    }
}
