import Contracts
import Hummingbird
import ServiceKit

/// A market's money by day. All amounts are in minor units of `currency`.
struct MoneyView: ResponseEncodable, Sendable {
    struct Figures: Encodable, Sendable {
        /// Orders requested on the day, by their current state.
        var orders: [String: Int] = [:]
        /// Orders completed on the day, whenever they were requested.
        var completed = 0
        /// Captured on the day, including cash.
        var revenue = 0
        /// The part of the revenue in cash.
        var cash = 0
        /// The platform's share of the revenue.
        var commission = 0
        /// The providers' share of the revenue; for cash, the part that they keep.
        var paidToProviders = 0
        /// Holds that were released.
        var released = 0

        var requested: Int { orders.values.reduce(0, +) }

        mutating func add(_ other: Figures) {
            orders.merge(other.orders, uniquingKeysWith: +)
            completed += other.completed
            revenue += other.revenue
            cash += other.cash
            commission += other.commission
            paidToProviders += other.paidToProviders
            released += other.released
        }

        private enum Keys: String, CodingKey {
            case requested, orders, completed, revenue, cash, commission, paidToProviders, released
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(requested, forKey: .requested)
            try container.encode(orders, forKey: .orders)
            try container.encode(completed, forKey: .completed)
            try container.encode(revenue, forKey: .revenue)
            try container.encode(cash, forKey: .cash)
            try container.encode(commission, forKey: .commission)
            try container.encode(paidToProviders, forKey: .paidToProviders)
            try container.encode(released, forKey: .released)
        }
    }

    struct Day: Encodable, Sendable {
        let day: String
        let figures: Figures

        private enum Keys: String, CodingKey { case day }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(day, forKey: .day)
            try figures.encode(to: encoder)
        }
    }

    let market: String
    let currency: String
    let timeZone: String
    let from: String
    let to: String
    /// Every day of the range.
    let days: [Day]
    let total: Figures
    /// On hold at present, independent of the range.
    let heldNow: Int
    /// Promised in cash by running orders at present.
    let cashPromisedNow: Int

    init(of span: MarketDays, figures: [String: Figures], held: Int, promised: Int) {
        let range = span.range
        market = span.market
        currency = span.currency
        timeZone = range.timeZone
        from = range.days.first ?? ""
        to = range.days.last ?? ""
        days = range.days.map { Day(day: $0, figures: figures[$0] ?? Figures()) }
        var total = Figures()
        for day in days { total.add(day.figures) }
        self.total = total
        heldNow = held
        cashPromisedNow = promised
    }

    private static let columns: [LocalizedText] = [
        ["en": "Day", "ar": "اليوم"], ["en": "Requested orders", "ar": "الطلبات المقدمة"],
        ["en": "Completed orders", "ar": "الطلبات المكتملة"],
        ["en": "Revenue in minor units", "ar": "الإيراد بالوحدة الصغرى"],
        ["en": "Of it in cash in minor units", "ar": "منه نقدًا بالوحدة الصغرى"],
        ["en": "Commission in minor units", "ar": "العمولة بالوحدة الصغرى"],
        ["en": "Paid to providers in minor units", "ar": "المدفوع لمقدمي الخدمة بالوحدة الصغرى"],
        ["en": "Given back in minor units", "ar": "المُعاد بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
    ]

    /// One line per day.
    func csv(in language: Language) -> String {
        let head = Self.columns.map { $0.text(in: language.rawValue) }
        let lines = days.map { day in
            CSVLine.text([
                .text(day.day), .number(day.figures.requested), .number(day.figures.completed),
                .number(day.figures.revenue), .number(day.figures.cash), .number(day.figures.commission),
                .number(day.figures.paidToProviders), .number(day.figures.released), .text(currency),
            ])
        }
        return CSVLine.byteOrderMark + CSVLine.text(head.map { .text($0) }) + lines.joined()
    }
}
