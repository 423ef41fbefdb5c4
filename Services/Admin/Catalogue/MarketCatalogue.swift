import Contracts
import Foundation
import Postgres
import ServiceKit

/// A market's catalogue as it is now: the market's file with what admins have changed.
struct MarketCatalogue: Sendable {
    /// The market with the changes.
    let market: Market
    /// In the order of display.
    let entries: [CatalogueEntry]
    private let rows: [CatalogueEntry.Key: CatalogueRow]
    private let inFile: [CatalogueEntry.Key: CatalogueEntry]

    /// - Parameter rows: of this market.
    init(_ file: Market, _ rows: [CatalogueRow]) {
        var changed: [CatalogueEntry] = []
        var known: [CatalogueEntry.Key: CatalogueRow] = [:]
        for row in rows {
            guard let entry = row.entry else { continue }
            changed.append(entry)
            known[entry.key] = row
        }
        market = file.with(changed)
        // Places are unique in a section but where the file got entries later; there the older one stays first.
        entries = market.catalogue.enumerated()
            .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
        inFile = Dictionary(file.catalogue.map { ($0.key, $0) }) { first, _ in first }
        self.rows = known
    }

    func section(_ section: CatalogueEntry.Section) -> [CatalogueEntry] { entries.filter { $0.section == section } }

    func entry(_ key: CatalogueEntry.Key) -> CatalogueEntry? { entries.first { $0.key == key } }

    func row(of key: CatalogueEntry.Key) -> CatalogueRow? { rows[key] }

    /// What an entry's `If-Match` is compared with; 0 for an entry that nobody has changed. Where the market sets the prices of
    /// its services they are a part of each, so that a change of the setting counts as one of the entry.
    func version(of key: CatalogueEntry.Key, _ settings: EffectiveSettings) -> Int {
        let own = rows[key]?.version ?? 0
        return key.section == .services && setsPrices ? max(own, settings.version(of: .servicePrices)) : own
    }

    /// Whether an admin has added the entry.
    func isAdded(_ key: CatalogueEntry.Key) -> Bool { inFile[key] == nil }

    /// Whether programs decide by the entry, so that only its words may change: "another reason" and the platform's own
    /// reasons, and titles without services, such as drivers.
    func isFixed(_ key: CatalogueEntry.Key) -> Bool {
        guard key.section.isOpen else { return true }
        guard let entry = inFile[key] else { return false }
        return switch key.section {
        case .reportReasons: key.id == Market.ReportReason.other.id || entry.parties?.isEmpty != false
        case .titles: market.defaults.servicePrices.isEmpty && inFile.keys.allSatisfy { $0.section != .services }
        case .serviceTypes, .services, .labels, .kinds: false
        }
    }

    /// Whether the market sets the prices of its services; elsewhere their providers do.
    var setsPrices: Bool { !market.defaults.servicePrices.isEmpty }

    /// Ids that stand for something else where a new entry of the section would be read.
    static func isTaken(_ id: String, in section: CatalogueEntry.Section) -> Bool {
        switch section {
        case .reportReasons: OrderSnapshot.reasons.contains(id)
        case .titles: Market.all.contains { $0.titles.contains { $0.id == id } }
        case .services:
            [OrderSnapshot.Service.meal, OrderSnapshot.Service.delivery, OrderSnapshot.Service.minimumRating]
                .contains(id)
        case .serviceTypes, .labels, .kinds: false
        }
    }
}

extension AdminRoutes {
    /// The market with what its admins have changed of its catalogue; nil where this program does not know it.
    func live(_ id: String) async throws -> Market? {
        guard let market = Market.named(id) else { return nil }
        return MarketCatalogue(market, try await pool.query(ListCatalogue(market: id))).market
    }
}
