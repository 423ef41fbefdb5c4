import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Pure rules of the flows around an order")
struct FlowDomainTests {
    // MARK: Division

    @Test("W6, O9: whatever the numbers, parts and platform add up to the amount, and nobody pays")
    func divisions() {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let bound = [10, 1_000, 100_000, Int.max / 8].randomElement(using: &generator) ?? 10
            let payees = (0..<Int.random(in: 1...5, using: &generator)).map { index in
                Payee(
                    party: index == 0 ? .provider : .merchant, account: .timeOrdered(), name: "",
                    amount: Int.random(in: 0...(bound / 5), using: &generator))
            }
            let sum = payees.map(\.amount).reduce(0, +)
            let total = sum + Int.random(in: 0...(bound / 5), using: &generator)
            let amount = Bool.random(using: &generator) ? total : Int.random(in: 0...total, using: &generator)
            var terms = Self.terms(total)
            terms.commissionBasisPoints = Int.random(in: 0...10_000, using: &generator)
            terms.merchantCommissionBasisPoints = Int.random(in: 0...10_000, using: &generator)
            terms.payees = payees
            terms.total = total
            let division = Division(of: amount, by: terms)
            #expect(division.parts.map(\.net).reduce(0, +) + division.platform == amount, "\(generator)")
            #expect(division.platform >= 0 && division.parts.allSatisfy { $0.net >= 0 }, "\(generator)")
            for (part, payee) in zip(division.parts, payees) {
                let gross = part.net + part.commission
                // Within what rounding moves, and exact at the whole price.
                #expect(amount < total || gross == payee.amount, "\(generator)")
                #expect(part.payee.party == .provider || gross <= payee.amount, "\(generator)")
            }
        }
    }

    @Test("O9: of a price divided among three each pays the own commission, and what rounding leaves is the provider's")
    func threeWays() {
        var terms = Self.terms(10_000)
        terms.merchantCommissionBasisPoints = 2_000
        terms.payees = [
            Payee(party: .merchant, account: .timeOrdered(), name: "", amount: 7_000),
            Payee(party: .provider, account: .timeOrdered(), name: "", amount: 2_000),
        ]
        terms.total = 10_000
        let whole = Division(of: 10_000, by: terms)
        // 7000 - 20 %, 2000 - 15 %, both commissions and a fee of 1000.
        #expect(whole.parts.map(\.net) == [5_600, 1_700] && whole.platform == 2_700)
        let part = Division(of: 3_333, by: terms)
        // 2333.1, 666.6 and 333.3 are 2333, 666 and 333; the missing one is the provider's.
        #expect(part.parts.map { $0.net + $0.commission } == [2_333, 667])
    }

    @Test("W6: shares that are more than the price, or below zero, are none; one account of a party is one payee")
    func payees() {
        let account = UUID.timeOrdered()
        func payee(_ party: Payee.Party, _ amount: Int) -> Payee {
            Payee(party: party, account: account, name: "", amount: amount)
        }
        #expect(Payee.all([payee(.merchant, 6), payee(.provider, 5)], of: 10) == nil)
        #expect(Payee.all([payee(.merchant, -1)], of: 10) == nil)
        #expect(Payee.all([payee(.merchant, .max), payee(.merchant, .max)], of: .max) == nil)
        #expect(
            Payee.all([payee(.merchant, 3), payee(.provider, 1), payee(.merchant, 4)], of: 10)
                == [payee(.merchant, 7), payee(.provider, 1)])
    }

    // MARK: Fines

    @Test("O2, N7: a fine is reminded of a day after it, then daily, and blocks when its time is over")
    func fineTimes() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let day = FineCheck.day
        var fine = Self.fine(at: start)
        #expect(fine.shares == Shares(provider: 850, platform: 150))
        #expect(FineCheck([fine], balance: 0, at: start).isPaid && FineCheck([], balance: -1, at: start).isPaid)
        let first = FineCheck([fine], balance: -1, at: start)
        #expect(!first.isPaid && first.reminds.isEmpty && first.blocks.isEmpty)
        #expect(first.next == start.addingTimeInterval(day))
        let second = FineCheck([fine], balance: -1, at: start.addingTimeInterval(day))
        #expect(second.reminds == ["assef"] && second.next == start.addingTimeInterval(2 * day))
        fine.remindedAt = start.addingTimeInterval(29.5 * day)
        let last = FineCheck([fine], balance: -1, at: start.addingTimeInterval(29.6 * day))
        #expect(last.reminds.isEmpty && last.next == fine.dueAt)
        let over = FineCheck([fine], balance: -1, at: fine.dueAt)
        #expect(over.blocks == ["assef"] && over.next == start.addingTimeInterval(30.5 * day))
    }

    @Test("O2: whole fines are the platform's where there is no provider")
    func fineOfNobody() {
        #expect(Self.fine(at: Date(), provider: nil).shares == Shares(provider: 0, platform: 1_000))
    }

    // MARK: Deposits

    @Test("O11: a deposit is taken while an order runs, stays while it is reported, and goes back when it is over")
    func depositSteps() {
        let (noura, huda) = (UUID.timeOrdered(), UUID.timeOrdered())
        func step(_ state: String, _ provider: UUID?, locked: UUID?, reported: Bool = false) -> [Bool] {
            let step = DepositStep(
                orderState: state, isReported: reported, provider: provider, wanted: 5, acceptance: 2,
                lockedFor: locked, lockedAt: locked.map { _ in 2 })
            #expect(!step.answersAgain)
            return [step.returns, step.locks]
        }
        #expect(step("requested", nil, locked: nil) == [false, false])
        #expect(step("accepted", noura, locked: nil) == [false, true])
        #expect(step("accepted", noura, locked: noura) == [false, false])
        #expect(step("accepted", huda, locked: noura) == [true, true])
        #expect(step("requested", nil, locked: noura) == [true, false])
        for end in ["completed", "cancelled", "expired", "refused"] {
            #expect(step(end, noura, locked: noura) == [true, false])
            #expect(step(end, noura, locked: noura, reported: true) == [false, false])
        }
        #expect(step("disputed", noura, locked: noura) == [false, false])
        #expect(step("disputed", noura, locked: nil) == [false, false])
    }

    @Test("O11: a later acceptance by whose deposit is there is answered with it, once and while the order runs")
    func laterAcceptances() {
        let (noura, huda) = (UUID.timeOrdered(), UUID.timeOrdered())
        func answersAgain(_ state: String, _ provider: UUID, _ acceptance: Int?, reported: Bool = false) -> Bool {
            DepositStep(
                orderState: state, isReported: reported, provider: provider, wanted: 5, acceptance: acceptance,
                lockedFor: noura, lockedAt: 4
            ).answersAgain
        }
        #expect(answersAgain("accepted", noura, 6) && answersAgain("inProgress", noura, 6))
        #expect(!answersAgain("accepted", noura, 4) && !answersAgain("accepted", noura, nil))
        #expect(!answersAgain("accepted", huda, 6) && !answersAgain("completed", noura, 6))
        #expect(!answersAgain("accepted", noura, 6, reported: true))
    }

    // MARK: Support

    static func terms(_ amount: Int) -> PaymentTerms {
        PaymentTerms(
            provider: .timeOrdered(), providerName: "N", title: [:], amount: amount, commissionBasisPoints: 1_500)
    }

    private static func fine(at: Date, provider: UUID? = .timeOrdered()) -> Fine {
        Fine(
            order: .timeOrdered(), market: "assef", account: .timeOrdered(), currency: "SAR", amount: 1_000,
            provider: provider, basisPointsToPlatform: 1_500, chargedAt: at, days: 30)
    }
}
