import Contracts
import Hummingbird
import ServiceKit

struct MarketView: ResponseEncodable, Encodable, Sendable {
    struct Settings: Encodable, Sendable {
        let acceptWindowSeconds: Int
        let paymentWindowSeconds: Int
        let arrivalWindowSeconds: Int
        let completionWindowSeconds: Int
        let confirmationWindowSeconds: Int
        let searchWindowSeconds: Int
        let offerWindowSeconds: Int
        let assignmentWindowSeconds: Int
        let finePerKilometre: Int
        let noShowWaitSeconds: Int
        let startEarlySeconds: Int
        let searchRadiusMetres: Int
        let nearbyMetres: Int
        let paymentMethods: [String]
        /// `08:00-20:00` in the market's zone, or `always`.
        let openingHours: String
        let serviceArea: [Coordinate]
    }

    struct Label: Encodable, Sendable {
        let customer: String
        let provider: String
    }

    /// Reason for a report.
    struct ReportReason: Encodable, Sendable {
        let id: String
        let text: String
        /// Parties that may use it.
        let parties: [String]
    }

    /// A kind of order that the market offers.
    struct Kind: Encodable, Sendable {
        let kind: String
        let name: String
        let matching: String
        let paying: String
    }

    struct Title: Encodable, Sendable {
        let id: String
        let name: String
    }

    let id: String
    let name: String
    let currency: String
    let languages: [String]
    let timeZone: String
    let kinds: [Kind]
    let settings: Settings
    /// Keyed by an order's state.
    let labels: [String: Label]
    let titles: [Title]
    /// Text to show before a report.
    let reportNote: String
    let reportReasons: [ReportReason]

    init(_ market: Market, _ settings: MarketSettings, _ language: Language) {
        let language = language.rawValue
        id = market.id
        name = market.name.text(in: language)
        currency = settings.currency
        languages = settings.languages
        timeZone = settings.timeZone
        kinds = market.kinds.map { kind in
            Kind(
                kind: kind.id, name: kind.name.text(in: language), matching: kind.matching.rawValue,
                paying: kind.paying.rawValue)
        }
        self.settings = Settings(
            acceptWindowSeconds: settings.acceptWindowSeconds, paymentWindowSeconds: settings.paymentWindowSeconds,
            arrivalWindowSeconds: settings.arrivalWindowSeconds,
            completionWindowSeconds: settings.completionWindowSeconds,
            confirmationWindowSeconds: settings.confirmationWindowSeconds,
            searchWindowSeconds: settings.searchWindowSeconds, offerWindowSeconds: settings.offerWindowSeconds,
            assignmentWindowSeconds: settings.assignmentWindowSeconds, finePerKilometre: settings.finePerKilometre,
            noShowWaitSeconds: settings.noShowWaitSeconds, startEarlySeconds: settings.startEarlySeconds,
            searchRadiusMetres: settings.searchRadiusMetres, nearbyMetres: settings.nearbyMetres,
            paymentMethods: settings.paymentMethods, openingHours: settings.text(of: .openingHours),
            serviceArea: settings.serviceArea)
        labels = Dictionary(
            market.labels.map { state, label in
                (
                    state.rawValue,
                    Label(customer: label.customer.text(in: language), provider: label.provider.text(in: language))
                )
            }, uniquingKeysWith: { first, _ in first })
        titles = market.titles.map { Title(id: $0.id, name: $0.name.text(in: language)) }
        reportNote = Market.reportNote.text(in: language)
        reportReasons = market.reportReasons.map { reason in
            ReportReason(
                id: reason.id, text: reason.text.text(in: language), parties: reason.parties.map(\.rawValue).sorted())
        }
    }
}
