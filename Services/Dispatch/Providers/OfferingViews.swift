import Contracts
import Hummingbird
import ServiceKit

/// The services that a provider's title allows, with those that he or she offers.
struct OfferingListView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let service: String
        /// The service's type, and its name.
        let type: String?
        let typeName: String?
        let name: String
        let brief: String
        /// The path of the picture.
        let image: String
        let chosen: Bool
        /// In minor units; only for chosen services.
        let price: Int?
    }

    let currency: String
    let offerings: [Item]

    init(_ items: [ListProviderOfferings.Item], of market: Market, currency: String, _ language: Language) {
        self.currency = currency
        offerings = items.map { item in
            let type = market.serviceTypes.first { $0.services.contains { $0.id == item.service.id } }
            return Item(
                service: item.service.id, type: type?.id, typeName: type?.name.text(in: language.rawValue),
                name: item.service.name.text(in: language.rawValue),
                brief: item.service.brief.text(in: language.rawValue),
                image: ServiceImages.path(item.service.image, in: market),
                chosen: item.price != nil, price: item.price)
        }
    }
}
