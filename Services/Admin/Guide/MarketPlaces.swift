import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// The places of a market's guide: the program's list with what admins have changed and added.
struct MarketPlaces: Sendable {
    let market: String
    let revision: Int
    /// By id.
    private let changed: [String: NamedPlaceRow]
    /// By city as in the list of cities, then by category and name.
    let all: [NamedPlace]

    init(_ market: String, _ rows: [NamedPlaceRow?], revision: Int?) {
        self.market = market
        self.revision = revision ?? 0
        let known = rows.compactMap(\.self)
        changed = Dictionary(known.map { ($0.place.id, $0) }) { first, _ in first }
        let seeds = NamedPlace.seeds(of: market).filter { [changed] seed in changed[seed.id] == nil }
        let cities = Dictionary(GuideCity.all.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let categories = NamedPlace.Category.allCases
        all = (seeds + known.map(\.place)).sorted { left, right in
            let places = [left, right].map { cities[$0.city] ?? cities.count }
            let kinds = [left, right].map { categories.firstIndex(of: $0.category) ?? categories.count }
            return (places[0], kinds[0], left.english, left.id) < (places[1], kinds[1], right.english, right.id)
        }
    }

    static func read(_ market: String, in transaction: PostgresTransaction) async throws -> MarketPlaces {
        let (rows, revisions) = try await transaction.queryAll(
            ListNamedPlaces(market: market), FindPlaceRevision(market: market))
        return MarketPlaces(market, rows, revision: revisions.first)
    }

    func place(_ id: String) -> NamedPlace? { all.first { $0.id == id } }

    func row(of id: String) -> NamedPlaceRow? { changed[id] }

    /// 0 for a place of the program's list that nobody changed.
    func version(of id: String) -> Int { changed[id]?.version ?? 0 }

    /// What everybody is shown, by city, category and a part of a name in either language.
    func shown(in city: String?, _ category: NamedPlace.Category?, named text: String? = nil) -> [NamedPlace] {
        let wanted = text.map { SearchText.folded($0) }
        return all.filter { place in
            guard place.isActive, city == nil || place.city == city, category == nil || place.category == category
            else {
                return false
            }
            guard let wanted else { return true }
            return [place.english, place.arabic].contains { SearchText.folded($0).contains(wanted) }
        }
    }
}

/// Changes or adds a place. The change and its audit entry are one transaction.
struct ChangeNamedPlace: Sendable {
    let market: String
    let admin: UUID
    let at: Date

    /// - Parameters:
    ///   - place: as it is to be.
    ///   - expected: the version that the admin has seen; nil skips the check.
    /// - Throws: ``Problem``: 404 for a place that there is not, 409 for an id that is taken or one place too many, 412 if it
    ///   was changed meanwhile.
    func callAsFunction(
        _ place: NamedPlace, isNew: Bool, expected: Int? = nil, in transaction: PostgresTransaction
    ) async throws -> MarketPlaces {
        // Locked first, so that the following list sees the latest commits.
        let revision = try await transaction.first(NextPlaceRevision(market: market)) ?? 0
        let places = try await MarketPlaces.read(market, in: transaction)
        let before = places.place(place.id)
        if isNew {
            guard before == nil else { throw Problem("place-exists", status: .conflict) }
            guard places.all.count < NamedPlace.maximumCount else {
                throw Problem(
                    "too-many-places", status: .conflict, arguments: ["maximum": String(NamedPlace.maximumCount)])
            }
        } else {
            guard before != nil else { throw Problem.notFound }
            let present = places.version(of: place.id)
            if let expected, expected != present {
                throw Problem(
                    "place-changed", status: .preconditionFailed, arguments: ["version": String(present)],
                    extensions: ["version": .integer(Int64(present))])
            }
        }
        transaction.send(
            StoreNamedPlace(
                market: market,
                row: NamedPlaceRow(place: place, version: revision, changedBy: admin, changedAt: at)))
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: at, market: market, service: AdminService.name,
                    action: isNew ? "place.added" : "place.changed", account: admin, subject: place.id,
                    before: try before.map { PostgresJSON(try JSON.wire.encode($0)) },
                    after: PostgresJSON(try JSON.wire.encode(place)))))
        return try await MarketPlaces.read(market, in: transaction)
    }
}
