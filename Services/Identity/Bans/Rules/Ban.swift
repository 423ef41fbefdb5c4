import Foundation

/// Why somebody may do nothing in a market, or in any (I11).
struct Ban: Hashable, Sendable {
    /// ``Role/everyMarket`` is all of them.
    let market: String
    let reason: String
    /// Nil is for ever.
    let until: Date?

    func holds(at now: Date) -> Bool { until.map { $0 > now } ?? true }

    /// Whether it says something about this market.
    func covers(_ market: String) -> Bool { self.market == Role.everyMarket || self.market == market }
}

extension Account {
    /// The ban that keeps the account out of a market, the one for all markets first.
    func ban(in market: String, at now: Date) -> Ban? {
        let held = bans.filter { $0.covers(market) && $0.holds(at: now) }
        return held.first { $0.market == Role.everyMarket } ?? held.first
    }

    /// The ban that keeps the account out of everything.
    func banEverywhere(at now: Date) -> Ban? { ban(in: Role.everyMarket, at: now) }

    /// The roles that the account can act in.
    func roles(at now: Date) -> [Role] { roles.filter { ban(in: $0.market, at: now) == nil } }

    var isAdmin: Bool { roles.contains { $0.kind == .admin } }

    var isMasterAdmin: Bool { role(.admin, in: Role.everyMarket) != nil }
}
