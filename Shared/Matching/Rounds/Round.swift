public import Foundation

/// One round of an area's matching: all orders that wait, all providers near them.
///
/// It is decided in two steps, since travel times have to be asked for in between: ``init(now:orders:providers:settings:)``
/// finds who may be weighed for what, ``decide(_:)`` weighs them. Both are pure, and what they say does not depend on
/// the order in which orders and providers are told.
public struct Round: Sendable {
    /// How long do these providers need to this order? The questions of a round are independent of each other, so all
    /// can be asked at once.
    public struct Question: Hashable, Sendable {
        public let order: UUID
        public let destination: GeoPoint
        /// At most ``RoundSettings/candidatesPerOrder``, the nearest as the crow flies.
        public let origins: [GeoPoint]
        /// Of each origin, as a number in ``Round/providers``.
        let providers: [Int]
    }

    public let now: Int
    /// By id.
    public let orders: [RoundOrder]
    /// By id.
    public let providers: [RoundProvider]
    public let settings: RoundSettings
    /// One for each order, in the same sequence; an order without candidates has one without origins.
    public let questions: [Question]
    /// Of each order and provider, row after row; nil is a candidate.
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

    /// What keeps one of ``providers`` from one of ``orders``, both by number; nil for a candidate.
    public func rule(_ provider: Int, for order: Int) -> RoundRule? { rules[order * providers.count + provider] }

    /// Whether an order has been searched for long enough.
    public func isOver(_ order: RoundOrder) -> Bool { settings.isSearchOver(order, now: now) }

    /// - Parameter travelSeconds: the answer to each of ``questions``, in their sequence: the seconds from each origin,
    ///   nil where there is no way. A missing answer, or one that is too short, counts as no way.
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

    /// More than any two providers can differ in, so that as many orders as possible have somebody; and more the longer
    /// the order has waited.
    private func costWithout(_ order: RoundOrder) -> Int {
        Self.withoutSeconds + max(0, now - order.requestedAt) * settings.agePriorityPerMinute / 60
    }

    /// Eleven days on the way.
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

    /// Of a stage; beyond the last one it stays the last.
    func radius(_ stage: Int) -> Int {
        radiiMetres.isEmpty ? 0 : radiiMetres[min(max(0, stage), radiiMetres.count - 1)]
    }
}
