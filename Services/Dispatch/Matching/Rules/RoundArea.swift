import Matching

/// What one round is for: the orders of a market that begin in one cell of a tenth of a degree, some eleven kilometres.
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
    /// What has to be done, as a round names it; nil of kinds that the platform does not search for.
    var searchKind: String? {
        switch particulars {
        case .ride(let ride)?: Self.searchKind(kind, isLarge: ride.size == .xl)
        case .food?: kind
        // Of a bike from a rack nobody is searched for.
        case .bike? where kind == Workflow.bikeDropOff.kind: kind
        default: nil
        }
    }

    static func searchKind(_ kind: String, isLarge: Bool) -> String { isLarge ? "\(kind)-xl" : kind }
}
