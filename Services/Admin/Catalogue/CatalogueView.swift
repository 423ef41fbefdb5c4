import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// A section of a market's catalogue in its admins' view.
struct CatalogueView: ResponseEncodable, Sendable {
    let market: String
    let section: String
    /// Whether the market's admins can add entries to this section, and retire them.
    let open: Bool
    /// The texts that an entry must have, and those that it may have.
    let required: [String]
    let optional: [String]
    let languages: [String]
    /// The currency in which the market sets prices of its services; nil where providers set them.
    let currency: String?
    /// In the order of display.
    let items: [CatalogueEntryView]

    init(
        _ section: CatalogueEntry.Section, of catalogue: MarketCatalogue, _ settings: EffectiveSettings,
        names: [UUID: String]
    ) {
        market = catalogue.market.id
        self.section = section.rawValue
        open = section.isOpen
        required = section.requiredTexts.map(\.rawValue)
        optional = section.optionalTexts.map(\.rawValue)
        languages = MarketSettings.knownLanguages
        currency = section == .services && catalogue.setsPrices ? settings.settings.currency : nil
        items = catalogue.section(section).map { CatalogueEntryView($0, of: catalogue, settings, names: names) }
    }
}

struct CatalogueEntryView: ResponseEncodable, Sendable {
    let section: String
    let id: String
    /// False for a retired entry.
    let active: Bool
    let position: Int
    /// By the text's name, then by language.
    let texts: [String: LocalizedText]
    /// The path of the picture.
    let image: String?
    /// Whether an admin uploaded the picture.
    let uploaded: Bool?
    let type: String?
    let titles: [String]?
    let minutes: Int?
    /// Minor units; nil where the market sets none.
    let price: Int?
    let spellings: [String]?
    let ambiguous: Bool?
    let parties: [String]?
    /// Whether only the words may be changed, because programs decide by the entry.
    let fixed: Bool
    /// Whether an admin has added it.
    let added: Bool
    /// 0 if the entry was never changed.
    let version: Int
    let changedBy: PersonView?
    let changedAt: Date?

    init(
        _ entry: CatalogueEntry, of catalogue: MarketCatalogue, _ settings: EffectiveSettings, names: [UUID: String]
    ) {
        let row = catalogue.row(of: entry.key)
        section = entry.section.rawValue
        id = entry.id
        active = entry.active
        position = entry.position
        texts = entry.texts
        image = entry.image.map { CatalogueEntry.imagePath(of: $0, in: catalogue.market.id) }
        uploaded = entry.image.map(CatalogueEntry.isUploaded)
        type = entry.type
        titles = entry.titles
        minutes = entry.minutes
        price = entry.section == .services ? settings.settings.servicePrices[entry.id] : nil
        spellings = entry.spellings
        ambiguous = entry.ambiguous
        parties = entry.parties?.map(\.rawValue)
        fixed = catalogue.isFixed(entry.key)
        added = catalogue.isAdded(entry.key)
        version = catalogue.version(of: entry.key, settings)
        changedBy = row.map { PersonView(account: $0.changedBy.text, name: names[$0.changedBy]) }
        changedAt = row?.changedAt
    }
}
