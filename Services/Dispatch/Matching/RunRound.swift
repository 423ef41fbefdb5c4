import Contracts
import Foundation
import LiveMarkets
import Matching
import Postgres

/// One round of an area: reads searches and providers, requests travel times, decides and carries the decisions out.
///
/// Nothing is locked before the decisions are carried out, in short transactions. Changes in the meantime are found
/// then and left to the next round. A worker that dies in the middle leaves only complete, committed steps.
struct RunRound: Sendable {
    /// Seconds until a round looks again at waiting orders.
    static let pause = 2.0
    /// Seconds until it looks again at an order or provider that another transaction had locked or taken.
    static let shortPause = 0.2
    /// Maximum seconds until it looks again at meals that need no courier yet: couriers move, come and go.
    static let longPause = 10.0

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
    let clock: @Sendable () -> Date

    /// - Parameter time: that of the round; nil is now.
    @discardableResult
    func callAsFunction(_ area: RoundArea, at time: Date? = nil) async throws -> Outcome {
        let now = time ?? clock()
        let searches = try await pool.query(ListSearches(area: area))
        guard !searches.isEmpty else { return Outcome() }
        guard let market = markets.named(area.market), let settings = markets.settings(of: area.market) else {
            // A newer version of the program knows this market.
            try await schedule(searches.map { ScheduleSearches.Next(order: $0.order, seconds: 10) })
            return Outcome()
        }
        let roundSettings = RoundSettings(settings, freshness: candidates.freshness)
        let meals = searches.filter { $0.kind == Market.Workflow.food.rawValue }
        let others = searches.filter { $0.kind != Market.Workflow.food.rawValue }
        var plan = Plan(explained: searches)
        if !others.isEmpty { try await decide(others, in: market, settings, roundSettings, at: now, &plan) }
        if !meals.isEmpty {
            let decide = DecideMeals(pool: pool, candidates: candidates, travelTimes: travelTimes)
            let decisions = try await decide(
                meals, except: Set(plan.offers.map(\.provider)), in: market, settings, roundSettings, at: now)
            plan.add(decisions, radius: roundSettings.radiiMetres.last ?? 0, at: now)
        }
        return try await carryOut(plan, in: market, settings)
    }

    /// Decides about all orders except meals: one provider per order.
    private func decide(
        _ searches: [ListSearches.Row], in market: Market, _ settings: MarketSettings, _ roundSettings: RoundSettings,
        at now: Date, _ plan: inout Plan
    ) async throws {
        let orders = searches.map { RoundOrder($0) }
        let providers = try await candidates(for: orders, in: market, settings, roundSettings, at: now)
        let round = Round(
            now: Int(now.timeIntervalSince1970), orders: orders, providers: providers, settings: roundSettings)
        let ask = TravelTimeQueries(travelTimes: travelTimes, metresPerMinute: settings.speedMetresPerMinute)
        let decisions = round.decide(try await ask(round.questions.map { ($0.origins, $0.destination) }))
        let stages = Dictionary(orders.map { ($0.id, $0.stage) }) { first, _ in first }
        for (order, outcome) in decisions.all {
            let reasoning = decisions.explanation(of: order).map {
                RoundReasoning($0, stage: stages[order] ?? 0, roundSettings)
            }
            plan.add(order, Plan.Step(outcome), reasoning)
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
            let now = clock()
            try await pool.withTransaction { transaction in
                try await endWindow(.search, of: order, due: now, at: now, looksAgain: false, in: transaction)
            }
        }
        guard !plan.kept.isEmpty || !plan.next.isEmpty else { return outcome }
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
                pairs, in: market, needsSubscription: settings.subscriptionRequired, at: clock,
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
                at: clock(), explanations: try reasonings.map { ($0.order, try $0.reasoning.json()) }))
    }

    private func schedule(_ orders: [ScheduleSearches.Next]) async throws {
        _ = try await pool.execute(ScheduleSearches(orders: orders))
    }
}
