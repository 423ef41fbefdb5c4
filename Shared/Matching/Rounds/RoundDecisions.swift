public import Foundation

/// The decisions of a round about each order, with their reasons.
public struct RoundDecisions: Sendable {
    public enum Outcome: Hashable, Sendable {
        /// This provider gets an offer until this time. A provider who declines or does not answer is in the order's
        /// `declined` in the next round, and the next best one is asked.
        case offer(to: UUID, until: Int)
        /// No provider in the radius may be asked, or other orders needed them more for too long: search a larger
        /// radius.
        case widen(to: Int)
        /// The next round may find a provider.
        case wait
        /// The search is over without a provider.
        case giveUp
    }

    /// The result for a provider and an order.
    public enum Verdict: Hashable, Sendable {
        case weighed(RoundCost)
        case leftOut(RoundRule)
    }

    /// Why an order got its outcome.
    public struct Explanation: Hashable, Sendable {
        public let order: UUID
        public let outcome: Outcome
        /// Every provider of the round, each once: the cheapest first, then those left out, by rule and id.
        public let providers: [Considered]
    }

    public struct Considered: Hashable, Sendable {
        public let provider: UUID
        public let verdict: Verdict
    }

    private let round: Round
    /// In the sequence of the round's orders.
    private let outcomes: [Outcome]
    /// For each order and provider, row by row.
    private let weighed: [RoundCost?]
    /// The cheapest assignment of the whole round, with its proof.
    public let assignment: Assignment
    /// The input of the assignment: a row for each of the round's orders, a column for each of its providers.
    public let costs: CostTable

    init(round: Round, outcomes: [Outcome], weighed: [RoundCost?], assignment: Assignment, costs: CostTable) {
        self.round = round
        self.outcomes = outcomes
        self.weighed = weighed
        self.assignment = assignment
        self.costs = costs
    }

    /// The outcome of every order of the round, by id.
    public var all: [(order: UUID, outcome: Outcome)] {
        zip(round.orders, outcomes).map { ($0.id, $1) }
    }

    /// The explanation of one order; nil for an order that is not in the round.
    public func explanation(of order: UUID) -> Explanation? {
        guard let row = round.orders.firstIndex(where: { $0.id == order }) else { return nil }
        let count = round.providers.count
        let considered = round.providers.indices.map { number in
            let pair = row * count + number
            let verdict = weighed[pair].map(Verdict.weighed) ?? .leftOut(round.rules[pair] ?? .unreachable)
            return Considered(provider: round.providers[number].id, verdict: verdict)
        }
        return Explanation(order: order, outcome: outcomes[row], providers: considered.sorted(by: Self.isTold))
    }

    private static func isTold(_ first: Considered, before second: Considered) -> Bool {
        switch (first.verdict, second.verdict) {
        case (.weighed(let one), .weighed(let other)): (one.total, first.provider) < (other.total, second.provider)
        case (.weighed, .leftOut): true
        case (.leftOut, .weighed): false
        case (.leftOut(let one), .leftOut(let other)):
            (one.rawValue, first.provider) < (other.rawValue, second.provider)
        }
    }
}
