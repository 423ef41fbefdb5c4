import Contracts
import Foundation
import Synchronization

/// The newest position of each provider that could not be broadcast. They are for other processes' indexes alone, so
/// they are kept without the order: its parties are shown where the provider is, and not where he was.
final class UnsentPositions: Sendable {
    /// Maximum number of providers; further ones wait for their next position.
    static let limit = 2_000

    private let newest = Mutex<[UUID: ProviderPositions.Position]>([:])

    func put(_ positions: [ProviderPositions.Position]) {
        newest.withLock { newest in
            for var position in positions {
                position.tracking = nil
                if let known = newest[position.provider] {
                    if known.at < position.at { newest[position.provider] = position }
                } else if newest.count < Self.limit {
                    newest[position.provider] = position
                }
            }
        }
    }

    /// Removes and returns all, without those of providers who have a newer one in the list.
    func takeAll(beside positions: [ProviderPositions.Position]) -> [ProviderPositions.Position] {
        newest.withLock { newest in
            guard !newest.isEmpty else { return [] }
            for position in positions { newest[position.provider] = nil }
            defer { newest.removeAll() }
            return Array(newest.values)
        }
    }
}
