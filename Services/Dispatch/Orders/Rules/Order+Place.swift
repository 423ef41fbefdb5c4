import Foundation
import Matching

/// Visibility of the customer's place.
extension Order {
    /// Start of the order as its provider sees it. For work at the customer's home the exact place is shown from the
    /// provider's acceptance on; before that, and after an order that came to nothing, only the rough place without its
    /// description (flat, floor, gate code). For orders with a destination (rides, meals, parcels, bikes) the place is
    /// shown with the request.
    var placeForProvider: Place { destination != nil || isTaken ? place : place.roughly }

    /// Whether the provider has accepted and the order is not known to have come to nothing. An order with a deposit
    /// counts as taken only once the deposit is locked; otherwise a provider without money could see every door by
    /// taking orders and losing them.
    var isTaken: Bool {
        switch state {
        case .accepted: deposit?.state != .awaited
        case .preparing, .enRoute, .arrived, .inProgress, .completed, .disputed: true
        case .pending, .requested, .offered, .cancelled, .refused, .expired: false
        }
    }
}

/// Distance as shown to providers who do not hold the order, measured to the rounded destination. The exact distance
/// next to a rounded destination would reveal the door, even more so with two orders to the same door.
extension Order {
    /// Straight-line distance from the origin to the rounded destination; nil without a destination.
    var roughWayMetres: Int? {
        guard let goal = destination?.roundedToKilometre else { return nil }
        let from = GeoPoint(latitude: place.latitude, longitude: place.longitude)
        return Int(from.metres(to: GeoPoint(latitude: goal.latitude, longitude: goal.longitude)).rounded())
    }

    /// Estimated distance along the streets (straight line × 1.3) and its duration at 600 metres a minute.
    var roughWay: (metres: Int, seconds: Int) {
        let metres = Int(Double(roughWayMetres ?? 0) * 1.3)
        return (metres, metres / 10)
    }
}

extension Order.Place {
    /// The place rounded to about a kilometre, for providers who do not hold the order. All places of a cell give the
    /// same result.
    var roundedToKilometre: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }

    /// The nearest point of a grid of 0.002° (about 200 m), at most 150 m away. All places around it give the same
    /// result, so repeated requests reveal nothing more.
    var roughly: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 500).rounded() / 500 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }
}
