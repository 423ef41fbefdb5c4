import Foundation
import Postgres

/// The trial balance of each currency by UTC day: credits and debits of each kind of account, and its balance at the
/// day's end.
struct DayBalances: Sendable {
    struct Line: Sendable, Hashable {
        let day: String
        let currency: String
        let kind: String
        let credits: Int
        let debits: Int
        /// The balance at the day's end.
        let balance: Int
    }

    static let maximumDays = 366

    /// Ordered by day, currency and kind. A day without movements in a currency has no lines for it.
    let lines: [Line]

    /// Reads the current balances in one snapshot and calculates backwards day by day, so that nothing before `start`
    /// is read.
    ///
    /// - Parameter end: the end of the period, exclusive.
    static func between(_ start: Date, _ end: Date, _ pool: PostgresPool) async throws -> DayBalances {
        try await pool.withTransaction(.readOnly) { transaction in
            let (kinds, movements) = try await transaction.queryAll(SumAccounts(), SumDays(start: start, end: end))
            return DayBalances(kinds, movements)
        }
    }

    /// - Parameter movements: all movements since the first day; those after the last day have an empty day.
    init(_ now: [KindBalance], _ movements: [DayMovement]) {
        var lines: [Line] = []
        for account in now {
            var balance = account.balance
            let own = movements.filter { $0.currency == account.currency && $0.kind == account.kind }
            let byDay = Dictionary(own.map { ($0.day, $0) }) { first, _ in first }
            if let later = byDay[""] { balance -= later.credits - later.debits }
            // Every kind has a line on each day on which its currency moved, so that a day's lines sum to zero.
            let days = Set(movements.filter { $0.currency == account.currency && !$0.day.isEmpty }.map(\.day))
            for day in days.sorted(by: >) {
                let (credits, debits) = (byDay[day]?.credits ?? 0, byDay[day]?.debits ?? 0)
                lines.append(
                    Line(
                        day: day, currency: account.currency, kind: account.kind, credits: credits, debits: debits,
                        balance: balance))
                balance -= credits - debits
            }
        }
        self.lines = lines.sorted { ($0.day, $0.currency, $0.kind) < ($1.day, $1.currency, $1.kind) }
    }
}
