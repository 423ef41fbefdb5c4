import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Fines that nobody has paid are not refunded", .timeLimit(.minutes(10)))
struct UnpaidFineTests {
    private static let order = UUID.timeOrdered()
    private static let earlier = UUID.timeOrdered()

    private func unpaid(_ before: Int, _ entries: (Int, UnpaidFine.Entry.Kind)...) -> [Int] {
        let unpaid = UnpaidFine(
            of: Self.order, before: before, entries.map { UnpaidFine.Entry(amount: $0.0, kind: $0.1) })
        return [unpaid.writtenOff, unpaid.givenUp]
    }

    @Test("W8: what was written off or given up of a fine counts as unpaid, the oldest debt first")
    func rule() {
        let (own, other) = (
            UnpaidFine.Entry.Kind.other(order: Self.order), UnpaidFine.Entry.Kind.other(order: Self.earlier)
        )
        #expect(unpaid(0, (-500, own), (500, .writeOff)) == [500, 0])
        #expect(unpaid(200, (-500, own), (300, .writeOff)) == [300, 0])
        #expect(unpaid(0, (-500, own), (200, other), (300, .writeOff)) == [300, 0])
        // A debt of before is written off first, one of later last.
        #expect(unpaid(-400, (-500, own), (600, .writeOff)) == [200, 0])
        #expect(unpaid(0, (-500, own), (-300, other), (600, .writeOff), (200, other)) == [500, 0])
        #expect(unpaid(-400, (-500, own), (425, .givenUp(order: Self.order)), (475, .writeOff)) == [75, 425])
        #expect(unpaid(0, (-500, own), (-300, other), (255, .givenUp(order: Self.earlier)), (545, other)) == [0, 0])
        #expect(unpaid(500, (-500, own), (-300, other), (300, .writeOff)) == [0, 0])
    }

    private func fined(
        _ wallet: WalletFixture, _ amount: Int = 500
    ) async throws
        -> (order: OrderSnapshot, debtor: Person, receiver: Person)
    {
        let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
        let order = Orders.accepted(by: salem, noura)
        try await wallet.hear(order.fined(amount))
        return (order, salem, noura)
    }

    @Test("W8, A1: a fine that was written off is not refunded: its debtor would have money that nobody took")
    func writtenOff() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (order, salem, _) = try await fined(wallet)
            let admin = try await wallet.admin()
            #expect(try await wallet.writeOff(500, of: salem, admin).status == 200)
            let refused = try await wallet.refund(order, admin, 500)
            #expect(refused.status == 409 && refused.slug == "refund-above-captured", "\(refused.text)")
            #expect(refused.json["left"]?.integer == 0)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.platform() == 75 - 500)
            try await wallet.expectSound()
        }
    }

    @Test("W8: of a fine that its receiver gave up only the rest is refunded, by whoever funds it; the paid part, too")
    func givenUp() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (order, salem, noura) = try await fined(wallet, 2_020)
            let admin = try await wallet.admin()
            let waiver = try await wallet.post(
                "waiting-money/waiver", noura, #"{"amount": 1717, "currency": "SAR"}"#)
            #expect(waiver.status == 200, "\(waiver.text)")
            for (funder, more) in [("platform", ""), ("provider", #", "mayOwe": true"#)] {
                let refused = try await wallet.refund(order, admin, 550, fundedBy: funder, more: more)
                #expect(refused.status == 409 && refused.json["left"]?.integer == 303, "\(funder): \(refused.text)")
            }
            #expect(try await wallet.refund(order, admin, 303).status == 201)
            #expect(try await wallet.balance(salem) == 0)
            #expect(try await wallet.refund(order, admin, 1).json["left"]?.integer == 0)
            try await wallet.expectSound()
        }
    }

    @Test("W8: a paid fine is refunded whole although a later debt of its debtor was written off")
    func paid() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (order, salem, noura) = try await fined(wallet)
            let admin = try await wallet.admin()
            try await wallet.give(500, to: salem)
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(700))
            #expect(try await wallet.writeOff(700, of: salem, admin).status == 200)
            #expect(try await wallet.refund(order, admin, 500).status == 201)
            #expect(try await wallet.balance(salem) == 500)
            try await wallet.expectSound()
        }
    }

    @Test("A1, W8: what one admin decides alone in a day is one sum: cash-outs, refunds, codes and write-offs")
    func oneSum() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, salem, noura) = try await fined(wallet)
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.set(.secondApprovalAmount, "600")
            try await wallet.give(5_000, to: noura)
            #expect(try await wallet.writeOff(500, of: salem, one).status == 200)
            let code = #""amount": 101, "minimumPrice": 1000, "limit": 1, "limitPerAccount": 1"#
            let waits = try await wallet.post("markets/assef/promo-codes", one, #"{"code": "CODE1", \#(code)}"#)
            #expect(waits.status == 202, "\(waits.text)")
            let cashOut = try #require(try await wallet.cashOut(101, noura).json["cashOut"]?.string)
            #expect(try await wallet.decide(cashOut, one, accept: true).json["state"]?.string == "waiting")
            // Another admin has another sum.
            #expect(
                try await wallet.post("markets/assef/promo-codes", two, #"{"code": "CODE2", \#(code)}"#).status == 201)
            #expect(try await wallet.writeOff(1, of: salem, two).status == 404)
        }
    }

    @Test("A1, W8: what waits for a second admin counts, so write-offs of one debt do not pile up")
    func piledUp() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, salem, _) = try await fined(wallet, 1_020)
            let (one, two) = (try await wallet.admin(), try await wallet.admin())
            try await wallet.set(.secondApprovalAmount, "600")
            let first = try await wallet.writeOff(1_020, of: salem, one)
            #expect(first.status == 202, "\(first.text)")
            for admin in [one, two] {
                let more = try await wallet.writeOff(1, of: salem, admin)
                #expect(more.status == 409 && more.slug == "write-off-waits", "\(more.text)")
            }
            _ = try await wallet.approve(try #require(first.json["approval"]?.string), two)
            #expect(try await wallet.balance(salem) == 0)
        }
    }

    @Test("W8: a debt in a former currency of the market is listed with the others; bounds are readable")
    func formerCurrency() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (_, salem, noura) = try await fined(wallet)
            let admin = try await wallet.admin()
            try await wallet.setCurrency("KWD")
            let listed = try await wallet.get("markets/assef/debtors", admin).items
            #expect(listed.map { $0["waiting"]?["currency"]?.string } == ["SAR"], "\(listed)")
            #expect(try await wallet.get("markets/assef/debtors?currency=KWD", admin).items.isEmpty)
            let owed = try await wallet.get("markets/assef/debtors/\(salem.account.text)?currency=SAR", admin).json
            #expect(owed["canBeWrittenOff"]?["amount"]?.integer == 500)
            let zero = try await wallet.post("waiting-money/waiver", noura, #"{"amount": 0, "currency": "SAR"}"#)
            #expect(zero.status == 422 && !zero.text.contains("9223372036854775807"), "\(zero.text)")
        }
    }
}
