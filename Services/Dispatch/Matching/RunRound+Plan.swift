import Foundation
import Matching

extension RunRound {
    /// The steps that follow from a round's decisions.
    struct Plan: Sendable {
        enum Step: Sendable {
            case offer(to: UUID)
            case widen(to: Int)
            case wait(seconds: Double)
            case giveUp
        }

        private(set) var offers: [OfferOrders.Pair] = []
        private(set) var givenUp: [UUID] = []
        private(set) var next: [ScheduleSearches.Next] = []
        /// Reasonings to store, of orders without an offer.
        private(set) var kept: [(order: UUID, reasoning: RoundReasoning)] = []
        private(set) var reasonings: [UUID: RoundReasoning] = [:]
        private(set) var count = 0
        /// Fingerprint of each order's last stored reasoning.
        private let explained: [UUID: Int]

        init(explained searches: [ListSearches.Row]) {
            explained = Dictionary(searches.map { ($0.order, $0.explained) }) { first, _ in first }
                .compactMapValues { $0 }
        }

        mutating func add(_ order: UUID, _ step: Step, _ reasoning: RoundReasoning?) {
            count += 1
            reasonings[order] = reasoning
            let fingerprint = reasoning?.fingerprint
            switch step {
            case .offer(let provider):
                offers.append(OfferOrders.Pair(order: order, provider: provider))
                return
            case .widen(let stage):
                next.append(.init(order: order, stage: stage, seconds: 0, explained: fingerprint))
            case .wait(let seconds):
                next.append(.init(order: order, seconds: seconds, explained: fingerprint))
            case .giveUp:
                givenUp.append(order)
                // The deadline ends the search; if it was moved, rounds look again.
                next.append(.init(order: order, seconds: RunRound.pause, explained: fingerprint))
            }
            guard let reasoning else { return }
            if reasoning.isOutcome || explained[order] != fingerprint { kept.append((order, reasoning)) }
        }

        mutating func add(_ meals: MealDecisions, radius: Int, at now: Date) {
            for (order, outcome) in meals.all {
                add(
                    order, Step(outcome, at: now),
                    RoundReasoning(outcome, meals.verdicts(of: order), radius: radius))
            }
        }
    }
}

extension RunRound.Plan.Step {
    init(_ outcome: RoundDecisions.Outcome) {
        self =
            switch outcome {
            case .offer(let provider, _): .offer(to: provider)
            case .widen(let stage): .widen(to: stage)
            case .wait: .wait(seconds: RunRound.pause)
            case .giveUp: .giveUp
            }
    }

    init(_ outcome: MealDecisions.Outcome, at now: Date) {
        self =
            switch outcome {
            case .offer(let provider, _): .offer(to: provider)
            case .wait(let until?):
                .wait(
                    seconds: min(
                        RunRound.longPause, max(RunRound.shortPause, Double(until) - now.timeIntervalSince1970)))
            case .wait(nil): .wait(seconds: RunRound.pause)
            case .giveUp: .giveUp
            }
    }
}
