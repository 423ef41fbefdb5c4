import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet
@testable import ServiceKit

/// What the operations console asks of the wallet beside the lists that are tested with their features.
@Suite("The console's money", .timeLimit(.minutes(15)))
struct ConsoleMoneyTests {
    private static let reads = [
        "waiting", "day-figures", "day-figures.csv", "disputes.csv", "approvals.csv", "debtors.csv", "write-offs",
        "write-offs.csv", "people/0195d3a0-0000-7000-8000-00000000000a/consenting-cards",
    ]

    @Test("Q7, A5: no customer, no provider, nobody without a token and no other market's admin reads any of it")
    func access() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let market = "edencare"
            let strangers = [
                try await wallet.people.person("Ada", "customer", in: market),
                try await wallet.people.person("Paul", "provider", in: market), try await wallet.admin(in: "assef"),
            ]
            let admins = [try await wallet.admin(in: market), try await wallet.people.master()]
            for read in Self.reads {
                let path = "markets/\(market)/\(read)"
                for stranger in strangers {
                    #expect(try await wallet.get(path, stranger).status == 403, "\(stranger.name) \(read)")
                }
                #expect(try await wallet.get(path, nil).status == 401, "\(read)")
                for admin in admins {
                    if read.hasSuffix(".csv") {
                        #expect(try await !wallet.csv(path, admin).isEmpty, "\(read)")
                    } else {
                        #expect(try await wallet.get(path, admin).status == 200, "\(read)")
                    }
                }
                let nowhere = "markets/nowhere/\(read)"
                #expect(try await wallet.get(nowhere, admins[0]).status == 403, "\(read)")
                #expect(try await wallet.get(nowhere, admins[1]).status == 404, "\(read)")
                #expect(try await wallet.get(path + "?nonsense=1", admins[0]).status == 400, "\(read)")
            }
        }
    }

    @Test(
        "A1: what waits in a market is counted there alone, goes down when it is decided, and is no entry of the audit log"
    )
    func waiting() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, other) = (try await wallet.admin(), try await wallet.admin(in: "btnc"))
            func counts(_ person: Person, _ market: String = "assef") async throws -> [String: Int] {
                let json = try await wallet.get("markets/\(market)/waiting", person).json
                return ["cashouts", "approvals", "disputes", "debtors"].reduce(into: [:]) { $0[$1] = json[$1]?.integer }
            }
            let none = ["cashouts": 0, "approvals": 0, "disputes": 0, "debtors": 0]
            #expect(try await counts(admin) == none)
            try await wallet.give(10_000, to: noura)
            var asked: [String] = []
            for amount in [1_000, 2_000] {
                asked.append(try #require(try await wallet.cashOut(amount, noura).json["cashOut"]?.string))
            }
            try await wallet.hear(Orders.accepted(by: salem, noura).fined(1_000))
            try await wallet.set(.secondApprovalAmount, "500", in: "assef")
            #expect(try await wallet.writeOff(600, of: salem, admin).status == 202)
            #expect(try await counts(admin) == ["cashouts": 2, "approvals": 1, "disputes": 0, "debtors": 1])
            #expect(try await counts(other, "btnc") == none)
            #expect(try await wallet.decide(asked[0], admin, accept: false).status == 200)
            #expect(try await counts(admin)["cashouts"] == 1)
            #expect(try await wallet.outbox("wallet.list.viewed.v1").isEmpty)
        }
    }

    @Test(
        "E3, W3: the desk sees only cards that their owner has released and that are valid, and of them no more than that"
    )
    func consentingCards() async throws {
        try await WalletFixture.run { wallet in
            let (ada, huda) = (try await wallet.people.customer("Ada"), try await wallet.people.customer("Huda"))
            let admin = try await wallet.admin(in: "edencare")
            let path = "markets/edencare/people/\(ada.account.text)/consenting-cards"
            let card = try await wallet.card(ada)
            _ = try await wallet.card(huda)
            #expect(try await wallet.get(path, admin).items.isEmpty)
            #expect(try await wallet.call(.patch, "cards/\(card)", ada, #"{"consent": true}"#).status == 200)
            // Of somebody who has nothing to do with the market nothing is shown, whoever knows the account.
            #expect(try await wallet.get(path, admin).items.isEmpty)
            try await wallet.hear(Self.order(of: ada))
            let shown = try await wallet.get(path, admin)
            let one = try #require(shown.items.first)
            #expect(
                shown.items.count == 1 && one["id"]?.string == card && one["brand"]?.string == "visa", "\(shown.text)")
            #expect(one["last4"]?.string == "4242" && one["expires"]?.string?.count == 7, "\(shown.text)")
            guard case .object(let fields) = one else { return #expect(Bool(false), "\(shown.text)") }
            #expect(Set(fields.keys) == ["id", "brand", "last4", "expires"], "\(shown.text)")
            // A market without a desk charges nobody in absence.
            let assef = "markets/assef/people/\(ada.account.text)/consenting-cards"
            #expect(try await wallet.get(assef, try await wallet.admin()).status == 404)
            #expect(try await wallet.get("markets/edencare/people/x/consenting-cards", admin).status == 404)
            #expect(try await wallet.call(.patch, "cards/\(card)", ada, #"{"consent": false}"#).status == 200)
            #expect(try await wallet.get(path, admin).items.isEmpty)
        }
    }

    /// A visit that an admin ordered for a caller.
    private static func order(of customer: Person) -> OrderSnapshot {
        let now = Date()
        return OrderSnapshot(
            order: .timeOrdered(), market: "edencare", kind: "homeCare", version: 1, state: .pending,
            customer: .init(account: customer.account, name: customer.name), provider: nil,
            services: [.init(service: "companionship", name: ["en": "Companionship"], price: 3_000)],
            total: Money(amount: 3_000, currency: "CAD"), payment: .init(method: nil, state: .unpaid),
            confirmedBy: [], deadline: now + 2 * 86_400, by: .admin, reason: nil, requestedAt: now, changedAt: now)
    }

    @Test("E3, W3: a card whose owner takes the release back before the desk's charge is made is not charged")
    func takenBack() async throws {
        try await WalletFixture.run { wallet in
            let ada = try await wallet.people.customer("Ada")
            let admin = try await wallet.admin(in: "edencare")
            let order = Self.order(of: ada)
            try await wallet.hear(order)
            let card = try await wallet.card(ada)
            #expect(try await wallet.call(.patch, "cards/\(card)", ada, #"{"consent": true}"#).status == 200)
            let path = "markets/edencare/payments/\(order.order.text)/charge"
            let body = #"{"method": "card", "card": "\#(card)"}"#
            #expect(try await wallet.post(path, admin, body).status == 202)
            // The charge is made by a deadline, which has not fired yet.
            #expect(try await wallet.call(.patch, "cards/\(card)", ada, #"{"consent": false}"#).status == 200)
            try await wallet.withDeadlines {
                try await eventually("that there is no such card is told") {
                    try await wallet.refusals(of: order).map(\.reason) == ["no-such-card"]
                }
            }
            #expect(wallet.chargedPayments == 0)
            #expect(try await wallet.post(path, admin, body).codes == ["/card": "card-not-consented"])
            try await wallet.expectSound()
        }
    }

    @Test("A2, W8: refunds, payouts and fines by the market's day, with what is paid and given back of the fines")
    func dayFigures() async throws {
        try await WalletFixture.run { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            try await wallet.give(12_000, to: salem)
            let order = try await wallet.captured(salem, noura)
            for amount in [100, 250] { #expect(try await wallet.refund(order, admin, amount).status == 201) }
            try await wallet.give(10_000, to: noura)
            let cashOut = try #require(try await wallet.cashOut(4_000, noura).json["cashOut"]?.string)
            #expect(try await wallet.decide(cashOut, admin, accept: true).status == 200)
            try await wallet.pays(cashOut, until: .paid)
            try await wallet.give(5_000, to: huda)
            let paid = Orders.accepted(by: huda, noura).fined(2_000)
            try await wallet.hear(paid)
            try await wallet.hear(Orders.accepted(by: try await wallet.people.customer("Omar"), noura).fined(1_000))
            try await wallet.withDeadlines {
                try await eventually("the one that can be is paid") {
                    try await wallet.get("markets/assef/fines?state=paid", admin).items.count == 1
                }
            }
            #expect(try await wallet.refund(paid, admin, 500).status == 201)
            let found = try await wallet.get("markets/assef/day-figures", admin)
            #expect(found.items.count == 30 && found.json["currency"]?.string == "SAR", "\(found.text)")
            #expect(found.json["timeZone"]?.string == "Asia/Riyadh")
            // The test may begin before midnight and end after it.
            func sum(_ group: String, _ field: String) -> Int {
                found.items.reduce(0) { $0 + ($1[group]?[field]?.integer ?? 0) }
            }
            #expect(sum("refunds", "count") == 3 && sum("refunds", "amount") == 850, "\(found.text)")
            #expect(sum("cashOuts", "count") == 1 && sum("cashOuts", "amount") == 4_000, "\(found.text)")
            #expect(sum("fines", "count") == 2 && sum("fines", "amount") == 3_000, "\(found.text)")
            #expect(sum("fines", "paid") == 2_000 && sum("fines", "waived") == 500, "\(found.text)")
            let other = try await wallet.get("markets/assef/day-figures?currency=USD", admin)
            #expect(other.items.allSatisfy { $0["refunds"]?["count"]?.integer == 0 }, "\(other.text)")
            let old = try await wallet.get("markets/assef/day-figures?from=2026-01-01&to=2026-01-02", admin)
            #expect(old.items.map { $0["day"]?.string } == ["2026-01-01", "2026-01-02"], "\(old.text)")
            #expect(try await wallet.get("markets/assef/day-figures?from=x", admin).codes == ["/from": "not-a-day"])
            let file = try await wallet.csv("markets/assef/day-figures.csv", admin)
            #expect(file.split(separator: "\r\n").count == 31 && file.contains(",SAR"), "\(file)")
        }
    }

    @Test("W8: write-offs are listed with both admins, and as a file; refunds, fines and payments by order and person")
    func filters() async throws {
        try await WalletFixture.run { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let (noura, admin) = (try await wallet.people.provider(), try await wallet.admin())
            for person in [salem, huda] { try await wallet.give(12_000, to: person) }
            let orders = [try await wallet.captured(salem, noura), try await wallet.captured(huda, noura)]
            for order in orders { #expect(try await wallet.refund(order, admin, 100).status == 201) }
            func listed(_ path: String) async throws -> [String?] {
                try await wallet.get("markets/assef/\(path)", admin).items.map { $0["order"]?.string }
            }
            let first = orders[0].order.text
            #expect(try await listed("refunds?customer=\(salem.account.text)") == [first])
            #expect(try await listed("refunds?order=\(first)&customer=\(huda.account.text)") == [])
            #expect(try await listed("payments?order=\(first)") == [first])
            #expect(try await wallet.get("markets/assef/payments?order=x", admin).codes == ["/order": "not-an-id"])
            let fined = Orders.accepted(by: try await wallet.people.customer("Omar"), noura).fined(1_000)
            try await wallet.hear(fined)
            #expect(try await listed("fines?order=\(fined.order.text)") == [fined.order.text])
            #expect(try await listed("fines?order=\(first)") == [])
            let debtors = try await wallet.csv("markets/assef/debtors.csv", admin)
            #expect(debtors.contains("\(fined.customer.account.text),850,SAR,1,"), "\(debtors)")
            let debtor = Person(account: fined.customer.account, name: "Omar", token: "")
            #expect(try await wallet.writeOff(400, of: debtor, admin).status == 200)
            let written = try await wallet.get("markets/assef/write-offs?account=\(debtor.account.text)", admin)
            #expect(written.items.map { $0["amount"]?["amount"]?.integer } == [400], "\(written.text)")
            #expect(written.items.first?["by"]?.string == admin.account.text)
            #expect(try await wallet.get("markets/assef/write-offs?account=\(first)", admin).items.isEmpty)
            let file = try await wallet.csv("markets/assef/write-offs.csv", admin)
            #expect(file.contains("\(debtor.account.text),400,SAR,Cannot be reached any more.,"), "\(file)")
            let waiting = try await wallet.get("markets/assef/approvals?kind=refund", admin)
            #expect(waiting.status == 200 && waiting.items.isEmpty)
            #expect(
                try await wallet.get("markets/assef/approvals?kind=x", admin).codes == ["/kind": "not-a-choice"])
        }
    }
}
