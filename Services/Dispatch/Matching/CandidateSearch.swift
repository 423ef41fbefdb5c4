import Foundation
import Matching

/// Takes the nearest providers from the index, asks the database which of them will do, and looks further away until
/// there are enough.
struct CandidateSearch: Sendable {
    /// Providers looked at for one answer.
    static let maximumCandidates = 4_096
    static let firstCandidates = 24

    let index: PositionIndex
    /// How old a place may be; seconds.
    let freshness: TimeInterval

    /// - Parameters:
    ///   - excluded: who asks is not an answer.
    ///   - filter: those who will do, by their account. Asked about each provider once.
    /// - Returns: nearest first; all that were found, which may be more than wanted.
    func callAsFunction<Value>(
        _ wanted: Int, near place: GeoPoint, within metres: Double, except excluded: UUID,
        filter: ([UUID]) async throws -> [UUID: Value]
    ) async throws -> [(found: PlaceIndex.Found, value: Value)] {
        let since = Date() - freshness
        var step = min(max(wanted * 3 / 2, Self.firstCandidates), Self.maximumCandidates)
        var asked: Set<UUID> = [excluded]
        var results: [(found: PlaceIndex.Found, value: Value)] = []
        while true {
            let near = index.nearest(step, to: place, within: metres, since: since)
            let new = near.filter { asked.insert($0.id).inserted }
            if !new.isEmpty {
                let values = try await filter(new.map(\.id))
                results += new.compactMap { found in values[found.id].map { (found, $0) } }
            }
            if results.count >= wanted || near.count < step || step == Self.maximumCandidates { return results }
            step = min(step * 4, Self.maximumCandidates)
        }
    }
}
