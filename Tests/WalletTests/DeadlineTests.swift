import Contracts
import Foundation
import Messaging
import Postgres
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Deadlines of the wallet", .timeLimit(.minutes(15)))
struct DeadlineTests {
    private struct FireRenewal: Statement {
        static let sql: SQL = """
            UPDATE deadlines SET due_at = clock_timestamp() - interval '1 minute'
            WHERE kind = 'subscription.renewal' AND subject = $1
            """
        let period: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(period.text) }
    }

    private struct CountLooks: Statement {
        static let sql: SQL = "SELECT count(*) FROM deadlines WHERE kind = 'wallet.fine-paid'"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
    }

    @Test("W6, O2, C8: a renewal that waits for a wallet keeps no fine's deadline, so who pays it waits for nothing")
    func apart() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let plan = try await wallet.plan(try await wallet.admin())
            try await wallet.give(30_000, to: noura)
            _ = try await wallet.subscribe(noura, to: plan, renews: true)
            let period = try #require(try await wallet.subscription(of: noura).period)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            #expect(try await wallet.balance(salem) == -1_000)
            let credits = [salem, noura].map { person in
                Transfers.topUp(
                    TopUp(
                        id: .timeOrdered(), account: person.account, market: "assef", currency: "SAR", amount: 1_000,
                        holder: ""), id: .timeOrdered())
            }
            let look = Deadline(
                kind: CheckFines.paidKind, subject: "\(salem.account.text) SAR", dueAt: Date().addingTimeInterval(-60))
            try await wallet.withDeadlines {
                try await wallet.pool.withTransaction { poster in
                    // It has locked both wallets, and writes to them at its end.
                    _ = try await Ledger.post(credits, in: poster)
                    // A renewal from the one and a look at the other's fine are due in one moment.
                    try await wallet.pool.withTransaction { transaction in
                        transaction.send(FireRenewal(period: period))
                        transaction.set(look)
                    }
                    try await TestKit.eventually("the renewal waits for the wallet") {
                        try await wallet.pool.first(CountLockWaits()) ?? 0 > 0
                    }
                    try await TestKit.eventually("the fine was looked at all the same") {
                        try await wallet.pool.first(CountLooks()) == 0
                    }
                    // The trigger writes the look's row anew.
                    _ = try await poster.query(ListBalances(account: salem.account))
                }
                try await TestKit.eventually("the fine is paid") {
                    try await wallet.pool.withTransaction { transaction in
                        try await transaction.query(LockFines(account: salem.account, currency: "SAR")).isEmpty
                    }
                }
                try await TestKit.eventually("it is renewed") {
                    try await wallet.subscription(of: noura).period != period
                }
            }
            #expect(try await wallet.balance(salem) == 0)
            try await wallet.expectSound()
        }
    }
}
