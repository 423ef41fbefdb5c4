import Foundation
import Matching

/// A provider's way to the customer of the order that runs.
struct Journey: Hashable, Sendable {
    let order: UUID
    /// The order's, when this was read.
    let version: Int
    let customer: UUID
    let destination: GeoPoint
    /// Paid for, so the customer awaits somebody.
    let isEnRoute: Bool
    /// Whether the customer has been told that the provider is near.
    let isAnnounced: Bool
    /// When the provider said yes: what was measured before may be reported after, and is no part of the way.
    var acceptedAt: Date?
    /// Nil until the first position since the acceptance.
    var odometer: Odometer?

    /// Whether the customer should be told now.
    func isArriving(metresLeft: Double, nearbyMetres: Int) -> Bool {
        isEnRoute && !isAnnounced && metresLeft <= Double(nearbyMetres)
    }

    /// Counts a step on the odometer; the first position is where it begins.
    /// - Parameters:
    ///   - fix: the steady place.
    ///   - accuracy: what the phone says that it may be wrong by; metres.
    ///   - speed: the market's; metres a minute.
    /// - Returns: whether it changed.
    mutating func move(to fix: Fix, accuracy: Double? = nil, speed: Int) -> Bool {
        if let acceptedAt, fix.at < acceptedAt { return false }
        guard odometer != nil else {
            odometer = Odometer(base: fix, accuracy: accuracy)
            return true
        }
        return odometer?.move(to: fix, accuracy: accuracy, speed: speed) ?? false
    }
}
