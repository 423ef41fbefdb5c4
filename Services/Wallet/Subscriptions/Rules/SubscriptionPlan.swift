import Foundation

/// A plan that providers of a market can subscribe to.
struct SubscriptionPlan: Hashable, Sendable {
    let id: UUID
    let market: String
    let currency: String
    var period: Period
    /// By language.
    var name: [String: String]
    /// By language.
    var brief: [String: String]
    /// Minor units, above zero.
    var price: Int
    /// When an admin ended the plan. Paid periods continue to their end.
    var endedAt: Date?

    /// The change since the price and the period were shown; nil when both still hold.
    ///
    /// - Parameter period: nil when only the price was shown.
    func change(since price: Int, period: Period? = nil) -> PlanChange? {
        if endedAt != nil { return .ended }
        if price != self.price { return .price(of: self) }
        return period == nil || period == self.period ? nil : .period(of: self)
    }
}

/// Why a plan differs from what was shown.
enum PlanChange: Error, Hashable {
    case ended
    case price(of: SubscriptionPlan)
    case period(of: SubscriptionPlan)
}
