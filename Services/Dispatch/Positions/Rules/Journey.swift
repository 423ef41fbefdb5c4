import Foundation
import Matching

/// A provider's way to the customer of the current order.
struct Journey: Hashable, Sendable {
    let order: UUID
    /// Version of the order when this was read.
    let version: Int
    let customer: UUID
    let destination: GeoPoint
    /// Whether the customer awaits the provider, and is told when the provider is near.
    let isEnRoute: Bool
    /// Whether the customer has been told that the provider is near.
    let isAnnounced: Bool
    /// Time of the provider's acceptance. Positions that were measured before it may be reported later, and are no part
    /// of the way.
    var acceptedAt: Date?
    /// Nil until the first position since the acceptance.
    var odometer: Odometer?
    /// True if the stored odometer cannot be decoded. The row is left unchanged, so that an operator can look into it.
    var isUnreadable = false
    /// Whether the metres count: a parcel costs the same by any way.
    var isMeasured = true

    /// Whether the customer must be told now that the provider is near.
    func isArriving(metresLeft: Double, nearbyMetres: Int) -> Bool {
        isEnRoute && !isAnnounced && metresLeft <= Double(nearbyMetres)
    }

    /// Adds a position to the odometer; the first position is its start.
    /// - Parameters:
    ///   - fix: the steady place.
    ///   - accuracy: the phone's stated accuracy in metres.
    ///   - speed: the market's speed in metres per minute.
    /// - Returns: whether the odometer changed.
    mutating func move(to fix: Fix, accuracy: Double? = nil, speed: Int) -> Bool {
        guard !isUnreadable, isMeasured else { return false }
        if let acceptedAt, fix.at < acceptedAt { return false }
        guard odometer != nil else {
            odometer = Odometer(base: fix, accuracy: accuracy)
            return true
        }
        return odometer?.move(to: fix, accuracy: accuracy, speed: speed) ?? false
    }
}
