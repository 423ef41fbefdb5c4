extension OrderSnapshot {
    /// How an admin's decision about a report ended an order.
    public struct Outcome: Codable, Hashable, Sendable {
        public var decision: ReportDecided.Decision
        /// What the customer gets back of the price; the rest is the provider's.
        public var toCustomer: Money
        /// The admin's words.
        public var reason: String

        public init(decision: ReportDecided.Decision, toCustomer: Money, reason: String) {
            self.decision = decision
            self.toCustomer = toCustomer
            self.reason = reason
        }
    }
}
