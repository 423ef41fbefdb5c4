import Foundation
import Matching
import Messaging

/// Finds the nearest suitable providers: takes candidates from the index, asks the database which of them are suitable,
/// and looks further away until there are enough.
struct CandidateSearch: Sendable {
    /// Maximum number of providers per search.
    static let maximumCandidates = 4_096
    static let firstCandidates = 24

    let index: PositionIndex
    /// Maximum age of a position in seconds.
    let freshness: TimeInterval
    let clock: @Sendable () -> Date

    /// The last provider of a page: the next page begins behind it.
    struct Mark: Sendable, Hashable {
        let metres: Double
        let provider: UUID

        func isBefore(_ found: PlaceIndex.Found) -> Bool {
            (metres, provider.text) < (found.metres, found.id.text)
        }
    }

    /// - Parameters:
    ///   - mark: leaves out those up to this one.
    ///   - excluded: the account that asks, which is never a result.
    ///   - filter: returns the suitable accounts with their values. Called once per provider.
    /// - Returns: all that were found, nearest first; possibly more than wanted.
    func callAsFunction<Value>(
        _ wanted: Int, near place: GeoPoint, within metres: Double, beyond mark: Mark? = nil, except excluded: UUID,
        filter: ([UUID]) async throws -> [UUID: Value]
    ) async throws -> [(found: PlaceIndex.Found, value: Value)] {
        let since = clock() - freshness
        var step = min(max(wanted * 3 / 2, Self.firstCandidates), Self.maximumCandidates)
        var asked: Set<UUID> = [excluded]
        var results: [(found: PlaceIndex.Found, value: Value)] = []
        while true {
            let near = index.nearest(step, to: place, within: metres, since: since)
            let new = near.filter { asked.insert($0.id).inserted && mark?.isBefore($0) != false }
            if !new.isEmpty {
                let values = try await filter(new.map(\.id))
                results += new.compactMap { found in values[found.id].map { (found, $0) } }
            }
            if results.count >= wanted || near.count < step || step == Self.maximumCandidates { return results }
            step = min(step * 4, Self.maximumCandidates)
        }
    }
}
