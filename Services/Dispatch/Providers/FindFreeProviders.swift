import Foundation
import Matching
import Messaging
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
        /// The farthest of the pages before; nil for the first page.
        var after: CandidateSearch.Mark?
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

    /// A page of the list. Pages are rings around the place; within each, the soonest come first. The list moves with
    /// its providers: whoever crosses a ring meanwhile may be shown twice or not at all.
    struct Found: Sendable {
        let providers: [FreeProvider]
        /// Nil on the last page.
        let next: CandidateSearch.Mark?
    }

    /// The number of nearest providers, in a straight line, whose travel times are requested: the maximum of one
    /// request to a routing engine, so that the customer waits for a single request.
    static let compared = RoutingTimes.maximumOrigins

    let pool: PostgresPool
    let candidates: CandidateSearch
    let travelTimes: any TravelTimes

    func callAsFunction(_ search: Search, _ terms: Terms) async throws -> Found {
        let name = SearchName.folded(search.name)
        // One more than the page shows whether there is another one.
        let results = try await candidates(
            search.limit + 1, near: search.place, within: Double(terms.radiusMetres), beyond: search.after,
            except: search.caller
        ) { accounts in
            let statement = FilterFreeProviders(
                market: search.market, accounts: accounts, services: search.services, gender: search.gender, name: name,
                needsSubscription: terms.needsSubscription, currency: terms.currency)
            return Dictionary(try await pool.query(statement).map { ($0.account, $0) }) { first, _ in first }
        }.sorted { ($0.found.metres, $0.found.id.text) < ($1.found.metres, $1.found.id.text) }
        // Never more than are compared: the page's last one is where the next page begins.
        let page = results.prefix(min(search.limit, Self.compared))
        let ways = try await travelTimes.estimates(
            from: page.map(\.found.place), to: search.place, metresPerMinute: terms.metresPerMinute)
        // The input is sorted by distance; the offset keeps that order among equal times.
        let sorted = zip(page.map(\.value), ways)
            .enumerated().sorted { ($0.element.1.seconds, $0.offset) < ($1.element.1.seconds, $1.offset) }
            .map { FreeProvider(candidate: $0.element.0, way: $0.element.1.rounded) }
        let last = page.last.map { CandidateSearch.Mark(metres: $0.found.metres, provider: $0.found.id) }
        return Found(providers: sorted, next: results.count > page.count ? last : nil)
    }
}
