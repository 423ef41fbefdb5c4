import Foundation
import Postgres

/// The trial balance of each currency at the end of each day: what each kind of accounts took in and gave, and had then.
/// Days are UTC's.
struct DayBalances: Sendable {
    struct Line: Sendable, Hashable {
        let day: String
        let currency: String
        let kind: String
        let credits: Int
        let debits: Int
        /// At the day's end.
        let balance: Int
    }

    static let maximumDays = 366

    /// By day, currency and kind. Days without a movement of a currency have no lines of it.
    let lines: [Line]

    /// One snapshot: the balances of now, and back from there day by day, so that nothing older than `start` is read.
    ///
    /// - Parameter end: the first moment that is no longer in it.
    static func between(_ start: Date, _ end: Date, _ pool: PostgresPool) async throws -> DayBalances {
        try await pool.withTransaction(.readOnly) { transaction in
            let (kinds, movements) = try await transaction.queryAll(SumAccounts(), SumDays(start: start, end: end))
            return DayBalances(kinds, movements)
        }
    }

    /// - Parameter movements: all since the first day; the day without a name is later than all others.
    init(_ now: [KindBalance], _ movements: [DayMovement]) {
        var lines: [Line] = []
        for account in now {
            var balance = account.balance
            let own = movements.filter { $0.currency == account.currency && $0.kind == account.kind }
            let byDay = Dictionary(own.map { ($0.day, $0) }) { first, _ in first }
            if let later = byDay[""] { balance -= later.credits - later.debits }
            // A kind is shown on each day on which its currency moved, so that a day's lines add up.
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
