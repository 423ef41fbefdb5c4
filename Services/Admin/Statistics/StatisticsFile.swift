import Contracts
import ServiceKit

/// How a market did as a file, one line for each day, week or month: people, orders, times, ratings and money.
struct StatisticsFile: Sendable {
    let statistics: StatisticsView
    /// Of the same days.
    let money: MoneyView
    let period: StatisticsPeriod

    private static let states = OrderSnapshot.State.allCases

    private static let columns: [LocalizedText] = [
        ["en": "From", "ar": "من"], ["en": "Days", "ar": "الأيام"], ["en": "New accounts", "ar": "الحسابات الجديدة"],
        ["en": "Requested orders", "ar": "الطلبات المقدمة"],
    ]
    private static let times: [LocalizedText] = [
        ["en": "Accepted orders", "ar": "الطلبات المقبولة"],
        ["en": "Mean seconds until accepted", "ar": "متوسط الثواني حتى القبول"],
        ["en": "Completed orders", "ar": "الطلبات المكتملة"],
        ["en": "Mean seconds until completed", "ar": "متوسط الثواني حتى الإكمال"],
        ["en": "Ratings by customers", "ar": "تقييمات العملاء"],
        ["en": "Mean stars by customers", "ar": "متوسط نجوم العملاء"],
        ["en": "Ratings by providers", "ar": "تقييمات مقدمي الخدمة"],
        ["en": "Mean stars by providers", "ar": "متوسط نجوم مقدمي الخدمة"],
        ["en": "Ratings by restaurants", "ar": "تقييمات المطاعم"],
        ["en": "Mean stars by restaurants", "ar": "متوسط نجوم المطاعم"],
        ["en": "Revenue in minor units", "ar": "الإيراد بالوحدة الصغرى"],
        ["en": "Of it in cash in minor units", "ar": "منه نقدًا بالوحدة الصغرى"],
        ["en": "Commission in minor units", "ar": "العمولة بالوحدة الصغرى"],
        ["en": "Paid to providers in minor units", "ar": "المدفوع لمقدمي الخدمة بالوحدة الصغرى"],
        ["en": "Given back in minor units", "ar": "المُعاد بالوحدة الصغرى"], ["en": "Currency", "ar": "العملة"],
    ]

    func text(in language: Language, market: Market) -> String {
        let states = Self.states.map { market.label(of: $0, for: .admin, in: language.rawValue) }
        let head =
            Self.columns.map { $0.text(in: language.rawValue) } + states
            + Self.times.map { $0.text(in: language.rawValue) }
        let figures = Dictionary(uniqueKeysWithValues: money.days.map { ($0.day, $0.figures) })
        let lines = period.grouped(statistics.days, \.day).map { group in
            CSVLine.text(line(group.period, group.days, figures))
        }
        return CSVLine.byteOrderMark + CSVLine.text(head.map { .text($0) }) + lines.joined()
    }

    private func line(
        _ name: String, _ days: [StatisticsView.Day], _ figures: [String: MoneyView.Figures]
    ) -> [CSVLine.Cell] {
        var money = MoneyView.Figures()
        for day in days { if let figures = figures[day.day] { money.add(figures) } }
        let orders = days.reduce(into: [String: Int]()) { $0.merge($1.orders, uniquingKeysWith: +) }
        let (accepted, acceptance) = Self.mean(days, { ($0.accepted, $0.meanAcceptanceSeconds) })
        let (completed, completion) = Self.mean(days, { ($0.completed, $0.meanCompletionSeconds) })
        var cells: [CSVLine.Cell] = [
            .text(name), .number(days.count), .number(days.reduce(0) { $0 + $1.registered }),
            .number(orders.values.reduce(0, +)),
        ]
        cells += Self.states.map { .number(orders[$0.rawValue] ?? 0) }
        cells += [.number(accepted), .number(acceptance), .number(completed), .number(completion)]
        cells += Self.stars(days.compactMap(\.starsByCustomers)) + Self.stars(days.compactMap(\.starsByProviders))
        cells += Self.stars(days.compactMap(\.starsByMerchants))
        cells += [
            .number(money.revenue), .number(money.cash), .number(money.commission), .number(money.paidToProviders),
            .number(money.released), .text(self.money.currency),
        ]
        return cells
    }

    /// The number of orders, and their mean time: each day's counts as often as its orders.
    private static func mean(
        _ days: [StatisticsView.Day], _ value: (StatisticsView.Day) -> (count: Int, seconds: Int?)
    ) -> (count: Int, seconds: Int?) {
        var (count, mean) = (0, Mean())
        for day in days {
            let (orders, seconds) = value(day)
            count += orders
            if let seconds, orders > 0 { mean.add(Double(seconds * orders), of: orders) }
        }
        return (count, mean.count > 0 ? Int(mean.mean.rounded()) : nil)
    }

    private static func stars(_ days: [StatisticsView.Stars]) -> [CSVLine.Cell] {
        var mean = Mean()
        for day in days { mean.add(day.mean * Double(day.count), of: day.count) }
        guard mean.count > 0 else { return [.number(0), .text(nil)] }
        return [.number(mean.count), .text("\((mean.mean * 100).rounded() / 100)")]
    }
}
