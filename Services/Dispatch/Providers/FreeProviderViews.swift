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

    init(
        _ providers: [FindFreeProviders.FreeProvider], services: [String], _ market: Market,
        currency: String, _ language: Language
    ) {
        let titles = Dictionary(market.titles.map { ($0.id, $0.name) }) { first, _ in first }
        items = providers.map { provider in
            let candidate = provider.candidate
            let prices = Dictionary(candidate.offerings.map { ($0.service, $0.price) }) { first, _ in first }
            return Item(
                provider: candidate.account.text, name: candidate.name, title: candidate.title,
                titleName: candidate.title.flatMap { titles[$0]?.text(in: language.rawValue) },
                gender: candidate.gender,
                rating: candidate.ratings > 0
                    ? (Double(candidate.stars) / Double(candidate.ratings) * 100).rounded() / 100 : nil,
                ratingCount: candidate.ratings,
                prices: services.compactMap { service in prices[service].map { Price(service: service, price: $0) } },
                total: Money(amount: candidate.offerings.map(\.price).reduce(0, +), currency: currency),
                metresAway: provider.way.metres, secondsAway: provider.way.seconds)
        }
    }
}

extension FreeProviderListView: UsuallyWritten {
    /// Written by hand, because it is the largest of the most frequent answers.
    var usualBody: [UInt8]? {
        var json = UsualObject(capacity: 512 * (items.count + 1))
        json.add("items", items) { item, json in
            json.add("provider", word: item.provider)
            json.add("name", text: item.name)
            if let title = item.title { json.add("title", text: title) }
            if let titleName = item.titleName { json.add("titleName", text: titleName) }
            if let gender = item.gender { json.add("gender", text: gender) }
            if let rating = item.rating { json.add("rating", decimal: rating) }
            json.add("ratingCount", item.ratingCount)
            json.add("prices", item.prices) { price, json in
                json.add("service", text: price.service)
                json.add("price", price.price)
            }
            json.add("total") { item.total.write(&$0) }
            json.add("metresAway", item.metresAway)
            json.add("secondsAway", item.secondsAway)
        }
        return json.end()
    }
}

/// The places of free providers, without identity.
struct NearbyListView: ResponseEncodable, Encodable, Sendable {
    let items: [PlaceView]
}
