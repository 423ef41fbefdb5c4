import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

@Suite("Keys of payouts", .timeLimit(.minutes(15)))
struct PayoutKeyTests {
    @Test("W5: a key is as old as its first use, and a new one follows when nothing happened under it")
    func keys() throws {
        let accepted = Date(timeIntervalSince1970: 1_000_000)
        var cashOut = Self.cashOut()
        _ = try cashOut.decide(rejecting: nil, by: UUID(), at: accepted)
        let late = accepted.addingTimeInterval(3 * 86_400)
        // Never asked for, since no worker ran: its key is new.
        #expect(cashOut.nextRequest(at: late) == .pay && cashOut.key == "payout-\(cashOut.id.text)")
        cashOut.restore(askedAt: accepted)
        #expect(cashOut.nextRequest(at: accepted.addingTimeInterval(21 * 3_600)) == .pay)
        #expect(cashOut.nextRequest(at: late) == .find)
        let asked = cashOut
        let isNew = cashOut.takeNewKey(after: asked)
        #expect(isNew && cashOut.key == "payout-\(cashOut.id.text)-1" && cashOut.nextRequest(at: late) == .pay)
        // Who asked with the key before is too late to say anything.
        let (isNewAgain, isMissed) = (cashOut.takeNewKey(after: asked), cashOut.miss(after: asked, at: late))
        #expect(!isNewAgain && !isMissed)
    }

    @Test("W5: a payout is asked for anew only when it was looked for in vain several times, half an hour apart")
    func misses() throws {
        let accepted = Date(timeIntervalSince1970: 1_000_000)
        var cashOut = Self.cashOut()
        _ = try cashOut.decide(rejecting: nil, by: UUID(), at: accepted)
        cashOut.restore(askedAt: accepted)
        func miss(at moment: Date) -> Bool {
            let asked = cashOut
            return cashOut.miss(after: asked, at: moment)
        }
        let isEarly = miss(at: accepted.addingTimeInterval(60))
        #expect(!isEarly)
        var now = accepted.addingTimeInterval(86_400)
        for _ in 0..<2 {
            let (isMissed, isTooSoon) = (miss(at: now), miss(at: now.addingTimeInterval(60)))
            #expect(isMissed && !isTooSoon)
            #expect(cashOut.nextRequest(at: now) == .find)
            now += CashOut.missSeconds
        }
        let isLast = miss(at: now)
        #expect(isLast && cashOut.nextRequest(at: now) == .pay && cashOut.keyNumber == 1)
    }

    @Test("W5: a payout that the platform's balance was too low for is asked for with a new key, and paid once")
    func lowBalance() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(4_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura).json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            wallet.sandbox.setBalanceLow(true)
            #expect(try await wallet.parts.payoutWorker.payDue() == 1)
            #expect(try await wallet.sum(.cashOut) == 4_000 && wallet.paidOut == 0)
            wallet.sandbox.setBalanceLow(false)
            // What was answered once is repeated under its key.
            let first = try await wallet.stored(id)
            #expect(first.keyNumber == 1 && first.askedAt == nil)
            var old = first
            old.restore(askedAt: Date())
            #expect(await wallet.parts.provider.ask(.pay, old) == .nothing("balance_insufficient"))
            try await wallet.pool.execute(WakePayouts(hours: 0))
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            #expect(try await wallet.told(about: first.id) == ["asked", "decided", "paid"])
            try await wallet.expectSound()
        }
    }

    @Test(
        "W5: a payout whose answer was lost and whose key is forgotten is found among all payouts, and not made again")
    func found() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(9_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura, endingIn: "7775").json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            #expect(try await wallet.parts.payoutWorker.payDue() == 1)
            #expect(try await wallet.stored(id).reference == nil && wallet.paidOut == 4_000)
            // More than a page of others stand before it.
            let destination = try await wallet.stored(id).destination
            let account = PayoutDestination(
                kind: .bankAccount, reference: destination.reference, holder: "X", bankName: "X", country: "SA",
                lastFour: "7775")
            for _ in 0..<101 { _ = await wallet.parts.provider.ask(.pay, Self.cashOut(100, to: account)) }
            wallet.sandbox.forgetKeys()
            try await wallet.pool.execute(WakePayouts(hours: 25))
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000 + 101 * 100)
            try await wallet.expectSound()
        }
    }

    @Test(
        "W5: a payout that was never heard of there is asked for anew after it was looked for several times, and paid once"
    )
    func absent() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(4_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura).json["cashOut"]?.string)
            wallet.setProviderDown(true)
            _ = try await wallet.decide(id, admin, accept: true)
            #expect(try await wallet.parts.payoutWorker.payDue() == 1)
            wallet.setProviderDown(false)
            for miss in 1...3 {
                try await wallet.pool.execute(WakePayouts(hours: 25))
                #expect(try await wallet.parts.payoutWorker.payDue() == 1)
                #expect(wallet.paidOut == 0, "looked for, \(miss)")
            }
            let anew = try await wallet.stored(id)
            #expect(anew.keyNumber == 1 && anew.askedAt == nil)
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5: faults of the payment provider under one key lead to looking for the payout, and in vain to another key")
    func faults() throws {
        let accepted = Date(timeIntervalSince1970: 1_000_000)
        var cashOut = Self.cashOut()
        _ = try cashOut.decide(rejecting: nil, by: UUID(), at: accepted)
        cashOut.restore(askedAt: accepted)
        func fault(at moment: Date) -> Double? {
            let asked = cashOut
            return cashOut.fault(after: asked, at: moment)
        }
        for _ in 1..<CashOut.faultsToLook {
            #expect(fault(at: accepted) == cashOut.pauseSeconds && cashOut.nextRequest(at: accepted) == .pay)
        }
        #expect(fault(at: accepted) == CashOut.missSeconds && cashOut.nextRequest(at: accepted) == .find)
        // Not asked for under this key any more; and not found too soon says nothing.
        let asked = cashOut
        let (isFault, isTooSoon) = (
            fault(at: accepted), cashOut.miss(after: asked, at: accepted.addingTimeInterval(60))
        )
        #expect(isFault == nil && !isTooSoon)
        for miss in 1...CashOut.missesToAskAnew {
            let now = accepted.addingTimeInterval(Double(miss) * CashOut.missSeconds)
            let asked = cashOut
            let isMissed = cashOut.miss(after: asked, at: now)
            #expect(isMissed && (cashOut.nextRequest(at: now) == .pay) == (miss == CashOut.missesToAskAnew))
        }
        #expect(cashOut.keyNumber == 1 && cashOut.faults == 0 && cashOut.askedAt == nil)
    }

    @Test(
        "W5: a payout whose key the payment provider keeps a fault under is paid with another one, once, the same day")
    func keptFault() async throws {
        try await WalletFixture.run { wallet in
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(4_000, to: noura)
            let id = try #require(try await wallet.cashOut(4_000, noura, endingIn: "5000").json["cashOut"]?.string)
            _ = try await wallet.decide(id, admin, accept: true)
            for fault in 1...CashOut.faultsToLook {
                #expect(try await wallet.parts.payoutWorker.payDue() == 1)
                #expect(try await wallet.stored(id).faults == fault)
                try await wallet.pool.execute(WakePayouts(hours: 0))
            }
            // Looked for, an hour apart.
            for _ in 1...CashOut.missesToAskAnew {
                try await wallet.pool.execute(WakePayouts(hours: 1))
                #expect(try await wallet.parts.payoutWorker.payDue() == 1)
                #expect(wallet.paidOut == 0)
            }
            let anew = try await wallet.stored(id)
            #expect(anew.keyNumber == 1 && anew.askedAt == nil && anew.faults == 0)
            #expect(try await wallet.parts.payoutWorker.payDue() == 1)
            // No webhook tells here how it ended, and after so many tries it is looked at seldom.
            try await wallet.pool.execute(WakePayouts(hours: 0))
            try await wallet.pays(id, until: .paid)
            #expect(wallet.paidOut == 4_000)
            #expect(try await wallet.told(about: anew.id) == ["asked", "decided", "paid"])
            try await wallet.expectSound()
        }
    }

    private static func cashOut(_ amount: Int = 100, to destination: PayoutDestination? = nil) -> CashOut {
        CashOut(
            id: .timeOrdered(), account: UUID(), market: "assef", currency: "SAR", amount: amount,
            destination: destination
                ?? PayoutDestination(
                    kind: .bankAccount, reference: "ba_1", holder: "B", bankName: "B", country: "SA", lastFour: "1234"),
            madeAt: Date())
    }
}

extension CashOut {
    /// The first key, since then.
    fileprivate mutating func restore(askedAt: Date) {
        restore(
            state: state, reason: reason, decidedBy: decidedBy, decidedAt: decidedAt, reference: reference, tries: 1,
            keyNumber: 0, askedAt: askedAt, misses: 0, missedAt: nil)
    }
}

extension WalletFixture {
    fileprivate func stored(_ cashOut: String) async throws -> CashOut {
        let id = try #require(UUID(uuidString: cashOut))
        return try #require(try await pool.first(FindCashOut(cashOut: id)))
    }
}

/// Lets hours pass for payouts that are asked for, and the leases end.
private struct WakePayouts: Statement {
    static let sql: SQL = """
        UPDATE cash_outs SET asked_at = asked_at - $1 * interval '1 hour', missed_at = missed_at - $1 * interval '1 hour',
            due_at = now()
        WHERE due_at IS NOT NULL
        """
    let hours: Int
    func bind(_ bindings: inout Bindings) { bindings.append(hours) }
}
