import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Changes entries of a market's catalogue. The change, its audit entry and its event are one transaction.
struct ChangeCatalogue: Sendable {
    /// The entries of a section at most.
    static let maximumEntries = 100

    enum Act: String, CaseIterable, Sendable {
        case added, changed, retired, restored, moved, pictured

        /// In the audit log.
        var name: String { "catalogue.\(rawValue)" }
    }

    let market: Market
    let admin: UUID
    let at: Date

    /// - Parameters:
    ///   - key: the entry that the act is about.
    ///   - expected: the version that the admin has seen; nil skips the check.
    ///   - touches: whether the entry counts as changed in any case, because something beside it changes.
    ///   - change: gives the entries as they are to be; those that are as before are left alone.
    /// - Returns: the catalogue after the change.
    /// - Throws: ``Problem``: 404 for an entry that there is not; 412 if it was changed meanwhile.
    func callAsFunction(
        _ act: Act, _ key: CatalogueEntry.Key, expected: Int? = nil, touches: Bool = false,
        in transaction: PostgresTransaction,
        _ change: (MarketCatalogue) throws -> [CatalogueEntry]
    ) async throws -> MarketCatalogue {
        let list = ListCatalogue(market: market.id)
        // Locked first, so that the following list sees the latest commits.
        let (versions, rows, settings) = try await transaction.queryAll(
            LockMarketVersion(market: market.id), list, ListSettings(market: market.id))
        let catalogue = MarketCatalogue(market, rows)
        let before = catalogue.entry(key)
        guard before != nil || act == .added else { throw Problem.notFound }
        let present = catalogue.version(of: key, EffectiveSettings(market, settings))
        if let expected, expected != present { throw Self.changedMeanwhile(present) }
        let changed = try change(catalogue).filter {
            $0 != catalogue.entry($0.key) || touches && $0.key == key
        }
        guard !changed.isEmpty else { return catalogue }
        let version = (versions.first ?? 0) + 1
        transaction.send(SetMarketVersion(market: market.id, version: version))
        for entry in changed {
            transaction.send(try StoreEntry(entry, in: market.id, version: version, by: admin, at: at))
        }
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: at, market: market.id, service: AdminService.name, action: act.name,
                    account: admin, subject: "\(key.section.rawValue)/\(key.id)",
                    before: try before.map { PostgresJSON(try JSON.wire.encode($0)) },
                    after: try changed.first { $0.key == key }.map { PostgresJSON(try JSON.wire.encode($0)) })))
        try transaction.publish(
            CatalogueChanged(market: market.id, entries: changed, version: version, by: admin, at: at))
        return MarketCatalogue(market, try await transaction.query(list))
    }

    /// The entries of a section with one of them before another, or at the end, in new places.
    static func moved(
        _ id: String, before other: String?, in section: [CatalogueEntry]
    ) -> [CatalogueEntry] {
        guard let moving = section.first(where: { $0.id == id }), id != other else { return [] }
        var order = section.filter { $0.id != id }
        order.insert(moving, at: order.firstIndex { $0.id == other } ?? order.endIndex)
        return order.enumerated().map { index, entry in
            var entry = entry
            entry.position = index + 1
            return entry
        }
    }

    private static func changedMeanwhile(_ version: Int) -> Problem {
        Problem(
            "catalogue-changed", status: .preconditionFailed, arguments: ["version": String(version)],
            extensions: ["version": .integer(Int64(version))])
    }
}
