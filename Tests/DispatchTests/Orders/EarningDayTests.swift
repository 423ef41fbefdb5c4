import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O11: what providers have earned, by day and week", .timeLimit(.minutes(15)))
struct EarningDayTests {
    private static func row(
        _ day: String, _ amount: Int, tips: Int = 0, kind: String = "ride"
    ) throws
        -> ListEarningsOfDays.Row
    {
        ListEarningsOfDays.Row(
            day: try #require(LocalDay(day)),
            sums: Earnings(kind: kind, currency: "AUD", count: 1, amount: amount, returned: 0, tips: tips))
    }

    @Test("B7, O8: weeks begin on Monday, also over the end of a year; each kind is added up apart, the newest first")
    func weeks() throws {
        // 2026-12-28 is a Monday.
        let rows = [
            try Self.row("2027-01-04", 5), try Self.row("2027-01-03", 100, tips: 7), try Self.row("2026-12-28", 30),
            try Self.row("2026-12-28", 9, kind: "food"), try Self.row("2026-12-27", 1),
        ]
        let weeks = EarningPeriod.grouped(rows, byWeek: true)
        #expect(weeks.map(\.first.text) == ["2027-01-04", "2026-12-28", "2026-12-21"])
        #expect(weeks[1].last.text == "2027-01-03")
        #expect(
            weeks[1].sums == [
                Earnings(kind: "food", currency: "AUD", count: 1, amount: 9),
                Earnings(kind: "ride", currency: "AUD", count: 2, amount: 130, returned: 0, tips: 7),
            ])
        let days = EarningPeriod.grouped(rows, byWeek: false)
        #expect(days.map(\.first.text) == ["2027-01-04", "2027-01-03", "2026-12-28", "2026-12-27"])
        #expect(days.allSatisfy { $0.first == $0.last })
    }

    @Test("B7, O8: what is paid out, refunded and tipped counts in the day on which the order ended, once each")
    func days() async throws {
        try await OrderServer.with { server async throws in
            let world = server.world
            let noura = try await world.addProvider()
            let order = try await world.order(in: .completed, nil, noura)
            let tip = TipGiven(
                order: order.id, market: "assef", customer: order.customer.account, provider: noura,
                amount: Money(amount: 20, currency: order.currency), at: Date())
            let refund = PaymentRefunded(
                refund: .timeOrdered(), order: order.id, market: "assef", customer: order.customer.account,
                amount: Money(amount: 30, currency: order.currency), to: .wallet, fundedBy: .provider, funder: noura,
                reason: "Late", by: .timeOrdered(), at: Date())
            try await world.pool.withTransaction { transaction in
                try await world.operations.recordPayment(
                    .paymentCaptured(.init(method: "card", version: 3, earned: 100)), of: order.id,
                    at: .thisMillisecond, in: transaction)
            }
            for _ in 0..<2 {
                try await world.pool.withTransaction { transaction in
                    try await world.operations.recordTip(tip, at: .thisMillisecond, in: transaction)
                }
            }
            try await world.pool.withTransaction { transaction in
                try await world.operations.recordRefund(refund, at: .thisMillisecond, in: transaction)
            }
            let provider = try await server.person(noura, roles: ["provider"])
            for period in ["day", "week"] {
                let answer = try await server.get("/dispatch/v1/markets/assef/earnings?by=\(period)", as: provider)
                #expect(answer.status == 200, "\(answer.json)")
                let periods = try Self.array(answer["periods"])
                let sums = try Self.array(periods.first?["items"])
                #expect(periods.count == 1 && sums.count == 1)
                for sum in sums + answer.items {
                    #expect(sum["orders"]?.int == 1 && sum["amount"]?["amount"]?.int == 70, "\(sum)")
                    #expect(sum["returned"]?["amount"]?.int == 30 && sum["tips"]?["amount"]?.int == 20, "\(sum)")
                    #expect(sum["kindName"]?.text?.isEmpty == false)
                }
                #expect(answer["since"]?.text?.count == 10)
            }
            let plain = try await server.get("/dispatch/v1/markets/assef/earnings", as: provider)
            #expect(plain["periods"] == nil && plain.items.count == 1)
            let long = try await server.get(
                "/dispatch/v1/markets/assef/earnings?by=day&from=2026-01-01&to=2026-12-31", as: provider)
            #expect(long.status == 400, "\(long.json)")
            let customer = try await server.customer()
            #expect(try await server.get("/dispatch/v1/markets/assef/earnings", as: customer).status == 403)
        }
    }

    private static func array(_ value: JSONValue?) throws -> [JSONValue] {
        guard case .array(let items)? = value else { throw Missing(json: "\(value ?? .null)") }
        return items
    }

    private struct Missing: Error { let json: String }
}
