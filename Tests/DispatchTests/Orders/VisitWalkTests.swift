import Foundation
import TestKit
import Testing

@testable import SeraiDispatch

/// `SERAI_WALK_STEPS` makes it longer: `SERAI_WALK_STEPS=1000000`.
@Suite("O1: random walks of a visit", .timeLimit(.minutes(15)))
struct VisitWalkTests {
    static let steps = ProcessInfo.processInfo.environment["SERAI_WALK_STEPS"].flatMap { Int($0) } ?? 20_000
    /// Of one order.
    static let length = 25

    @Test("O1, O2, O3, P3a: a random walk agrees with an independent model of a visit at every step")
    func walks() throws {
        var generator = SeededGenerator()
        var coverage = WalkCoverage(SampleOrder.states, and: .fined, .decided)
        while coverage.begins() {
            guard try Self.walk(&generator, &coverage) else { return }
        }
        #expect(coverage.missing.isEmpty, "\(generator)")
    }

    /// False if they differed.
    private static func walk(_ generator: inout SeededGenerator, _ coverage: inout WalkCoverage) throws -> Bool {
        var model = VisitModel()
        var order = SampleOrder.opened().order
        var isHeld = false
        var now = SampleOrder.start
        for step in 0..<length {
            let trigger = randomTrigger(&generator)
            // Mostly somebody who can, so that walks get somewhere.
            let isAble = Int.random(in: 0..<4, using: &generator) > 0
            let able = isAble ? OrderActor.allCases.filter(VisitModel.actors(of: trigger).contains) : []
            let actors = able.isEmpty ? OrderActor.allCases : able
            let actor = try #require(actors.randomElement(using: &generator))
            // Mostly some seconds, and now and then a day, so that windows end.
            now +=
                step % 12 == 11 ? .random(in: 0...100_000, using: &generator) : .random(in: 0...20, using: &generator)
            let expected = model.happen(trigger, by: actor, at: now)
            let answer: VisitModel.Answer
            do {
                let change = try order.applying(trigger, by: actor, at: now, windows: SampleOrder.windows, in: .visit)
                order = change.order
                if change.effects.contains(.claimsProvider) { isHeld = true }
                if change.effects.contains(.freesProvider) { isHeld = false }
                answer = order.changedAt == now || trigger.kind == .comeNear ? .done : .wrongActor
            } catch {
                answer = Self.answer(error, order)
            }
            coverage.saw(order)
            // One look for all, since a million of each take minutes.
            guard answer == expected, model.agrees(with: order, isHeld: isHeld) else {
                Issue.record(
                    "\(trigger) by \(actor) in \(model.state): \(answer), expected \(expected); \(order), \(generator)")
                return false
            }
        }
        return true
    }

    private static func answer(_ refusal: OrderRefusal, _ order: Order) -> VisitModel.Answer {
        switch refusal {
        case .wrongState(let state): state == order.state ? .wrongState : .done
        case .tooLate(let state): state == order.state ? .tooLate : .done
        case .tooEarly: .tooEarly
        case .wrongActor: .wrongActor
        case .outdated: .outdated
        case .providerBusy: .done
        }
    }

    private static func randomTrigger(_ generator: inout SeededGenerator) -> OrderTrigger {
        let news = OrderTrigger.PaymentNews(
            method: ["card", "wallet", "cash"].randomElement(using: &generator),
            version: Int.random(in: 1...6, using: &generator))
        let fine = LateCancellationFee(metres: 2_000, amount: Int.random(in: 0...100, using: &generator))
        let decision = Order.Verdict.Decision.allCases.randomElement(using: &generator) ?? .split
        let all: [OrderTrigger] = [
            .accept(companion: nil), .accept(companion: nil), .paymentHeld(news), .paymentHeld(news), .arrive, .arrive,
            .complete, .complete, .decline(reason: nil), .cancel(reason: nil, fine: fine), .paymentCaptured(news),
            .paymentReleased(news), .comeNear(metresLeft: 1, secondsLeft: 1), .windowOver(.accept),
            .windowOver(.payment), .windowOver(.arrival), .windowOver(.completion), .windowOver(.confirmation),
            .windowOver(.decision), .missCustomer(fine: fine), .report(SampleOrder.report, reason: "unsafe"),
            .decide(SampleOrder.verdict(decision)), .customerBanned, .providerBanned,
        ]
        return all.step(onward: 8, &generator)
    }
}
