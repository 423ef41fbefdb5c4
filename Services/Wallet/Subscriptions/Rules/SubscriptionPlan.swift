import Foundation

/// What a provider can subscribe to in a market.
struct SubscriptionPlan: Hashable, Sendable {
    enum Period: String, Sendable, CaseIterable {
        case monthly, yearly

        /// A month is 30 days, a year 360 (C8).
        var days: Int {
            switch self {
            case .monthly: 30
            case .yearly: 360
            }
        }

        var seconds: Double { Double(days) * 86_400 }
    }

    let id: UUID
    let market: String
    let currency: String
    let period: Period
    /// By language.
    var name: [String: String]
    /// By language.
    var brief: [String: String]
    /// Minor units, above zero.
    var price: Int
    /// When an admin ended it: who has it keeps it to the end of what was paid.
    var endedAt: Date?

    /// What has changed since somebody was shown this price; nil when it still holds.
    func change(since price: Int) -> PlanChange? {
        if endedAt != nil { return .ended }
        return price == self.price ? nil : .price(of: self)
    }
}

/// Why a plan is not what was shown of it any more.
enum PlanChange: Error, Hashable {
    case ended
    case price(of: SubscriptionPlan)
}
