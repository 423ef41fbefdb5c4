import Contracts
import Foundation
import Matching
import Postgres

/// Decides about an area's meals: reads the orders and the held meals, requests travel times and runs the food policy.
/// Locks and writes nothing.
struct DecideMeals: Sendable {
    let pool: PostgresPool
    let candidates: RoundCandidates
    let travelTimes: any TravelTimes

    /// - Parameters:
    ///   - searches: the searches for meals.
    ///   - taken: providers to whom this round offers something else.
    func callAsFunction(
        _ searches: [ListSearches.Row], except taken: Set<UUID>, in market: Market, _ settings: MarketSettings,
        _ round: RoundSettings, at now: Date
    ) async throws -> MealDecisions {
        // Uses the widest radius: the policy itself weighs how long the way takes.
        let widest = round.radiiMetres.count - 1
        let orders = searches.map { RoundOrder($0, stage: widest) }
        var providers = try await candidates(for: orders, in: market, settings, round, at: now)
        providers.removeAll { taken.contains($0.id) }
        let (rows, held) = try await read(orders, holding: providers)
        var meals: [UUID: MealRound.Meal] = [:]
        for row in rows { meals[row.id] = try row.meal() }
        var trips: [UUID: [MealRound.Held]] = [:]
        for row in held {
            guard let meal = try row.meal.meal() else { continue }
            trips[row.provider, default: []].append(
                MealRound.Held(
                    meal: meal, isHandedOver: row.isHandedOver, isThere: row.state == OrderState.arrived.rawValue))
        }
        let start = Int(now.timeIntervalSince1970)
        var terms = MealRound.Terms()
        terms.answerSeconds = settings.offerWindowSeconds
        terms.metresPerMinute = settings.speedMetresPerMinute
        if let left = settings.secondsUntilClosing(at: now) { terms.offAt = start + left }
        let decision = MealRound(
            now: start, orders: orders, meals: meals, providers: providers, trips: trips, settings: round, terms: terms)
        let ask = TravelTimeQueries(travelTimes: travelTimes, metresPerMinute: settings.speedMetresPerMinute)
        return decision.decide(try await ask(decision.questions.map { ($0.origins, $0.destination) }))
    }

    private func read(
        _ orders: [RoundOrder], holding providers: [RoundProvider]
    ) async throws -> ([MealRow], [ListTrips.Row]) {
        let meals = try await pool.query(ListMeals(orders: orders.map(\.id)))
        let busy = providers.filter { !$0.facts.isDisjoint(with: [.busy, .onOffer]) }.map(\.id)
        return (meals, busy.isEmpty ? [] : try await pool.query(ListTrips(providers: busy)))
    }
}

extension MarketSettings {
    /// Seconds until the market closes; nil if it has no opening hours or is closed.
    func secondsUntilClosing(at now: Date) -> Int? {
        guard let openingHours, isOpen(at: now), let minute = LocalTime.minuteOfDay(of: now, in: timeZone)
        else { return nil }
        let left = (openingHours.closeMinute - minute + 1_440) % 1_440
        return (left == 0 ? 1_440 : left) * 60 - Int(now.timeIntervalSince1970) % 60
    }
}
