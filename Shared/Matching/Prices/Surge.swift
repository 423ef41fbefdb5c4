/// How much more a quote costs where more orders wait than providers are free (C7).
public struct Surge: Hashable, Sendable {
    /// A market's rule. Percents are whole: 150 is one and a half times the price.
    public struct Rule: Hashable, Sendable {
        /// No surge goes beyond it; at least 100. 100 is a market without surge.
        public var capPercent: Int
        /// Fewer waiting orders than this are chance.
        public var leastWaiting: Int
        /// Added for each waiting order a free provider beyond the first.
        public var percentPerOrder: Int
        /// The surge goes up in steps of this; at least 1.
        public var stepPercent: Int
        /// Which orders and providers count: those this near.
        public var radiusMetres: Int

        public init(
            capPercent: Int, leastWaiting: Int = 3, percentPerOrder: Int = 50, stepPercent: Int = 10,
            radiusMetres: Int = 3_000
        ) {
            self.capPercent = capPercent
            self.leastWaiting = leastWaiting
            self.percentPerOrder = percentPerOrder
            self.stepPercent = stepPercent
            self.radiusMetres = radiusMetres
        }
    }

    /// Orders that wait for somebody near the place.
    public let waiting: Int
    /// Providers near the place who could be asked.
    public let free: Int
    /// What the customer pays: 100 is the plain price; never above the cap.
    public let percent: Int
    /// What it would be without the cap.
    public let uncappedPercent: Int

    public var isCapped: Bool { percent < uncappedPercent }

    public init(waiting: Int, free: Int, rule: Rule) {
        let (waiting, free) = (max(0, waiting), max(0, free))
        self.waiting = waiting
        self.free = free
        var wanted = 100
        if waiting >= rule.leastWaiting, waiting > free {
            // Nobody free is as if there were one: each order beyond the first counts whole.
            let providers = max(1, free)
            let (more, overflow) = (waiting - providers).multipliedReportingOverflow(by: max(0, rule.percentPerOrder))
            let exact = overflow ? Int.max / 2 : more / providers
            let step = max(1, rule.stepPercent)
            wanted += exact / step * step
        }
        uncappedPercent = wanted
        percent = min(wanted, max(100, rule.capPercent))
    }

    /// Counts those around a place.
    public init(at place: GeoPoint, waiting: some Sequence<GeoPoint>, free: some Sequence<GeoPoint>, rule: Rule) {
        let center = UnitVector(place)
        let limit = UnitVector.squaredChord(metres: Double(rule.radiusMetres))
        func isNear(_ other: GeoPoint) -> Bool { UnitVector(other).squaredChord(to: center) <= limit }
        self.init(waiting: waiting.count(where: isNear), free: free.count(where: isNear), rule: rule)
    }
}
