import Foundation
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Debts against a model", .timeLimit(.minutes(15)))
struct DebtModelTests {
    /// Wallets and who waits for whom, written as simply as it can be.
    private struct Model {
        struct Debt {
            let receiver: Int
            var unpaid: Int
        }

        var balances: [Int]
        var debts: [[Debt]]
        var platform = 0
        var outside = 0
        /// What raised a wallet below zero and was not given to those who wait yet.
        private var risen: [Int]

        init(people: Int) {
            balances = Array(repeating: 0, count: people)
            debts = Array(repeating: [], count: people)
            risen = balances
        }

        func waiting(_ person: Int) -> Int {
            debts.joined().filter { $0.receiver == person }.reduce(0) { $0 + $1.unpaid }
        }

        mutating func topUp(_ person: Int, _ amount: Int) {
            outside -= amount
            credit(person, amount)
            settle()
        }

        /// - Returns: whether there was enough.
        mutating func pay(_ from: Int, _ to: Int, _ amount: Int) -> Bool {
            guard balances[from] >= amount else { return false }
            balances[from] -= amount
            credit(to, amount)
            settle()
            return true
        }

        mutating func fine(_ from: Int, _ to: Int, _ amount: Int, platform share: Int) {
            let covered = min(amount, max(0, balances[from]))
            balances[from] -= amount + share
            platform += share
            if covered > 0 { credit(to, covered) }
            if covered < amount { debts[from].append(Debt(receiver: to, unpaid: amount - covered)) }
            settle()
        }

        private mutating func credit(_ person: Int, _ amount: Int) {
            if !debts[person].isEmpty { risen[person] += min(amount, max(0, -balances[person])) }
            balances[person] += amount
        }

        private mutating func settle() {
            while let debtor = risen.indices.first(where: { risen[$0] > 0 }) {
                guard var oldest = debts[debtor].first else {
                    risen[debtor] = 0
                    continue
                }
                let part = min(oldest.unpaid, risen[debtor])
                risen[debtor] -= part
                oldest.unpaid -= part
                debts[debtor][0] = oldest
                if oldest.unpaid == 0 { debts[debtor].removeFirst() }
                credit(oldest.receiver, part)
            }
        }
    }

    private static let people = (0..<5).map { _ in UUID.timeOrdered() }

    private static func transfer(_ kind: Transfer.Kind, _ moves: [Move?]) -> Transfer {
        Transfer(id: .timeOrdered(), kind, of: .timeOrdered(), currency: "SAR", moves)
    }

    /// Fires the deadlines that were set, and those that these set.
    private func drain(limit: Int, _ pool: PostgresPool) async throws {
        while true {
            let subjects = try await pool.query(TakeDebtDeadlines())
            if subjects.isEmpty { return }
            try await pool.withTransaction { transaction in
                for subject in subjects {
                    let account = try #require(UUID(uuidString: String(subject.prefix(36))))
                    SettleDebts.settle(.wallet(account, "SAR"), limit: limit, clock: { Date() }, in: transaction)
                }
            }
        }
    }

    @Test(
        "W6, W7: random fines, payments and top-ups leave the balances and what waits of an independent model",
        arguments: [1, 2, 200])
    func model(limit: Int) async throws {
        let wallets = Self.people.map { AccountReference.wallet($0, "SAR") }
        try await TestDatabase.withDatabase(WalletService.migrations) { database in
            try await database.withPool { pool in
                var generator = SeededGenerator()
                var model = Model(people: wallets.count)
                for step in 0..<250 {
                    let from = Int.random(in: 0..<wallets.count, using: &generator)
                    let to = (from + Int.random(in: 1..<wallets.count, using: &generator)) % wallets.count
                    let amount = Int.random(in: 1...200, using: &generator)
                    let transfer: Transfer
                    var isTaken = true
                    switch Int.random(in: 0..<10, using: &generator) {
                    case 0..<4:
                        let share = Int.random(in: 0...30, using: &generator)
                        let platform = AccountReference.platform("SAR", for: Self.people[from])
                        transfer = Self.transfer(
                            .fine,
                            [
                                Move(amount, from: wallets[from], to: wallets[to], overdraws: true),
                                Move(share, from: wallets[from], to: platform, overdraws: true),
                            ])
                        model.fine(from, to, amount, platform: share)
                    case 4..<7:
                        transfer = Self.transfer(.tip, [Move(amount, from: wallets[from], to: wallets[to])])
                        isTaken = model.pay(from, to, amount)
                    default:
                        let outside = AccountReference.external("SAR", for: Self.people[from])
                        transfer = Self.transfer(.topUp, [Move(amount, from: outside, to: wallets[from])])
                        model.topUp(from, amount)
                    }
                    do {
                        try await pool.withTransaction { _ = try await Ledger.post([transfer], in: $0) }
                        #expect(isTaken, "step \(step) \(generator)")
                    } catch LedgerError.insufficientFunds {
                        #expect(!isTaken, "step \(step) \(generator)")
                    }
                    try await drain(limit: limit, pool)
                    let found = try await state(pool)
                    let expected = Self.people.indices.map { [model.balances[$0], model.waiting($0)] }
                    try #require(found == expected, "step \(step) \(generator)")
                }
                let sums = try await pool.query(SumAccounts())
                func sum(_ kind: String) -> Int { sums.filter { $0.kind == kind }.reduce(0) { $0 + $1.balance } }
                #expect(sum("platform") == model.platform && sum("external") == model.outside, "\(generator)")
                #expect(sum("debt") == Self.people.indices.reduce(0) { $0 + model.waiting($1) }, "\(generator)")
                let check = try await LedgerCheck.whole(pool)
                #expect(check.isSound, "\(check.report) \(generator)")
            }
        }
    }

    /// What each has, and what waits for each.
    private func state(_ pool: PostgresPool) async throws -> [[Int]] {
        var found: [[Int]] = []
        for person in Self.people {
            let (balances, waiting) = try await pool.withTransaction(.readOnly) { transaction in
                try await transaction.queryAll(ListBalances(account: person), ListWaiting(account: person))
            }
            found.append([balances.first?.amount ?? 0, waiting.first?.amount ?? 0])
        }
        return found
    }
}

private struct TakeDebtDeadlines: Statement {
    static let sql: SQL = "DELETE FROM deadlines WHERE kind = 'wallet.debt' RETURNING subject"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
