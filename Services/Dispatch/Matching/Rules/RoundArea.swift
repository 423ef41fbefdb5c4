import Matching

/// Scope of one round: the orders of a market that begin in one cell of a tenth of a degree (about 11 km).
struct RoundArea: Hashable, Sendable {
    let market: String
    let cell: Int

    init(market: String, cell: Int) {
        self.market = market
        self.cell = cell
    }

    init(market: String, latitude: Double, longitude: Double) {
        self.init(
            market: market,
            cell: Int(((latitude + 90) * 10).rounded(.down)) * 10_000 + Int(((longitude + 180) * 10).rounded(.down)))
    }
}

extension Order {
    /// Name of the needed work in rounds; nil for kinds that the platform does not search for.
    var searchKind: String? {
        switch particulars {
        case .ride(let ride)?: Self.searchKind(kind, isLarge: ride.size == .xl)
        case .food?: kind
        // A hire from a rack needs no driver.
        case .bike? where kind == Workflow.bikeDropOff.kind: kind
        default: nil
        }
    }

    static func searchKind(_ kind: String, isLarge: Bool) -> String { isLarge ? "\(kind)-xl" : kind }
}
