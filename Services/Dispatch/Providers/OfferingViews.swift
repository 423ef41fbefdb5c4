import Contracts
import Hummingbird
import ServiceKit

/// The services that a provider's title allows, with those that he or she offers.
struct OfferingListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let service: String
        let name: String
        let brief: String
        let image: String
        let chosen: Bool
        /// In minor units; only for chosen services.
        let price: Int?
    }

    let currency: String
    let offerings: [Item]

    init(_ items: [ListProviderOfferings.Item], currency: String, _ language: Language) {
        self.currency = currency
        offerings = items.map { item in
            Item(
                service: item.service.id, name: item.service.name.text(in: language.rawValue),
                brief: item.service.brief.text(in: language.rawValue), image: item.service.image,
                chosen: item.price != nil, price: item.price)
        }
    }
}
