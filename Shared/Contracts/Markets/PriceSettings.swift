extension MarketSettings {
    /// Prices of distance and time for one class, such as `regular` and `xl`, in minor units.
    public struct Tariff: Hashable, Sendable {
        public var base: Int
        public var perKilometre: Int
        public var perMinute: Int
        /// The lowest price.
        public var minimum: Int

        public init(base: Int, perKilometre: Int, perMinute: Int, minimum: Int) {
            self.base = base
            self.perKilometre = perKilometre
            self.perMinute = perMinute
            self.minimum = minimum
        }
    }

    /// The rule that raises quotes where more orders wait than providers are free. Percents are whole numbers.
    public struct SurgeRule: Hashable, Sendable {
        /// The highest surge; 100 for none.
        public var capPercent: Int
        /// With fewer waiting orders there is no surge.
        public var leastWaiting: Int
        /// Added for each waiting order beyond one for each free provider.
        public var percentPerOrder: Int
        /// The surge is a multiple of this step.
        public var stepPercent: Int
        /// Orders and providers within this distance count.
        public var radiusMetres: Int

        public init(
            capPercent: Int = 100, leastWaiting: Int = 3, percentPerOrder: Int = 50, stepPercent: Int = 10,
            radiusMetres: Int = 3_000
        ) {
            self.capPercent = capPercent
            self.leastWaiting = leastWaiting
            self.percentPerOrder = percentPerOrder
            self.stepPercent = stepPercent
            self.radiusMetres = radiusMetres
        }
    }

    static let tariffForm =
        "CLASS=BASE,PER KILOMETRE,PER MINUTE,MINIMUM in minor units; up to 10, separated by spaces; or none"
    static let surgeForm = "CAP 100-500,LEAST WAITING 1-1000,PER ORDER 0-500,STEP 1-100,RADIUS 100-50000 METRES"

    static func tariffs(_ text: String, _ key: Key) throws(Refusal) -> [String: Tariff] {
        if text == "none" { return [:] }
        let refusal = Refusal(key: key, allowed: tariffForm)
        var tariffs: [String: Tariff] = [:]
        for entry in text.split(separator: " ") {
            let parts = entry.split(separator: "=")
            guard parts.count == 2, (1...40).contains(parts[0].utf8.count), let tariff = Tariff(parts[1]),
                parts[0].utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) })
            else { throw refusal }
            guard tariffs.updateValue(tariff, forKey: String(parts[0])) == nil else { throw refusal }
        }
        guard (1...10).contains(tariffs.count) else { throw refusal }
        return tariffs
    }

    static func text(of tariffs: [String: Tariff]) -> String {
        guard !tariffs.isEmpty else { return "none" }
        return tariffs.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    }

    static func surge(_ text: String, _ key: Key) throws(Refusal) -> SurgeRule {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int(plain: $0) }
        guard numbers.count == 5, let cap = numbers[0], let least = numbers[1], let perOrder = numbers[2],
            let step = numbers[3], let radius = numbers[4], (100...500).contains(cap), (1...1_000).contains(least),
            (0...500).contains(perOrder), (1...100).contains(step), (100...50_000).contains(radius)
        else { throw Refusal(key: key, allowed: surgeForm) }
        return SurgeRule(
            capPercent: cap, leastWaiting: least, percentPerOrder: perOrder, stepPercent: step, radiusMetres: radius)
    }
}

extension MarketSettings.Tariff {
    /// Parses `300,120,35,700`. Older texts have two more numbers, for waiting, which were never charged. They are
    /// ignored, and written as zeros while there are programs that expect six numbers.
    init?(_ text: some StringProtocol) {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = texts.compactMap { Int(plain: $0) }
        guard texts.count == 4 || texts.count == 6, numbers.count == texts.count,
            numbers.allSatisfy((0...1_000_000).contains)
        else { return nil }
        self.init(
            base: numbers[0], perKilometre: numbers[1], perMinute: numbers[2], minimum: numbers[3])
    }

    var text: String {
        [base, perKilometre, perMinute, minimum, 0, 0].map(String.init)
            .joined(separator: ",")
    }
}

extension MarketSettings.SurgeRule {
    var text: String {
        [capPercent, leastWaiting, percentPerOrder, stepPercent, radiusMetres].map(String.init).joined(separator: ",")
    }
}
