import Foundation
import Matching

/// Decisions of a round about its meals, with the reasons.
struct MealDecisions: Sendable {
    enum Outcome: Sendable, Hashable {
        /// Offers all meals of the bundle, this one among them, to this courier now; the courier may already hold some
        /// of them.
        case offer(to: UUID, bundle: [UUID])
        /// No offer is needed yet. `until` is the time at which a courier has to be asked if nothing changes; nil if no
        /// courier can carry the meal.
        case wait(until: Int?)
        case giveUp
    }

    /// The outcome of every waiting meal.
    let all: [(order: UUID, outcome: Outcome)]
    private let round: MealRound
    private let food: FoodDecisions
    private let travelSeconds: @Sendable (_ courier: UUID, _ order: UUID) -> Int

    /// - Parameter held: the meals that couriers on their way to a restaurant hold.
    init(
        round: MealRound, food: FoodDecisions, answerSeconds: Int, held: [UUID: [UUID]],
        travelSeconds: @escaping @Sendable (UUID, UUID) -> Int
    ) {
        self.round = round
        self.food = food
        self.travelSeconds = travelSeconds
        var asked: [UUID: Outcome] = [:]
        for decision in food.decisions {
            switch decision {
            case .send(let courier, _, let orders):
                for order in orders { asked[order] = .offer(to: courier, bundle: orders) }
            case .add(let courier, let orders):
                for order in orders { asked[order] = .offer(to: courier, bundle: held[courier, default: []] + orders) }
            // The restaurant hands over, so nothing is offered.
            case .load: break
            }
        }
        let next = food.nextAt.map { $0 - answerSeconds }
        let impossible = Set(food.impossible)
        all = round.screen.orders.map { order in
            if round.over.contains(order.id) { return (order.id, .giveUp) }
            return (order.id, asked[order.id] ?? .wait(until: impossible.contains(order.id) ? nil : next))
        }
    }

    /// Result of a courier for a meal.
    enum Verdict: Sendable, Hashable {
        /// - Parameters:
        ///   - travel: seconds until the courier would be at the restaurant.
        ///   - cost: in seconds.
        case weighed(travel: Int, cost: FoodCost)
        case leftOut(RoundRule)
    }

    /// Every provider of the round once: the weighed ones, cheapest first, then those left out, by rule and id.
    func verdicts(of order: UUID) -> [(provider: UUID, verdict: Verdict)] {
        guard let number = round.screen.orders.firstIndex(where: { $0.id == order }) else { return [] }
        var weighed: [(provider: UUID, verdict: Verdict)] = []
        var leftOut: [(rule: RoundRule, provider: UUID)] = []
        var rules: [UUID: FoodExplanation.Rule] = [:]
        for considered in food.explanation(of: order)?.couriers ?? [] {
            switch considered.verdict {
            case .weighed(let cost):
                let travel = travelSeconds(considered.courier, order)
                weighed.append((considered.courier, .weighed(travel: travel, cost: cost)))
            case .leftOut(let rule): rules[considered.courier] = rule
            }
        }
        let told = Set(weighed.map(\.provider))
        for (index, provider) in round.screen.providers.enumerated() where !told.contains(provider.id) {
            let rule = round.screen.rule(index, for: number) ?? rules[provider.id].map(RoundRule.init) ?? .unreachable
            leftOut.append((rule, provider.id))
        }
        leftOut.sort { ($0.rule.rawValue, $0.provider) < ($1.rule.rawValue, $1.provider) }
        return weighed + leftOut.map { ($0.provider, .leftOut($0.rule)) }
    }
}

extension RoundRule {
    fileprivate init(_ rule: FoodExplanation.Rule) {
        self =
            switch rule {
            case .shiftOver: .shiftOver
            case .notAmongFirst: .notAmongFirst
            // The round's own rule is shown instead.
            case .barred: .unreachable
            }
    }
}
