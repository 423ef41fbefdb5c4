/// The increase of a quote where more orders wait than providers are free (C7).
public struct Surge: Hashable, Sendable {
    /// A market's rule. Percents are whole numbers: 150 is one and a half times the price.
    public struct Rule: Hashable, Sendable {
        /// The highest surge; at least 100. 100 means no surge.
        public var capPercent: Int
        /// With fewer waiting orders there is no surge.
        public var leastWaiting: Int
        /// Added for each waiting order beyond one for each free provider.
        public var percentPerOrder: Int
        /// The surge is a multiple of this step; at least 1.
        public var stepPercent: Int
        /// Orders and providers within this distance count.
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

    /// Orders that wait near the place.
    public let waiting: Int
    /// Free providers near the place.
    public let free: Int
    /// The price in percent of the plain price; never above the cap.
    public let percent: Int
    /// The percentage without the cap.
    public let uncappedPercent: Int

    public var isCapped: Bool { percent < uncappedPercent }

    public init(waiting: Int, free: Int, rule: Rule) {
        let (waiting, free) = (max(0, waiting), max(0, free))
        self.waiting = waiting
        self.free = free
        var wanted = 100
        if waiting >= rule.leastWaiting, waiting > free {
            // No free provider counts as one: each order beyond the first counts whole.
            let providers = max(1, free)
            let (more, overflow) = (waiting - providers).multipliedReportingOverflow(by: max(0, rule.percentPerOrder))
            let exact = overflow ? Int.max / 2 : more / providers
            let step = max(1, rule.stepPercent)
            wanted += exact / step * step
        }
        uncappedPercent = wanted
        percent = min(wanted, max(100, rule.capPercent))
    }

    /// Counts the orders and providers around a place.
    public init(at place: GeoPoint, waiting: some Sequence<GeoPoint>, free: some Sequence<GeoPoint>, rule: Rule) {
        let center = UnitVector(place)
        let limit = UnitVector.squaredChord(metres: Double(rule.radiusMetres))
        func isNear(_ other: GeoPoint) -> Bool { UnitVector(other).squaredChord(to: center) <= limit }
        self.init(waiting: waiting.count(where: isNear), free: free.count(where: isNear), rule: rule)
    }
}
