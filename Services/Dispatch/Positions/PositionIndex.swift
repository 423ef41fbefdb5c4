import Foundation
import Matching
import Synchronization

/// The cells of all providers, as this process knows them. The index finds candidates; only the database knows who is
/// free.
///
/// Customers may search near any place, as often as they like. So the index drops the exact position within a cell
/// before any search: results, their order and distances are the same for all positions of a cell.
final class PositionIndex: Sendable {
    private let places = Mutex(PlaceIndex())

    var count: Int { places.withLock { $0.count } }

    /// Coarse, like all results of the index.
    func fix(of provider: UUID) -> Fix? { places.withLock { $0.fix(of: provider) } }

    /// Adds newer positions and ignores older ones.
    func put(_ fixes: some Sequence<(provider: UUID, fix: Fix)>) {
        places.withLock { places in
            for (provider, fix) in fixes { places.put(provider, fix.coarse) }
        }
    }

    func forget(before limit: Date) { places.withLock { $0.removeAll(before: limit) } }

    /// See ``PlaceIndex/nearest(_:to:within:since:)``.
    func nearest(_ count: Int, to center: GeoPoint, within metres: Double, since: Date) -> [PlaceIndex.Found] {
        places.withLock { $0.nearest(count, to: center, within: metres, since: since) }
    }
}
