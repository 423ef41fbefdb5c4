extension OrderSnapshot {
    /// The end of an order by an admin's decision about a report.
    public struct Outcome: Codable, Hashable, Sendable {
        public var decision: ReportDecided.Decision
        /// The part of the price that goes back to the customer; the rest is the provider's.
        public var toCustomer: Money
        /// The reason that the admin wrote.
        public var reason: String

        public init(decision: ReportDecided.Decision, toCustomer: Money, reason: String) {
            self.decision = decision
            self.toCustomer = toCustomer
            self.reason = reason
        }
    }

    /// The state whose word people read. A reported visit is over for its parties from the report on, so it keeps that
    /// word when an admin has decided about the money, whoever gets it; the review says what was decided (O3).
    public var labelState: State {
        outcome != nil && Market.Workflow(rawValue: kind) == .visit ? .disputed : state
    }
}
