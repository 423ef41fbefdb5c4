import Contracts
import Hummingbird
import ServiceKit

/// The market's service types with their services.
struct ServiceListView: ResponseEncodable, Encodable, Sendable {
    struct ServiceType: Encodable, Sendable {
        let id: String
        let name: String
        let brief: String
        /// The path of the picture.
        let image: String
        let services: [Service]
    }

    struct Service: Encodable, Sendable {
        let id: String
        let name: String
        let brief: String
        /// The path of the picture.
        let image: String
        let instructions: String
        let requirements: String
        /// Titles that may perform it; empty means all.
        let titles: [String]
        /// Minor units; nil if each provider sets the price.
        let price: Int?
        let minutes: Int

        init(_ service: Market.Service, in market: Market, price: Int?, _ language: String) {
            id = service.id
            name = service.name.text(in: language)
            brief = service.brief.text(in: language)
            image = ServiceImages.path(service.image, in: market)
            instructions = service.instructions.text(in: language)
            requirements = service.requirements.text(in: language)
            titles = service.titles.sorted()
            self.price = price
            minutes = service.minutes
        }
    }

    let items: [ServiceType]

    init(_ market: Market, _ settings: MarketSettings, _ language: Language) {
        let language = language.rawValue
        items = market.serviceTypes.map { type in
            ServiceType(
                id: type.id, name: type.name.text(in: language), brief: type.brief.text(in: language),
                image: ServiceImages.path(type.image, in: market),
                services: type.services.map { service in
                    Service(service, in: market, price: settings.servicePrices[service.id], language)
                })
        }
    }
}
