import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// The places of a market for everybody, with the words of both languages, so that a kept list serves both.
struct NamedPlaceListView: Encodable, Sendable {
    struct Category: Encodable, Sendable {
        let id: String
        let name: String
    }

    struct Item: Encodable, Sendable {
        let id: String
        let city: String
        let category: String
        let name: String
        let names: LocalizedText
        let latitude: Double
        let longitude: Double
        /// As the crow flies from where was asked; nil where nothing was.
        let metres: Int?

        init(_ place: NamedPlace, metres: Double? = nil, _ language: Language) {
            id = place.id
            city = place.city
            category = place.category.rawValue
            name = place.name(in: language.rawValue)
            names = place.names
            latitude = place.latitude
            longitude = place.longitude
            self.metres = metres.map { Int($0.rounded()) }
        }
    }

    /// Grows with each change of the market's places.
    let revision: Int
    let categories: [Category]
    let items: [Item]

    init(revision: Int, _ items: [Item], _ language: Language) {
        self.revision = revision
        categories = NamedPlace.Category.allCases.map {
            Category(id: $0.rawValue, name: $0.name(in: language.rawValue))
        }
        self.items = items
    }
}

/// A place in its admins' view.
struct MarketPlaceView: ResponseEncodable, Sendable {
    let id: String
    let city: String
    let category: String
    let names: LocalizedText
    let latitude: Double
    let longitude: Double
    let active: Bool
    /// 0 if it was never changed.
    let version: Int
    let changedBy: PersonView?
    let changedAt: Date?

    init(_ place: NamedPlace, of places: MarketPlaces, names admins: [UUID: String]) {
        let row = places.row(of: place.id)
        id = place.id
        city = place.city
        category = place.category.rawValue
        names = place.names
        latitude = place.latitude
        longitude = place.longitude
        active = place.isActive
        version = places.version(of: place.id)
        changedBy = row.map { PersonView(account: $0.changedBy.text, name: admins[$0.changedBy]) }
        changedAt = row?.changedAt
    }
}

struct MarketPlaceListView: ResponseEncodable, Sendable {
    let items: [MarketPlaceView]
}

extension NamedPlace {
    var names: LocalizedText { ["en": english, "ar": arabic] }
}
