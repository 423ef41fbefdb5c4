import Foundation

/// A plan that providers of a market can subscribe to.
struct SubscriptionPlan: Hashable, Sendable {
    enum Period: String, Sendable, CaseIterable {
        case monthly, yearly

        /// A month has 30 days, a year 360 (C8).
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
    /// When an admin ended the plan. Paid periods continue to their end.
    var endedAt: Date?

    /// What changed since the price was shown; nil when the price still holds.
    func change(since price: Int) -> PlanChange? {
        if endedAt != nil { return .ended }
        return price == self.price ? nil : .price(of: self)
    }
}

/// Why a plan differs from what was shown.
enum PlanChange: Error, Hashable {
    case ended
    case price(of: SubscriptionPlan)
}
