import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

struct MenuItemView: ResponseEncodable, Encodable, Sendable {
    let item: String
    /// In the reader's language if the name exists in it.
    let name: String
    let names: [String: String]
    /// In minor units.
    let price: Int
    /// The price's currency. The item is on offer only while this is the market's currency.
    let currency: String
    let ingredients: String?
    let picture: String?

    init(_ item: MenuItem, _ prices: PriceCurrency, _ language: Language) {
        currency = item.currency ?? prices.first
        self.item = item.id.text
        names = LocalName.names(item.name, item.arabicName)
        name = names[language.rawValue] ?? item.name
        price = item.price
        ingredients = item.ingredients
        picture = item.picture?.text
    }
}

/// A name with an optional Arabic form.
enum LocalName {
    static func names(_ name: String, _ arabic: String?) -> [String: String] {
        ["en": name, "ar": arabic].compactMapValues { $0 }
    }
}

struct RestaurantListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let restaurant: String
        let name: String
        let description: String?
        let latitude: Double
        let longitude: Double
        let metres: Int
        let preparationMinutes: Int
        let picture: String?
        /// The mean of one to five stars; nil before the first rating.
        let rating: Double?
        let ratings: Int
    }

    let items: [Item]

    init(_ found: [NearRestaurant], _ language: Language) {
        items = found.map { near in
            let card = near.restaurant.card
            return Item(
                restaurant: near.restaurant.id.text,
                name: LocalName.names(card.name, card.arabicName)[language.rawValue] ?? card.name,
                description: card.description, latitude: card.latitude, longitude: card.longitude,
                metres: Int(near.metres.rounded()), preparationMinutes: card.preparationMinutes,
                picture: card.picture?.text,
                rating: near.ratings > 0 ? (Double(near.stars) / Double(near.ratings) * 10).rounded() / 10 : nil,
                ratings: near.ratings)
        }
    }
}

extension RestaurantRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound: .notFound
        case .notARestaurant: Problem("not-a-restaurant", status: .forbidden)
        case .emptyMenu: Problem("empty-menu", status: .conflict)
        case .closedByAdmin(let reason):
            Problem("restaurant-closed-by-admin", status: .conflict, arguments: ["reason": reason])
        case .notVerified: Problem("restaurant-not-verified", status: .conflict)
        case .tooManyItems:
            Problem("too-many-items", status: .conflict, arguments: ["maximum": String(Restaurant.maximumItems)])
        }
    }
}
