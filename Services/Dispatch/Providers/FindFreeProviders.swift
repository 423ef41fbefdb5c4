import Foundation
import Matching
import Postgres

/// Finds free providers who can do these services at this place, soonest first (C3).
struct FindFreeProviders: Sendable {
    struct Search: Sendable {
        let market: String
        /// At least one, each once.
        let services: [String]
        let place: GeoPoint
        let gender: String?
        /// A part of the name; empty for any name.
        let name: String
        let limit: Int
        /// The searching account, which is not listed itself.
        let caller: UUID
    }

    /// The market's settings for the search.
    struct Terms: Sendable {
        let radiusMetres: Int
        let metresPerMinute: Int
        /// Whether only subscribed providers are offered (C8).
        var needsSubscription = false
        let currency: PriceCurrency
    }

    struct FreeProvider: Sendable {
        let candidate: FilterFreeProviders.Candidate
        /// Measured from the middle of the provider's cell, rounded.
        let way: TravelEstimate
    }

    /// The number of nearest providers, in a straight line, whose travel times are requested: the maximum of one
    /// request to a routing engine, so that the customer waits for a single request.
    static let compared = RoutingTimes.maximumOrigins

    let pool: PostgresPool
    let candidates: CandidateSearch
    let travelTimes: any TravelTimes

    func callAsFunction(_ search: Search, _ terms: Terms) async throws -> [FreeProvider] {
        let name = SearchName.folded(search.name)
        let results = try await candidates(
            search.limit, near: search.place, within: Double(terms.radiusMetres), except: search.caller
        ) { accounts in
            let statement = FilterFreeProviders(
                market: search.market, accounts: accounts, services: search.services, gender: search.gender, name: name,
                needsSubscription: terms.needsSubscription, currency: terms.currency)
            return Dictionary(try await pool.query(statement).map { ($0.account, $0) }) { first, _ in first }
        }
        let near = results.prefix(Self.compared)
        let ways = try await travelTimes.estimates(
            from: near.map(\.found.place), to: search.place, metresPerMinute: terms.metresPerMinute)
        // The input is sorted by distance; the offset keeps that order among equal times.
        let sorted = zip(near.map(\.value), ways)
            .enumerated().sorted { ($0.element.1.seconds, $0.offset) < ($1.element.1.seconds, $1.offset) }
            .map { FreeProvider(candidate: $0.element.0, way: $0.element.1.rounded) }
        // Providers beyond the compared ones follow with straight-line estimates.
        let rest = results.dropFirst(near.count).prefix(max(0, search.limit - sorted.count))
        let straight = StreetTimes().estimates(
            from: rest.map(\.found.place), to: search.place, metresPerMinute: terms.metresPerMinute)
        return Array(sorted.prefix(search.limit))
            + zip(rest.map(\.value), straight).map { FreeProvider(candidate: $0, way: $1.rounded) }
    }
}
