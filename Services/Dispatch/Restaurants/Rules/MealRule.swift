import Foundation
import Matching

/// The reasons to refuse an order of a meal.
enum MealRefusal: Error, Equatable {
    /// The current state of an ordered item on the menu.
    struct Change: Hashable, Sendable {
        let item: UUID
        /// The item's index in the cart.
        let index: Int
        /// Nil if the item is not sold any more.
        let name: String?
        let price: Int?
    }

    case restaurantClosed
    case tooFar(maximumMetres: Int)
    case ownRestaurant
    /// The quote is not for the way from this restaurant.
    case otherQuote
    /// The menu differs from what the customer has seen.
    case menuChanged([Change])
}

/// The items that a customer orders from a menu.
struct Cart: Hashable, Sendable {
    static let items = 1...50
    static let counts = 1...50

    struct Entry: Hashable, Sendable {
        let item: UUID
        let count: Int
        /// The price of one piece in minor units, as the customer has seen it.
        let price: Int
    }

    /// Each item occurs once.
    let entries: [Entry]

    /// Finds the cart's items on the menu.
    ///
    /// - Throws: ``MealRefusal/menuChanged(_:)`` with each item that is gone or has another price than the customer has
    ///   seen.
    func items(of menu: [MenuItem]) throws(MealRefusal) -> [MenuItem] {
        let known = Dictionary(menu.map { ($0.id, $0) }) { first, _ in first }
        var found: [MenuItem] = []
        var changes: [MealRefusal.Change] = []
        for (index, entry) in entries.enumerated() {
            let item = known[entry.item]
            if let item, item.price == entry.price {
                found.append(item)
            } else {
                changes.append(.init(item: entry.item, index: index, name: item?.name, price: item?.price))
            }
        }
        guard changes.isEmpty else { throw .menuChanged(changes) }
        return found
    }
}

extension Restaurant {
    /// Checks that the customer may order here now.
    ///
    /// - Parameter radius: the longest delivery distance, in a straight line; metres.
    func check(for customer: UUID, at destination: Order.Place, within radius: Int) throws(MealRefusal) {
        guard owner != customer else { throw .ownRestaurant }
        guard isOpen else { throw .restaurantClosed }
        let place = GeoPoint(latitude: card.latitude, longitude: card.longitude)
        let metres = place.metres(to: GeoPoint(latitude: destination.latitude, longitude: destination.longitude))
        guard metres <= Double(radius) else { throw .tooFar(maximumMetres: radius) }
    }
}
