import Foundation

/// Who cooks: public information, a menu, and the switch that says whether orders are taken (C5).
struct Restaurant: Sendable, Equatable {
    /// The title of its owner in the market.
    static let title = "restaurant"
    static let maximumItems = 300
    static let preparation = 1...240

    /// What its owner says of it.
    struct Card: Sendable, Equatable {
        var name: String
        var arabicName: String?
        var description: String?
        var latitude: Double
        var longitude: Double
        /// From the acceptance until it is ready.
        var preparationMinutes: Int

        /// Both names as they are searched for, each on a line of its own.
        var searchName: String {
            [name, arabicName].compactMap { $0.map(SearchName.folded) }.joined(separator: "\n")
        }
    }

    let id: UUID
    let market: String
    let owner: UUID
    var card: Card
    var isOpen: Bool
    var changedAt: Date
}

/// Something that can be ordered.
struct MenuItem: Sendable, Equatable {
    /// In minor units. More is a slip of the finger.
    static let prices = 1...1_000_000

    let id: UUID
    var name: String
    var arabicName: String?
    var price: Int
    var ingredients: String?
    var picture: UUID?
    /// ISO 4217, of the price; nil is what the market began with.
    var currency: String?
}

/// Why nothing was changed.
enum RestaurantRefusal: Error, Equatable {
    case notFound
    /// The caller is no verified restaurant of the market.
    case notARestaurant
    /// Nothing can be ordered there yet.
    case emptyMenu
    case tooManyItems
}
