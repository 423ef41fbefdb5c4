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
        /// Their names, keyed by method.
        let paymentMethodNames: [String: String]
        /// `08:00-20:00` in the market's zone, or `always`.
        let openingHours: String
        let serviceArea: [Coordinate]
        /// Fee of an owner who asks for a carrier with a minimum rating, in minor units; nil where there are no parcels.
        let minimumRatingFee: Int?
        /// How the pay of a late parcel falls; nil where it does not.
        let latePay: LatePay?
    }

    /// How the pay of a late parcel falls.
    struct LatePay: Encodable, Sendable {
        let lowestPercent: Int
        let fallHours: Int
        let roundingHours: Int
        /// The rule in words.
        let text: String
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

    /// Nil where the market has none.
    struct Support: Encodable, Sendable {
        let phone: String?
        let email: String?
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
    /// Retired ones, which nobody takes anew; some people still have them.
    let formerTitles: [Title]
    /// Text to show before a report.
    let reportNote: String
    /// Text to show beside fields in which people write in their own words.
    let freeTextNote: String?
    let reportReasons: [ReportReason]
    /// How people reach the market's support.
    let support: Support

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
            paymentMethods: settings.paymentMethods,
            paymentMethodNames: Dictionary(
                settings.paymentMethods.map { ($0, Market.words(forMethod: $0)?.text(in: language) ?? $0) }
            ) { first, _ in first },
            openingHours: settings.text(of: .openingHours),
            serviceArea: settings.serviceArea,
            minimumRatingFee: market.kind(Market.Workflow.parcel.rawValue) == nil
                ? nil : settings.parcelRates.minimumRatingFee,
            latePay: settings.latePay.map { rule in
                LatePay(
                    lowestPercent: rule.lowestPercent, fallHours: rule.fallHours, roundingHours: rule.roundingHours,
                    text: rule.text.text(in: language))
            })
        labels = Dictionary(
            market.labels.map { state, label in
                (
                    state.rawValue,
                    Label(
                        customer: market.filled(label.customer, provider: nil, in: language),
                        provider: market.filled(label.provider, provider: nil, in: language))
                )
            }, uniquingKeysWith: { first, _ in first })
        titles = market.titles.map { Title(id: $0.id, name: $0.name.text(in: language)) }
        formerTitles = market.formerTitles.map { Title(id: $0.id, name: $0.name.text(in: language)) }
        reportNote = Market.reportNote.text(in: language)
        freeTextNote = market.freeTextNote?.text(in: language)
        support = Support(phone: settings.supportPhone, email: settings.supportEmail)
        reportReasons = market.reportReasons.map { reason in
            ReportReason(
                id: reason.id, text: reason.text.text(in: language), parties: reason.parties.map(\.rawValue).sorted())
        }
    }
}
