import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet

@Suite("Card money that reaches another wallet", .timeLimit(.minutes(10)))
struct PassedCardMoneyTests {
    /// A parcel, whose customer sets the price, from acceptance to delivery.
    private func parcel(
        _ wallet: WalletFixture, _ customer: Person, _ carrier: Person, _ amount: Int, by method: String = "wallet",
        cost: Int? = nil
    ) async throws -> OrderSnapshot {
        let order = Orders.accepted(by: customer, carrier, amount: amount).now(.accepted, version: 2) {
            $0.kind = "parcel"
            $0.services = [.init(service: "parcel", name: ["en": "Box"], price: amount)]
        }
        try await wallet.hear(order)
        try await wallet.pay(order, customer, held: method)
        try await wallet.hear(order.now(.completed, version: 6) { if let cost { $0.total.amount = cost } })
        try await wallet.eventually(order, is: .captured)
        return order
    }

    private func free(_ wallet: WalletFixture, _ person: Person) async throws -> Int? {
        try await wallet.wallet(of: person)["availableForCashOut"]?.integer
    }

    @Test("W5, A3: what a parcel's customer pays with a card's money keeps its time at the carrier, and on from there")
    func parcels() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let huda = try await wallet.people.provider("Huda")
            try await wallet.topUp(18_000, salem)
            _ = try await parcel(wallet, salem, noura, 18_000)
            let earned = try await wallet.balance(noura)
            #expect(earned > 10_000)
            #expect(try await free(wallet, noura) == 0)
            let refused = try await wallet.cashOut(earned, noura)
            #expect(refused.slug == "cash-out-held" && refused.json["nextAmount"]?.integer == earned, "\(refused.text)")
            // A second parcel to an accomplice frees nothing; the carrier can spend it.
            _ = try await parcel(wallet, noura, huda, 10_000)
            #expect(try await wallet.balance(huda) > 0)
            #expect(try await free(wallet, huda) == 0)
            try await wallet.set(.cardHoldDays, "0")
            #expect(try await free(wallet, huda) == (try await wallet.balance(huda)))
            try await wallet.expectBooks()
            try await wallet.expectSound()
        }
    }

    @Test("W5, A3: a parcel paid by card waits at its carrier, too; a visit's price is the provider's own at once")
    func byCard() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            _ = try await parcel(wallet, salem, noura, 10_000, by: "card")
            #expect(try await free(wallet, noura) == 0)
            let before = try await wallet.balance(noura)
            _ = try await wallet.captured(salem, noura, by: "card")
            #expect(try await free(wallet, noura) == (try await wallet.balance(noura)) - before)
            try await wallet.expectBooks()
        }
    }

    @Test("W5, A3: only the card's part of a parcel's price waits, and what goes back to the customer is not counted")
    func mixed() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(8_000, to: salem)
            try await wallet.topUp(2_000, salem)
            _ = try await parcel(wallet, salem, noura, 10_000)
            let earned = try await wallet.balance(noura)
            let held = earned - (try await free(wallet, noura) ?? 0)
            #expect(abs(held - earned / 5) <= 1, "\(held) of \(earned)")
            // A card's money is spent first, so all of a price of half is the card's.
            let (huda, badr) = (try await wallet.people.customer("Huda"), try await wallet.people.provider("Badr"))
            try await wallet.give(5_000, to: huda)
            try await wallet.topUp(5_000, huda)
            _ = try await parcel(wallet, huda, badr, 10_000, cost: 5_000)
            #expect(try await wallet.balance(huda) == 5_000)
            #expect(try await free(wallet, badr) == 0)
            #expect(try await free(wallet, huda) == 5_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5, A3: a tip and a given deposit keep the time of the card's money in them")
    func tipsAndDeposits() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            let earned = try await wallet.balance(noura)
            try await wallet.topUp(1_000, salem)
            #expect(try await wallet.post("orders/\(order.order.text)/tip", salem, #"{"amount": 1000}"#).status == 201)
            #expect(try await wallet.balance(noura) == earned + 1_000)
            #expect(try await free(wallet, noura) == earned)

            let (owner, carrier) = (try await wallet.people.customer("Huda"), try await wallet.people.provider("Badr"))
            try await wallet.topUp(9_000, carrier)
            let deposited = Orders.accepted(by: owner, carrier).now(.accepted, version: 2) {
                $0.deposit = Money(amount: 9_000, currency: "SAR")
            }
            try await wallet.give(12_000, to: owner)
            try await wallet.hear(deposited)
            #expect(try await wallet.balance(carrier) == 0)
            try await wallet.pay(deposited, owner, held: "wallet")
            try await wallet.hear(deposited.now(.disputed, version: 7) { $0.report = .timeOrdered() })
            try await wallet.decide(deposited, .returnToCustomer, deposit: .giveToCustomer)
            #expect(try await wallet.balance(owner) == 21_000)
            #expect(try await free(wallet, owner) == 12_000)
            try await wallet.expectSound()
        }
    }

    @Test("W5, A3: the admin who decides sees how much of the earnings cards have paid of late, and of how many payers")
    func sources() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (huda, badr) = (try await wallet.people.customer("Huda"), try await wallet.people.customer("Badr"))
            try await wallet.give(12_000, to: badr)
            _ = try await wallet.captured(badr, noura)
            let own = try await wallet.balance(noura)
            try await wallet.topUp(12_000, salem)
            _ = try await wallet.captured(salem, noura)
            _ = try await wallet.captured(huda, noura, by: "card")
            let all = try await wallet.balance(noura)
            let cashOut = try #require(try await wallet.cashOut(1_000, noura).json["cashOut"]?.string)
            let seen = try await wallet.get("markets/assef/cash-outs/\(cashOut)", try await wallet.admin())
            let sources = try #require(seen.json["sources"], "\(seen.text)")
            #expect(sources["earnings"]?.integer == all)
            #expect(sources["earningsFromCards"]?.integer == all - own && sources["cardPayers"]?.integer == 2)
        }
    }
}
