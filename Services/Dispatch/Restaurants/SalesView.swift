import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// What was sold, by day and item, and what customers got back of it.
struct SalesView: ResponseEncodable, Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let item: String
        let name: String
        let count: Int
        let amount: Int
    }

    struct Day: Encodable, Sendable {
        let day: String
        let count: Int
        /// Minor units, before the platform's share and without what was given back.
        let amount: Int
        /// What customers got back of what was sold on this day.
        let returned: Int
        let items: [Item]
    }

    let currency: String
    let count: Int
    let amount: Int
    let returned: Int
    /// The newest first; days without a sale are left out.
    let days: [Day]

    init(_ rows: [SalesRow], returns: [ListReturns.Row], currency: String) {
        self.currency = currency
        let back = Dictionary(returns.map { ($0.day, $0.amount) }, uniquingKeysWith: +)
        let byDay = Dictionary(grouping: rows, by: \.day)
        days = Set(byDay.keys).union(back.keys).sorted(by: >).map { day in
            let rows = byDay[day] ?? []
            let returned = back[day] ?? 0
            return Day(
                day: day, count: rows.reduce(0) { $0 + $1.count },
                amount: rows.reduce(0) { $0 + $1.amount } - returned, returned: returned,
                items: rows.map { Item(item: $0.item.text, name: $0.name, count: $0.count, amount: $0.amount) })
        }
        count = days.reduce(0) { $0 + $1.count }
        amount = days.reduce(0) { $0 + $1.amount }
        returned = days.reduce(0) { $0 + $1.returned }
    }
}
