public import Foundation

/// One round of an area's matching: all waiting orders and all providers near them.
///
/// It has two steps, because travel times are requested in between: ``init(now:orders:providers:settings:)`` finds the
/// candidates of each order, and ``decide(_:)`` weighs them. Both are pure, and the results do not depend on the order
/// of the input.
public struct Round: Sendable {
    /// The question for the travel times of some providers to an order. A round's questions are independent, so all can
    /// be asked at once.
    public struct Question: Hashable, Sendable {
        public let order: UUID
        public let destination: GeoPoint
        /// At most ``RoundSettings/candidatesPerOrder``, those with the smallest great-circle distance.
        public let origins: [GeoPoint]
        /// Each origin's index in ``Round/providers``.
        let providers: [Int]
    }

    public let now: Int
    /// Sorted by id.
    public let orders: [RoundOrder]
    /// Sorted by id.
    public let providers: [RoundProvider]
    public let settings: RoundSettings
    /// One for each order, in the same sequence; for an order without candidates one without origins.
    public let questions: [Question]
    /// For each order and provider, row by row; nil for a candidate.
    let rules: [RoundRule?]

    public init(now: Int, orders: [RoundOrder], providers: [RoundProvider], settings: RoundSettings) {
        let orders = orders.sorted { $0.id < $1.id }
        let providers = providers.sorted { $0.id < $1.id }
        var rules: [RoundRule?] = []
        rules.reserveCapacity(orders.count * providers.count)
        var questions: [Question] = []
        let screen = Screen(now: now, providers: providers, kinds: Set(orders.map(\.kind)), settings: settings)
        for order in orders {
            var row = screen.rules(for: order)
            let candidates = screen.nearest(order, &row)
            rules += row
            questions.append(
                Question(
                    order: order.id, destination: order.place, origins: candidates.map { providers[$0].place },
                    providers: candidates))
        }
        self.now = now
        self.orders = orders
        self.providers = providers
        self.settings = settings
        self.questions = questions
        self.rules = rules
    }

    /// The rule that excludes one of ``providers`` for one of ``orders``, both by index; nil for a candidate.
    public func rule(_ provider: Int, for order: Int) -> RoundRule? { rules[order * providers.count + provider] }

    /// Whether the search time of an order is over.
    public func isOver(_ order: RoundOrder) -> Bool { settings.isSearchOver(order, now: now) }

    /// - Parameter travelSeconds: the answer to each of ``questions``, in their sequence: the seconds from each origin,
    ///   nil without a way. A missing or too short answer counts as no way.
    public func decide(_ travelSeconds: [[Int?]]) -> RoundDecisions {
        var weighed = [RoundCost?](repeating: nil, count: rules.count)
        var table = CostTable(columns: providers.count, without: orders.map(costWithout))
        for (row, question) in questions.enumerated() where row < travelSeconds.count {
            for (number, seconds) in zip(question.providers, travelSeconds[row]) {
                guard let seconds else { continue }
                let cost = RoundCost(travelSeconds: seconds, providers[number], now: now, settings)
                weighed[row * providers.count + number] = cost
                table[row, number] = cost.total
            }
        }
        let assignment = Assignment(cheapest: table)
        let outcomes = orders.indices.map { row in
            let hasCandidates = providers.indices.contains { table[row, $0] != nil }
            return outcome(orders[row], assignment.columns[row].map { providers[$0].id }, hasCandidates: hasCandidates)
        }
        return RoundDecisions(round: self, outcomes: outcomes, weighed: weighed, assignment: assignment, costs: table)
    }

    /// More than the largest difference between two providers, so that as many orders as possible get a provider;
    /// higher for orders that have waited longer.
    private func costWithout(_ order: RoundOrder) -> Int {
        Self.withoutSeconds + max(0, now - order.requestedAt) * settings.agePriorityPerMinute / 60
    }

    /// As seconds on the way: eleven days.
    private static let withoutSeconds = 1_000_000

    private func outcome(_ order: RoundOrder, _ provider: UUID?, hasCandidates: Bool) -> RoundDecisions.Outcome {
        if settings.isSearchOver(order, now: now) { return .giveUp }
        if let provider { return .offer(to: provider, until: now + settings.offerSeconds) }
        let waited = now - order.stageSince >= settings.widenAfterSeconds
        if order.stage + 1 < settings.radiiMetres.count, !hasCandidates || waited { return .widen(to: order.stage + 1) }
        return .wait
    }
}

extension RoundSettings {
    func isSearchOver(_ order: RoundOrder, now: Int) -> Bool {
        order.searchEndsAt.map { now >= $0 } ?? (now - order.requestedAt >= searchSeconds)
    }

    /// The radius of a stage; beyond the last stage the last radius.
    func radius(_ stage: Int) -> Int {
        radiiMetres.isEmpty ? 0 : radiiMetres[min(max(0, stage), radiiMetres.count - 1)]
    }
}
