import Foundation
import Matching
import Synchronization

/// The cells that all providers are in, as this process knows them. It finds candidates; who is free is known to the
/// database alone.
///
/// Customers may ask for those near any place, as often as they like. So it forgets where in its cell a place is before
/// anything is asked: whom it finds, in which order and how far away is the same for all places of a cell.
final class PositionIndex: Sendable {
    private let places = Mutex(PlaceIndex())

    var count: Int { places.withLock { $0.count } }

    /// Coarse, as all that it answers.
    func fix(of provider: UUID) -> Fix? { places.withLock { $0.fix(of: provider) } }

    /// Newer ones are taken, the others ignored.
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
