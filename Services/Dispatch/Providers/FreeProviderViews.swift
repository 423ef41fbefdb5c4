import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// The free providers for the chosen services, soonest first.
struct FreeProviderListView: ResponseEncodable, Encodable, Sendable {
    struct Price: Encodable, Sendable {
        let service: String
        let price: Int
    }

    struct Item: Encodable, Sendable {
        let provider: String
        let name: String
        /// The title's id in the market.
        let title: String?
        let titleName: String?
        let gender: String?
        /// The path of the picture, or of the market's logo.
        let avatar: String
        /// The mean of the stars to two decimal places; nil before the first rating.
        let rating: Double?
        let ratingCount: Int
        /// In the order of the requested services.
        let prices: [Price]
        let total: Money
        let metresAway: Int
        let secondsAway: Int
    }

    let items: [Item]
    /// The cursor of the next page; nil on the last one.
    let next: String?

    init(
        _ providers: [FindFreeProviders.FreeProvider], next: String?, services: [String], _ market: Market,
        currency: String, _ language: Language
    ) {
        self.next = next
        let titles = Dictionary(market.allTitles.map { ($0.id, $0) }) { first, _ in first }
        items = providers.map { provider in
            let candidate = provider.candidate
            let prices = Dictionary(candidate.offerings.map { ($0.service, $0.price) }) { first, _ in first }
            return Item(
                provider: candidate.account.text, name: candidate.name, title: candidate.title,
                titleName: candidate.title.flatMap { titles[$0] }?.name(of: candidate.gender)
                    .text(in: language.rawValue),
                gender: candidate.gender, avatar: AvatarPath.path(of: candidate.avatar, in: market.id),
                rating: candidate.ratings > 0
                    ? (Double(candidate.stars) / Double(candidate.ratings) * 100).rounded() / 100 : nil,
                ratingCount: candidate.ratings,
                prices: services.compactMap { service in prices[service].map { Price(service: service, price: $0) } },
                total: Money(amount: candidate.offerings.map(\.price).reduce(0, +), currency: currency),
                metresAway: provider.way.metres, secondsAway: provider.way.seconds)
        }
    }
}

/// The places of free providers, without identity.
struct NearbyListView: ResponseEncodable, Encodable, Sendable {
    let items: [PlaceView]
}
