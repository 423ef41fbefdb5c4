import Foundation
import Hummingbird
import Messaging
import ServiceKit

/// The sales by day and item, with the refunds.
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
        /// Completed on this day, as far as they are still kept.
        let orders: Int
        /// In minor units, before the platform's commission and after refunds.
        let amount: Int
        /// The refunds of this day's sales.
        let returned: Int
        let items: [Item]
    }

    let currency: String
    let count: Int
    let orders: Int
    let amount: Int
    let returned: Int
    /// The newest first; days without a sale are left out.
    let days: [Day]

    init(
        _ rows: [SalesRow], returns: [ListReturns.Row], orders: [(day: String, count: Int)] = [], currency: String
    ) {
        self.currency = currency
        let back = Dictionary(returns.map { ($0.day, $0.amount) }, uniquingKeysWith: +)
        let made = Dictionary(orders.map { ($0.day, $0.count) }, uniquingKeysWith: +)
        let byDay = Dictionary(grouping: rows, by: \.day)
        days = Set(byDay.keys).union(back.keys).sorted(by: >).map { day in
            let rows = byDay[day] ?? []
            let returned = back[day] ?? 0
            return Day(
                day: day, count: rows.reduce(0) { $0 + $1.count }, orders: made[day] ?? 0,
                amount: rows.reduce(0) { $0 + $1.amount } - returned, returned: returned,
                items: rows.map { Item(item: $0.item.text, name: $0.name, count: $0.count, amount: $0.amount) })
        }
        count = days.reduce(0) { $0 + $1.count }
        self.orders = days.reduce(0) { $0 + $1.orders }
        amount = days.reduce(0) { $0 + $1.amount }
        returned = days.reduce(0) { $0 + $1.returned }
    }
}
