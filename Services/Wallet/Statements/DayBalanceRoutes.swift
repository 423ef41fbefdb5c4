import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// Serves the ledger's sums by day. They belong to no market, so only admins of all markets may read them.
struct DayBalanceRoutes {
    let parts: WalletParts

    func add(to group: RouterGroup<AuthenticatedContext>) {
        group.get("ledger/days") { request, context in
            DayBalancesView(try await balances(request, context))
        }
        group.get("ledger/days.csv") { request, context in
            let head = ["day", "currency", "kind", "creditsMinorUnits", "debitsMinorUnits", "balanceMinorUnits"]
            let lines = try await balances(request, context).lines.map { line in
                CSVLine.text([
                    .text(line.day), .text(line.currency), .text(line.kind), .number(line.credits),
                    .number(line.debits), .number(line.balance),
                ])
            }
            let text = CSVLine.byteOrderMark + CSVLine.text(head.map { .text($0) }) + lines.joined()
            return Response.csv(name: "ledger-days", body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }

    /// `?from=2026-03-01&to=2026-03-31`, both days included; the last thirty days by default.
    private func balances(_ request: Request, _ context: AuthenticatedContext) async throws -> DayBalances {
        try context.caller.require("admin", in: "*")
        let query = QueryForm(request)
        let today = Self.start(of: parts.clock())
        let last = query.day("to") ?? today
        let first = query.day("from") ?? last.addingTimeInterval(-29 * 86_400)
        if first > last { query.reject("to", "ends-before-it-begins") }
        if last.timeIntervalSince(first) >= Double(DayBalances.maximumDays) * 86_400 {
            query.reject("from", "too-many-days", ["maximum": String(DayBalances.maximumDays)])
        }
        try query.finish()
        return try await DayBalances.between(first, last.addingTimeInterval(86_400), parts.pool)
    }

    private static func start(of date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400)
    }
}

extension QueryForm {
    /// A day such as `2026-03-01`, as its start in UTC.
    func day(_ name: String) -> Date? {
        guard let text = self[name].map(TypedText.asciiDigits) else { return nil }
        guard text.utf8.count == 10, let date = Timestamp.parse("\(text)T00:00:00Z"),
            Timestamp.text(date).hasPrefix(text)
        else {
            reject(name, "not-a-day")
            return nil
        }
        return date
    }
}

struct DayBalancesView: ResponseEncodable, Sendable {
    struct Line: Encodable, Sendable {
        let kind: String
        let credits: Int
        let debits: Int
        /// The balance at the day's end.
        let balance: Int
    }

    struct Day: Encodable, Sendable {
        let day: String
        let currency: String
        /// The sum of all kinds; zero when the ledger is sound.
        let sum: Int
        let kinds: [Line]
    }

    let items: [Day]

    init(_ balances: DayBalances) {
        let groups = Dictionary(grouping: balances.lines) { "\($0.day) \($0.currency)" }
        items = groups.sorted { $0.key < $1.key }.compactMap { _, lines in
            lines.first.map { first in
                Day(
                    day: first.day, currency: first.currency, sum: lines.map(\.balance).reduce(0, +),
                    kinds: lines.map {
                        Line(kind: $0.kind, credits: $0.credits, debits: $0.debits, balance: $0.balance)
                    })
            }
        }
    }
}
