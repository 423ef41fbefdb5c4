import Contracts
import Foundation
import LiveMarkets
import Matching
import Postgres

/// One round of an area: reads what waits and who is near, asks for travel times, decides, and carries it out.
///
/// Nothing is locked before the decisions are carried out, in short transactions; what has changed meanwhile is found
/// then, and left to the next round. A worker that ends in the middle has done what it has committed, and nothing by
/// half.
struct RunRound: Sendable {
    /// When a round looks again at orders that wait.
    static let pause = 2.0
    /// When it looks again at what somebody else had in hand.
    static let shortPause = 0.2
    /// Travel times that are asked for at once.
    static let maximumQuestions = 32

    struct Outcome: Sendable, Equatable {
        var orders = 0
        var offered = 0
    }

    let pool: PostgresPool
    let markets: LiveMarkets
    let candidates: RoundCandidates
    let travelTimes: any TravelTimes
    let offer: OfferOrders
    let endWindow: EndOrderWindow

    @discardableResult
    func callAsFunction(_ area: RoundArea, at now: Date = .thisMillisecond) async throws -> Outcome {
        let searches = try await pool.query(ListSearches(area: area))
        guard !searches.isEmpty else { return Outcome() }
        guard let market = Market.named(area.market), let settings = markets.settings(of: area.market) else {
            // A newer version of the program knows it.
            try await schedule(searches.map { ScheduleSearches.Next(order: $0.order, seconds: 10) })
            return Outcome()
        }
        let roundSettings = RoundSettings(settings, freshness: candidates.freshness)
        let orders = searches.map(RoundOrder.init)
        let providers = try await candidates(for: orders, in: market, settings, roundSettings, at: now)
        let round = Round(
            now: Int(now.timeIntervalSince1970), orders: orders, providers: providers, settings: roundSettings)
        let answers = try await ask(round.questions, metresPerMinute: settings.speedMetresPerMinute)
        let decisions = round.decide(answers)
        var reasonings: [UUID: RoundReasoning] = [:]
        let stages = Dictionary(orders.map { ($0.id, $0.stage) }) { first, _ in first }
        for (order, _) in decisions.all {
            reasonings[order] = decisions.explanation(of: order).map {
                RoundReasoning($0, stage: stages[order] ?? 0, roundSettings)
            }
        }
        let before = Dictionary(searches.map { ($0.order, $0.explained) }) { first, _ in first }
        let plan = Plan(decisions.all, reasonings, explained: before.compactMapValues { $0 })
        return try await carryOut(plan, in: market, settings)
    }

    /// All at once, as far as that is polite; none depends on another.
    private func ask(_ questions: [Round.Question], metresPerMinute: Int) async throws -> [[Int?]] {
        try await withThrowingTaskGroup(of: (Int, [Int?]).self) { group in
            var answers = [[Int?]](repeating: [], count: questions.count)
            var next = 0
            func askNext() {
                while next < questions.count, questions[next].origins.isEmpty { next += 1 }
                guard next < questions.count else { return }
                let (number, question) = (next, questions[next])
                next += 1
                group.addTask {
                    let ways = try await travelTimes.estimates(
                        from: question.origins, to: question.destination, metresPerMinute: metresPerMinute)
                    return (number, ways.map(\.seconds))
                }
            }
            for _ in 0..<Self.maximumQuestions { askNext() }
            while let (number, seconds) = try await group.next() {
                answers[number] = seconds
                askNext()
            }
            return answers
        }
    }

    // MARK: Carrying out

    private func carryOut(_ plan: Plan, in market: Market, _ settings: MarketSettings) async throws -> Outcome {
        var outcome = Outcome(orders: plan.count)
        var rest = plan.offers[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(OfferOrders.limit))
            rest = rest.dropFirst(some.count)
            outcome.offered += try await offer(some, plan, in: market, settings)
        }
        for order in plan.givenUp {
            let now = Date.thisMillisecond
            try await pool.withTransaction { transaction in
                try await endWindow(.search, of: order, due: now, at: now, in: transaction)
            }
        }
        try await pool.withTransaction { transaction in
            try keep(plan.kept, in: transaction)
            if !plan.next.isEmpty { transaction.send(ScheduleSearches(orders: plan.next)) }
        }
        return outcome
    }

    private func offer(
        _ pairs: [OfferOrders.Pair], _ plan: Plan, in market: Market, _ settings: MarketSettings
    ) async throws -> Int {
        try await pool.withTransaction { transaction in
            let made = try await offer(
                pairs, in: market, needsSubscription: settings.subscriptionRequired, at: .thisMillisecond,
                in: transaction)
            let lost = pairs.filter { !made.contains($0) }
            try keep(
                pairs.compactMap { pair in
                    plan.reasonings[pair.order].map { reasoning in
                        var reasoning = reasoning
                        if !made.contains(pair) { reasoning.outcome = .lost }
                        return (pair.order, reasoning)
                    }
                }, in: transaction)
            if !lost.isEmpty {
                let seconds = Self.shortPause
                transaction.send(
                    ScheduleSearches(orders: lost.map { .init(order: $0.order, seconds: seconds) }))
            }
            return made.count
        }
    }

    private func keep(
        _ reasonings: [(order: UUID, reasoning: RoundReasoning)], in transaction: PostgresTransaction
    ) throws {
        guard !reasonings.isEmpty else { return }
        transaction.send(
            InsertExplanations(
                at: .thisMillisecond, explanations: try reasonings.map { ($0.order, try $0.reasoning.json()) }))
    }

    private func schedule(_ orders: [ScheduleSearches.Next]) async throws {
        _ = try await pool.execute(ScheduleSearches(orders: orders))
    }
}

extension RunRound {
    /// What follows from a round's decisions.
    struct Plan: Sendable {
        private(set) var offers: [OfferOrders.Pair] = []
        private(set) var givenUp: [UUID] = []
        private(set) var next: [ScheduleSearches.Next] = []
        /// Of those without an offer, what is worth keeping.
        private(set) var kept: [(order: UUID, reasoning: RoundReasoning)] = []
        let reasonings: [UUID: RoundReasoning]
        let count: Int

        /// - Parameter explained: fingerprints of what was kept last.
        init(
            _ decisions: [(order: UUID, outcome: RoundDecisions.Outcome)], _ reasonings: [UUID: RoundReasoning],
            explained: [UUID: Int]
        ) {
            self.reasonings = reasonings
            count = decisions.count
            for (order, outcome) in decisions {
                let fingerprint = reasonings[order]?.fingerprint
                switch outcome {
                case .offer(let provider, _):
                    offers.append(OfferOrders.Pair(order: order, provider: provider))
                    continue
                case .widen(let stage):
                    next.append(.init(order: order, stage: stage, seconds: 0, explained: fingerprint))
                case .wait:
                    next.append(.init(order: order, seconds: RunRound.pause, explained: fingerprint))
                case .giveUp:
                    givenUp.append(order)
                    // Should the deadline have been moved, which ends it.
                    next.append(.init(order: order, seconds: RunRound.pause, explained: fingerprint))
                }
                guard let reasoning = reasonings[order] else { continue }
                if reasoning.isOutcome || explained[order] != fingerprint { kept.append((order, reasoning)) }
            }
        }
    }
}
