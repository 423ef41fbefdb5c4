import Foundation
import Matching

/// Visibility of the customer's place.
extension Order {
    /// Start of the order as its provider sees it. For work at the customer's home the exact place is shown from the
    /// provider's acceptance on; before that, and after an order that came to nothing, only the rough place without its
    /// description (flat, floor, gate code). For orders with a destination (rides, meals, parcels, bikes) the place is
    /// shown with the request.
    /// A parcel's place is another person's door, so it is shown to about 300 metres until it is taken.
    var placeForProvider: Place {
        if parcel != nil { return isTaken ? place : place.roundedForBoard }
        return destination != nil || isTaken ? place : place.roughly
    }

    /// Goal of the order as it is shown to providers who do not hold it.
    var roughDestination: Place? {
        destination.map { parcel == nil ? $0.roundedToKilometre : $0.roundedForBoard }
    }

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
    /// Straight-line distance from the origin to the rounded destination; nil without a destination. A parcel's origin is
    /// rounded, too.
    var roughWayMetres: Int? {
        guard let destination, let rough = roughDestination else { return nil }
        guard parcel != nil else { return place.straightMetres(toRounded: destination) }
        return Int(GeoPoint(place.roundedForBoard).metres(to: GeoPoint(rough)).rounded())
    }

    /// Estimated distance along the streets and its duration; zero without a destination.
    var roughWay: (metres: Int, seconds: Int) { destination.map { place.roughWay(to: $0) } ?? (0, 0) }
}

extension Order.Place {
    /// Straight-line distance to the rounded goal.
    fileprivate func straightMetres(toRounded goal: Order.Place) -> Int {
        let goal = goal.roundedToKilometre
        let from = GeoPoint(latitude: latitude, longitude: longitude)
        return Int(from.metres(to: GeoPoint(latitude: goal.latitude, longitude: goal.longitude)).rounded())
    }

    /// The way from here to the rounded goal: the distance along the streets (straight line × 1.3) and its duration at
    /// 600 metres a minute. It is the same for all goals of a cell.
    func roughWay(to goal: Order.Place) -> (metres: Int, seconds: Int) {
        let metres = Int(Double(straightMetres(toRounded: goal)) * 1.3)
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

    /// The nearest point of a grid of 0.004°, at most about 300 m away, for strangers on the board. All places around it
    /// give the same result.
    var roundedForBoard: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 250).rounded() / 250 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }

    /// The nearest point of a grid of 0.002° (about 200 m), at most 150 m away. All places around it give the same
    /// result, so repeated requests reveal nothing more.
    var roughly: Order.Place {
        func rounded(_ degrees: Double) -> Double { (degrees * 500).rounded() / 500 }
        return Order.Place(latitude: rounded(latitude), longitude: rounded(longitude), description: nil)
    }
}
