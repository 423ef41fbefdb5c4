import Contracts
import Foundation

/// Stars that a rating gives to somebody.
struct GivenStars: Hashable, Sendable {
    /// The role in which somebody was rated. A courier who also owns a restaurant has a sum for each (B2).
    enum Part: String, Sendable { case customer, provider, merchant }

    let account: UUID
    let market: String
    let role: Part
    /// 1...5.
    let stars: Int

    /// A customer's stars for the person are the courier's and those for the service the restaurant's. Where nobody
    /// carried the meal, both are the restaurant's: those for the service count, if there are some.
    static func of(_ rating: RatingGiven) -> [GivenStars] {
        func stars(_ account: UUID, _ part: Part, _ stars: Int) -> GivenStars {
            GivenStars(account: account, market: rating.market, role: part, stars: stars)
        }
        guard rating.by != .provider else { return [stars(rating.to, .customer, rating.stars)] }
        guard let merchant = rating.merchant else { return [stars(rating.to, .provider, rating.stars)] }
        if merchant == rating.to { return [stars(merchant, .merchant, rating.serviceStars ?? rating.stars)] }
        return [stars(rating.to, .provider, rating.stars)]
            + (rating.serviceStars.map { [stars(merchant, .merchant, $0)] } ?? [])
    }
}

extension Role {
    /// The role in which a person is rated; nil for an admin.
    var ratedAs: GivenStars.Part? {
        switch kind {
        case .customer: .customer
        case .provider: sells ? .merchant : .provider
        case .admin, .support: nil
        }
    }
}
