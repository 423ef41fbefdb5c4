import Foundation
import Matching

/// Why nothing is ordered of a restaurant.
enum MealRefusal: Error, Equatable {
    /// What the menu says now of something that was ordered.
    struct Change: Hashable, Sendable {
        let item: UUID
        /// Its place in the cart.
        let index: Int
        /// Nil for what is not sold any more.
        let name: String?
        let price: Int?
    }

    case restaurantClosed
    case tooFar(maximumMetres: Int)
    case ownRestaurant
    /// The quote is for the way from another place.
    case otherQuote
    /// Not what the customer has seen.
    case menuChanged([Change])
}

/// What is ordered of a menu.
struct Cart: Hashable, Sendable {
    static let items = 1...50
    static let counts = 1...50

    struct Entry: Hashable, Sendable {
        let item: UUID
        let count: Int
        /// Of one, in minor units, as the customer has seen it.
        let price: Int
    }

    /// Each item once.
    let entries: [Entry]

    /// The items as the menu has them.
    ///
    /// - Throws: ``MealRefusal/menuChanged(_:)`` with each that is gone, or costs something else than the customer has seen.
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
    /// Whether a customer may order there now.
    ///
    /// - Parameter radius: how far a meal is carried, as the crow flies; metres.
    func check(for customer: UUID, at destination: Order.Place, within radius: Int) throws(MealRefusal) {
        guard owner != customer else { throw .ownRestaurant }
        guard isOpen else { throw .restaurantClosed }
        let place = GeoPoint(latitude: card.latitude, longitude: card.longitude)
        let metres = place.metres(to: GeoPoint(latitude: destination.latitude, longitude: destination.longitude))
        guard metres <= Double(radius) else { throw .tooFar(maximumMetres: radius) }
    }
}
