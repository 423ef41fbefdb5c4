import Foundation

/// A ban: the account may do nothing in one market or in all (I11).
struct Ban: Hashable, Sendable {
    /// ``Role/everyMarket`` for all markets.
    let market: String
    let reason: String
    /// Nil for a permanent ban.
    let until: Date?

    func holds(at now: Date) -> Bool { until.map { $0 > now } ?? true }

    /// Whether the ban applies to this market.
    func covers(_ market: String) -> Bool { self.market == Role.everyMarket || self.market == market }
}

extension Account {
    /// The ban that blocks the account in a market; a ban for all markets comes first.
    func ban(in market: String, at now: Date) -> Ban? {
        let held = bans.filter { $0.covers(market) && $0.holds(at: now) }
        return held.first { $0.market == Role.everyMarket } ?? held.first
    }

    /// The ban that blocks the account in all markets.
    func banEverywhere(at now: Date) -> Ban? { ban(in: Role.everyMarket, at: now) }

    /// The roles without those that a ban blocks.
    func roles(at now: Date) -> [Role] { roles.filter { ban(in: $0.market, at: now) == nil } }

    /// Whether it is an admin's, or of the support of some market.
    var isStaff: Bool { roles.contains(where: \.isStaff) }

    var isMasterAdmin: Bool { role(.admin, in: Role.everyMarket) != nil }
}
