import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Lists of a market's refunds, fines and promo codes", .timeLimit(.minutes(15)))
struct MarketListTests {
    @Test(
        "W8: an admin sees the refunds of the market page by page, by who funded them and how they stand, and as a file"
    )
    func refunds() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            var made: [String] = []
            for (amount, funder) in [(100, "platform"), (200, "provider"), (300, "platform")] {
                let answer = try await wallet.refund(order, admin, amount, fundedBy: funder)
                #expect(answer.status == 201, "\(answer.text)")
                made.append(answer.json["refund"]?.string ?? "")
            }
            let first = try await wallet.get("markets/assef/refunds?limit=2", admin)
            #expect(first.items.map { $0["refund"]?.string } == [made[2], made[1]], "\(first.text)")
            #expect(first.items.first?["customer"]?.string == salem.account.text)
            #expect(first.items.first?["reason"]?.string == "Late")
            let next = try #require(first.json["next"]?.string)
            let second = try await wallet.get("markets/assef/refunds?limit=2&cursor=\(next)", admin)
            #expect(second.items.map { $0["refund"]?.string } == [made[0]] && second.json["next"]?.string == nil)
            let funded = try await wallet.get("markets/assef/refunds?fundedBy=provider&state=made", admin)
            #expect(funded.items.map { $0["refund"]?.string } == [made[1]])
            #expect(try await wallet.get("markets/assef/refunds?state=asked", admin).items.isEmpty)
            #expect(try await wallet.get("markets/assef/refunds?state=x&fundedBy=y&from=z", admin).codes.count == 3)
            #expect(
                try await wallet.get("markets/assef/refunds?limit=2&state=made&cursor=\(next)", admin).status == 400)
            let file = try await wallet.csv("markets/assef/refunds.csv?fundedBy=platform", admin)
            #expect(file.split(separator: "\r\n").count == 3, "\(file)")
            #expect(
                file.contains("\(order.order.text),\(salem.account.text),300,SAR,Wallet,Given back,Platform,,Late,"),
                "\(file)")
        }
    }

    @Test("W8, O2: an admin sees the market's fines, those that are owed still, their sums and the platform's share")
    func fines() async throws {
        try await WalletFixture.run { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(5_000, to: huda)
            let owed = Orders.accepted(by: salem, noura).fined(1_000)
            let paid = Orders.accepted(by: huda, noura).fined(2_000)
            try await wallet.hear(owed)
            try await wallet.hear(paid)
            try await wallet.withDeadlines {
                try await eventually("the one that can be is paid") {
                    try await wallet.get("markets/assef/fines?state=paid", admin).items.count == 1
                }
            }
            let all = try await wallet.get("markets/assef/fines", admin)
            #expect(all.items.map { $0["order"]?.string } == [paid.order.text, owed.order.text], "\(all.text)")
            let unpaid = try await wallet.get("markets/assef/fines?state=unpaid&account=\(salem.account.text)", admin)
            #expect(unpaid.items.map { $0["amount"]?["amount"]?.integer } == [1_000])
            #expect(unpaid.items.first?["platformShare"]?.integer == 150)
            #expect(unpaid.items.first?["providerShare"]?.integer == 850)
            let page = try await wallet.get("markets/assef/fines?limit=1", admin)
            let next = try #require(page.json["next"]?.string)
            let rest = try await wallet.get("markets/assef/fines?limit=1&cursor=\(next)", admin)
            #expect(rest.items.map { $0["order"]?.string } == [owed.order.text])
            let sums = try await wallet.get("markets/assef/fine-figures", admin)
            #expect(sums.json["fines"]?.integer == 2 && sums.json["unpaidFines"]?.integer == 1, "\(sums.text)")
            #expect(sums.json["amount"]?.integer == 3_000 && sums.json["unpaid"]?.integer == 1_000)
            #expect(sums.json["platformShare"]?.integer == 450 && sums.json["providerShare"]?.integer == 2_550)
            #expect(try await wallet.platform() == 450)
            #expect(try await wallet.get("markets/assef/commissions", admin).json["fineShare"]?.integer == 450)
            let later = Timestamp.text(Date().addingTimeInterval(60))
            let none = try await wallet.get("markets/assef/fine-figures?from=\(later)", admin)
            #expect(none.json["fines"]?.integer == 0 && none.json["amount"]?.integer == 0)
            #expect(try await wallet.get("markets/assef/fines?state=x&account=y&to=z", admin).codes.count == 3)
            let file = try await wallet.csv("markets/assef/fines.csv?state=unpaid", admin)
            #expect(file.contains(",Unpaid,\(salem.account.text),1000,SAR,\(noura.account.text),850,150,"), "\(file)")
            #expect(!file.contains(huda.account.text))
            #expect(unpaid.items.first?["stateText"]?.string == "Unpaid")
            let arabic = try await wallet.csv("markets/assef/fines.csv?state=unpaid", admin, language: "ar")
            #expect(arabic.contains("غير مدفوعة") && arabic.contains("وقت الغرامة"), "\(arabic)")
        }
    }

    @Test("I13, W4: a market's support reads its money and moves none of it")
    func support() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let support = try await wallet.people.person("Huda", "support")
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            for part in ["refunds", "fines", "payments", "cash-outs", "approvals", "commissions", "promo-codes"] {
                #expect(try await wallet.get("markets/assef/\(part)", support).status == 200, "\(part)")
                #expect(try await wallet.get("markets/btnc/\(part)", support).status == 403, "\(part)")
            }
            let refund = try await wallet.refund(order, support, 100, fundedBy: "platform")
            #expect(refund.status == 403 && refund.slug == "support-reads-only", "\(refund.text)")
            for path in [
                "markets/assef/cash-outs/\(UUID.timeOrdered().text)/decision",
                "markets/assef/approvals/\(UUID.timeOrdered().text)/decision", "markets/assef/promo-codes",
            ] {
                let answer = try await wallet.post(path, support, #"{"accept": true}"#)
                #expect(answer.status == 403 && answer.slug == "support-reads-only", "\(path) \(answer.text)")
            }
            #expect(try await wallet.get("ledger/trial-balance", support).slug == "forbidden")
            #expect(try await wallet.balance(salem) == 0)
        }
    }

    @Test("W8: promo codes as a file, with what they cost")
    func promoCodes() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            _ = try await wallet.promoCode(admin, #""amount": 500, "limit": 7"#)
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "wallet", promoCode: "SPRING").status == 202)
            let file = try await wallet.csv("markets/assef/promo-codes.csv", admin)
            #expect(file.contains(",SPRING,") && file.contains(",,,500,SAR,"), "\(file)")
            #expect(file.contains(",0,7,1000,1,500,0,0\r\n"), "\(file)")
        }
    }

    @Test("I13: an admin sees the balances of named people of the market, not of those who have nothing to do with it")
    func balances() async throws {
        try await WalletFixture.run { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(12_500, to: salem)
            try await wallet.give(700, to: huda)
            _ = try await wallet.captured(salem, noura)
            let named = [salem, huda, noura].map(\.account.text).joined(separator: ",")
            let list = try await wallet.get("markets/assef/wallets?accounts=\(named)", admin)
            #expect(list.status == 200, "\(list.text)")
            let balances = list.items.map { ($0["account"]?.string ?? "", $0["balance"]?["amount"]?.integer ?? 0) }
            let byAccount = Dictionary(uniqueKeysWithValues: balances)
            #expect(Set(byAccount.keys) == [salem.account.text, noura.account.text], "\(list.text)")
            #expect(byAccount[salem.account.text] == 500 && (byAccount[noura.account.text] ?? 0) > 0, "\(list.text)")
            #expect(try await wallet.get("markets/assef/wallets?accounts=\(named)", salem).status == 403)
            #expect(try await wallet.get("markets/assef/wallets", admin).codes.values.sorted() == ["required"])
            let wrong = try await wallet.get("markets/assef/wallets?accounts=x", admin)
            #expect(wrong.codes.values.sorted() == ["not-an-id"])
        }
    }
}
