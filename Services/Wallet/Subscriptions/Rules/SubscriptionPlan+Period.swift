import Foundation

extension SubscriptionPlan {
    /// How long a paid period lasts: a number of days, weeks or months.
    struct Period: RawRepresentable, Hashable, Sendable {
        enum Unit: String, Sendable, CaseIterable {
            case days = "D"
            case weeks = "W"
            case months = "M"

            /// A month has 30 days, so a year of twelve has 360 (C8).
            var days: Int {
                switch self {
                case .days: 1
                case .weeks: 7
                case .months: 30
                }
            }
        }

        /// The shortest and the longest period: a day, and three years.
        static let allowedDays = 1...1_080
        static let monthly = Period(known: 1, .months)
        static let yearly = Period(known: 12, .months)

        let count: Int
        let unit: Unit

        /// - Returns: nil for a period that is too short or too long.
        init?(_ count: Int, _ unit: Unit) {
            guard (1...Self.allowedDays.upperBound).contains(count), Self.allowedDays.contains(count * unit.days) else {
                return nil
            }
            self.init(known: count, unit)
        }

        private init(known count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }

        // The equality of `RawRepresentable` asks for the raw value, which asks for equality.
        static func == (one: Period, other: Period) -> Bool { one.count == other.count && one.unit == other.unit }

        func hash(into hasher: inout Hasher) {
            hasher.combine(count)
            hasher.combine(unit)
        }

        var days: Int { count * unit.days }
        var seconds: Double { Double(days) * 86_400 }
    }
}

extension SubscriptionPlan.Period {
    /// `monthly`, `yearly`, or a duration of ISO 8601 such as `P10D`, `P2W` and `P3M`.
    var rawValue: String {
        switch self {
        case .monthly: "monthly"
        case .yearly: "yearly"
        default: "P\(count)\(unit.rawValue)"
        }
    }

    /// Also reads `P1M` and `P12M`, which are the two that have words.
    init?(rawValue: String) {
        switch rawValue {
        case "monthly": self = .monthly
        case "yearly": self = .yearly
        default:
            guard let match = rawValue.wholeMatch(of: /P([1-9][0-9]{0,3})([DWM])/), let count = Int(match.1),
                let unit = Unit(rawValue: String(match.2))
            else { return nil }
            self.init(count, unit)
        }
    }
}
