import Contracts
import Foundation
import Matching

/// Values of a market's settings and kinds in the form that rounds use.
extension Market {
    /// Kinds of searched orders that a provider may do: by title, and the larger ones by vehicle.
    func searchKinds(title: String?, vehicle: String?) -> Set<String> {
        let own = kinds.filter { kind in
            kind.matching == .auto && (kind.titles.isEmpty || title.map(kind.titles.contains) ?? false)
        }.map(\.id)
        let isLarge = vehicle == Order.Ride.Size.xl.rawValue
        return Set(own + (isLarge ? own.map { Order.searchKind($0, isLarge: true) } : []))
    }
}

extension Market {
    /// Whether the platform searches for providers of a title.
    func isSearchedFor(title: String?) -> Bool { !searchKinds(title: title, vehicle: nil).isEmpty }
}

extension RoundSettings {
    /// - Parameter freshness: maximum age of a position, in seconds.
    init(_ settings: MarketSettings, freshness: TimeInterval) {
        self.init()
        let radius = settings.searchRadiusMetres
        radiiMetres = [max(1, radius / 5), max(1, radius / 2), radius]
        searchSeconds = settings.searchWindowSeconds
        offerSeconds = settings.offerWindowSeconds
        freshSeconds = Int(freshness)
    }

    /// Metres.
    func radius(ofStage stage: Int) -> Int { radiiMetres[min(max(0, stage), radiiMetres.count - 1)] }
}

extension RoundOrder {
    /// - Parameter stage: replaces the stage of the search.
    init(_ row: ListSearches.Row, stage: Int? = nil) {
        self.init(
            id: row.order, customer: row.customer, place: row.place, kind: row.kind,
            requestedAt: Int(row.beganAt.timeIntervalSince1970), stage: stage ?? row.stage,
            stageSince: Int(row.stageSince.timeIntervalSince1970), declined: Set(row.declined),
            searchEndsAt: row.endsAt.map { Int($0.timeIntervalSince1970.rounded(.up)) })
    }
}

extension RoundProvider {
    /// - Parameter found: the provider's entry in the index. The stored position is more exact, but may be older.
    init(_ row: ReadRoundProviders.Row, found: PlaceIndex.Found, in market: Market, isOpen: Bool) {
        var facts: Facts = []
        if row.isBanned { facts.insert(.banned) }
        if !row.isVerified { facts.insert(.unverified) }
        if !row.isSubscribed { facts.insert(.unsubscribed) }
        if !row.isAvailable || row.isLeaving { facts.insert(.unavailable) }
        if row.isBusy { facts.insert(row.isAsked ? .onOffer : .busy) }
        if !isOpen { facts.insert(.outOfHours) }
        let at = max(found.at, row.last?.at ?? .distantPast)
        self.init(
            id: row.account, place: row.last?.place ?? found.place, placeAt: Int(at.timeIntervalSince1970),
            facts: facts,
            kinds: market.searchKinds(title: row.title, vehicle: row.vehicle),
            waitingSince: Int((row.waitingSince ?? at).timeIntervalSince1970),
            rating: row.ratings == 0 ? nil : row.stars * 100 / row.ratings)
    }
}
