import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A restaurant in the list of a market's admins.
struct MerchantView: Encodable, Sendable {
    struct Owner: Encodable, Sendable {
        let account: String
        let name: String
    }

    let restaurant: String
    let name: String
    let owner: Owner
    let state: String
    /// Why an admin has closed it.
    let closedReason: String?
    let isVerified: Bool
    let isBanned: Bool
    /// On its menu.
    let items: Int
    /// The mean of one to five stars; nil before the first rating.
    let rating: Double?
    let ratings: Int
    let changedAt: Date

    init(_ merchant: Merchant, _ language: Language) {
        let card = merchant.restaurant.card
        restaurant = merchant.restaurant.id.text
        name = LocalName.names(card.name, card.arabicName)[language.rawValue] ?? card.name
        owner = Owner(account: merchant.restaurant.owner.text, name: merchant.ownerName)
        state = merchant.state.rawValue
        closedReason = merchant.closedReason
        isVerified = merchant.isVerified
        isBanned = merchant.isBanned
        items = merchant.items
        rating = OrderView.Standing(merchant.standing).average
        ratings = merchant.standing.count
        changedAt = merchant.restaurant.changedAt
    }
}

/// A restaurant with its card and its whole menu, also what is not on offer in the market's currency.
struct MerchantDetailsView: ResponseEncodable, Encodable, Sendable {
    let merchant: MerchantView
    let page: RestaurantView
}
