public import Contracts
public import Foundation
import Messaging

/// What a market says of itself to everybody.
public struct MarketView: Decodable, Sendable {
    public let id: String
    public let name: String
    public let currency: String
    public let languages: [String]
    public let timeZone: String
}

/// A provider among those that a customer may choose.
public struct ProviderListing: Decodable, Sendable {
    public struct Price: Decodable, Sendable {
        public let service: String
        public let price: Int
    }

    public let provider: UUID
    public let name: String
    public let title: String?
    public let gender: String?
    public let rating: Double?
    public let ratingCount: Int?
    public let prices: [Price]
    public let total: Money
    public let metresAway: Int?
    public let secondsAway: Int?
}

extension Items: FastDecodable where Item == ProviderListing {
    static func read(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Items? {
        var items: [ProviderListing]?
        var next: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "items" where items == nil:
                items = try json.array { json throws(FastJSON.UnsupportedJSON) in try ProviderListing(often: &json) }
            case "next" where next == nil: next = try json.text()
            default: try json.skip()
            }
        }
        return items.map { Items(items: $0, next: next) }
    }
}

extension ProviderListing {
    fileprivate init(often json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var provider: UUID?
        var (name, title, gender): (String?, String?, String?)
        var rating: Double?
        var (ratingCount, metresAway, secondsAway): (Int?, Int?, Int?)
        var prices: [Price]?
        var total: Money?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "provider" where provider == nil: provider = try json.id()
            case "name" where name == nil: name = try json.text()
            case "title" where title == nil: title = try json.text()
            case "gender" where gender == nil: gender = try json.text()
            case "rating" where rating == nil: rating = try json.number()
            case "ratingCount" where ratingCount == nil: ratingCount = try json.integer()
            case "prices" where prices == nil:
                prices = try json.array { json throws(FastJSON.UnsupportedJSON) in try Price(often: &json) }
            case "total" where total == nil: total = try Money(usual: &json)
            case "metresAway" where metresAway == nil: metresAway = try json.integer()
            case "secondsAway" where secondsAway == nil: secondsAway = try json.integer()
            default: try json.skip()
            }
        }
        guard let provider, let name, let prices, let total else { throw FastJSON.UnsupportedJSON() }
        self.init(
            provider: provider, name: name, title: title, gender: gender, rating: rating, ratingCount: ratingCount,
            prices: prices, total: total, metresAway: metresAway, secondsAway: secondsAway)
    }
}

extension ProviderListing.Price {
    fileprivate init(often json: inout FastJSON) throws(FastJSON.UnsupportedJSON) {
        var service: String?
        var price: Int?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "service" where service == nil: service = try json.text()
            case "price" where price == nil: price = try json.integer()
            default: try json.skip()
            }
        }
        guard let service, let price else { throw FastJSON.UnsupportedJSON() }
        self.init(service: service, price: price)
    }
}

/// How far the provider is.
public struct TrackingView: Decodable, Sendable {
    public struct Position: Decodable, Sendable {
        public let latitude: Double
        public let longitude: Double
        public let at: Date
    }

    public let position: Position?
    public let metresLeft: Int?
    public let secondsLeft: Int?
}

/// A service with a provider's price, as the provider sets it.
public struct Offering: Codable, Sendable {
    public let service: String
    /// Minor units.
    public let price: Int

    public init(service: String, price: Int) {
        self.service = service
        self.price = price
    }
}
