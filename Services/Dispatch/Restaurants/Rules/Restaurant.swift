import Foundation

/// A restaurant: a public card, a menu, and a switch for taking orders (C5).
struct Restaurant: Sendable, Equatable {
    /// The owner's title in the market.
    static let title = "restaurant"
    static let maximumItems = 300
    static let preparation = 1...240

    /// The data that the owner sets.
    struct Card: Sendable, Equatable {
        var name: String
        var arabicName: String?
        var description: String?
        var latitude: Double
        var longitude: Double
        /// Counted from the acceptance.
        var preparationMinutes: Int
        /// Where people find it, in words.
        var address: String?
        /// E.164.
        var phone: String?
        /// A photo of the owner's.
        var picture: UUID?
        /// When it is usually open; nil where the owner says nothing. The switch decides whether it takes orders.
        var hours: RestaurantHours?

        /// Both names in the form for searching, one per line.
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

/// An item of a menu.
struct MenuItem: Sendable, Equatable {
    /// In minor units. A higher price is taken for a mistake of input.
    static let prices = 1...1_000_000

    let id: UUID
    var name: String
    var arabicName: String?
    var price: Int
    var ingredients: String?
    var picture: UUID?
    /// The price's currency (ISO 4217); nil for the market's original one.
    var currency: String?
}

/// The reasons to refuse a change.
enum RestaurantRefusal: Error, Equatable {
    case notFound
    /// The caller is no restaurant of the market, or opens it before it is verified.
    case notARestaurant
    /// The menu has no item in the market's currency.
    case emptyMenu
    case tooManyItems
    /// What an admin has closed only an admin opens.
    case closedByAdmin(reason: String)
    /// An admin opens one whose owner is not verified, or banned.
    case notVerified
}
