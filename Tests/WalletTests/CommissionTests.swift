import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("What the platform has of orders, by whom", .timeLimit(.minutes(15)))
struct CommissionTests {
    @Test("W6, W8: commissions are told for each party: provider, merchant, and what the platform sells; they add up")
    func parties() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let (admin, bakery) = (try await wallet.admin(), try await wallet.people.provider("Bakery"))
            try await wallet.give(50_000, to: salem)
            _ = try await wallet.captured(salem, noura, amount: 12_000)
            _ = try await wallet.captured(salem, noura, by: "cash", amount: 2_000)
            try await hire(wallet, salem, noura, cost: 550)
            try await Self.meal(wallet, salem, noura, bakery, cost: 3_333)
            let answer = try await wallet.get("markets/assef/commissions", admin)
            let rows = answer.items.map { row in
                let numbers = ["basisPoints", "payments", "revenue", "commission"].map { row[$0]?.integer ?? -1 }
                return "\(row["party"]?.string ?? "") \(numbers)"
            }
            #expect(
                rows == [
                    // 2333.1 of the meal.
                    "merchant [1500, 1, 2333, 350]",
                    // All of the hire, and 166.65 of the meal: its fee.
                    "platform [10000, 2, 716, 716]",
                    // Two visits, and 833.25 of the meal with what rounding leaves.
                    "provider [1500, 3, 14834, 2225]",
                ], "\(answer.text)")
            let file = try await wallet.csv("markets/assef/commissions.csv", admin)
            #expect(
                file.split(separator: "\r\n").dropFirst() == [
                    "Merchant,1500,1,2333,350,SAR", "Platform,10000,2,716,716,SAR", "Provider,1500,3,14834,2225,SAR",
                    "Fines,,,,0,SAR",
                ], "\(file)")
            let later = try await wallet.csv("markets/assef/commissions.csv?from=2100-01-01T00:00:00Z", admin)
            #expect(later.split(separator: "\r\n").dropFirst() == ["Fines,,,,0,SAR"], "\(later)")
            #expect(try await wallet.get("markets/assef/commissions.csv?from=then", admin).status == 400)
            let told = answer.items.compactMap { $0["commission"]?.integer }.reduce(0, +)
            #expect(try await wallet.platform() == told)
            try await wallet.expectSound()
        }
    }

    @Test("E1, W1, W8: an employed partner earns nothing of a price: no line, no share, no refund to fund")
    func employed() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (ada, paul) = (try await wallet.people.customer("Ada"), try await wallet.people.provider("Paul"))
            let admin = try await wallet.people.person("Admin", "admin", in: "edencare")
            try await wallet.give(10_000, to: ada)
            var order = Orders.accepted(by: ada, paul, amount: 3_000)
            order.market = "edencare"
            try await wallet.hear(order)
            try await wallet.pay(order, ada, held: "wallet")
            #expect(try await wallet.get("statement", paul).items.isEmpty)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            #expect(try await wallet.balance(paul) == 0)
            #expect(try await wallet.platform() == 3_000)
            #expect(try await wallet.get("statement", paul).items.isEmpty)
            let line = try #require(try await wallet.get("statement", ada).items.last)
            #expect(line["amount"]?.integer == -3_000)
            #expect(line["beneficiary"]?.string == PlatformName.of("edencare"))
            let told = try #require(try await wallet.outbox("wallet.payment.captured.v1").first)
            let captured = try JSON.wire.decode(PaymentCaptured.self, Array(told.utf8))
            #expect(captured.providerShare.amount == 0 && captured.platformShare.amount == 3_000)
            let his = try await wallet.refund(order, admin, 500, fundedBy: "provider")
            #expect(his.codes == ["/funder": "no-such-funder"], "\(his.text)")
            #expect(try await wallet.refund(order, admin, 500).status == 201)
            #expect(try await wallet.platform() == 2_500)
            // A tip is the partner's alone.
            #expect(
                try await wallet.post("orders/\(order.order.text)/tip", ada, #"{"amount": 400}"#).status == 201)
            #expect(try await wallet.balance(paul) == 400)
            try await wallet.expectSound()
        }
    }

    @Test("W8: what a command of another service gives the platform for an order is none of the order's commission")
    func commanded() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let admin = try await wallet.admin()
            try await wallet.give(50_000, to: salem)
            let order = try await wallet.captured(salem, noura, amount: 12_000)
            let before = try await wallet.get("markets/assef/commissions", admin)
            // A hold for the same order, half of it the platform's.
            let hold = Hold(
                id: .timeOrdered(), owner: salem.account, currency: "SAR", amount: 4_000, subject: order.order,
                expiresAt: nil)
            let outcomes = try await wallet.pool.withTransaction { transaction in
                try await Ledger.perform(
                    [
                        .place(hold),
                        .capture(
                            hold: hold.id, shares: [.init(to: .platform("SAR", for: order.order), amount: 2_000)]),
                    ], in: transaction)
            }
            for outcome in outcomes { if case .refused(let reason) = outcome { Issue.record("\(reason)") } }
            #expect(try await wallet.platform() == 1_800 + 2_000)
            #expect(try await wallet.get("markets/assef/commissions", admin).json == before.json)
            #expect(before.items.compactMap { $0["commission"]?.integer } == [1_800])
        }
    }

    /// The platform's own: nobody else is paid.
    private func hire(_ wallet: WalletFixture, _ customer: Person, _ provider: Person, cost: Int) async throws {
        let order = Orders.accepted(by: customer, provider, amount: 3_700).now(.pending, version: 1) {
            $0.kind = "bikePickUp"
            $0.provider = nil
        }
        try await wallet.hear(order)
        #expect(try await wallet.pay(order, customer, by: "wallet").status == 202)
        try await wallet.hear(order.now(.accepted, version: 2))
        try await wallet.hear(order.now(.completed, version: 3) { $0.total.amount = cost })
        #expect(try await wallet.state(of: order) == .captured)
    }

    /// A restaurant's and a courier's, and a fee of the platform's, that costs less in the end.
    static func meal(
        _ wallet: WalletFixture, _ customer: Person, _ courier: Person, _ bakery: Person, cost: Int
    ) async throws {
        var order = Orders.accepted(by: customer, courier, amount: 10_000)
        order.shares = [
            .init(party: .merchant, account: bakery.account, name: "Bakery", amount: 7_000),
            .init(party: .provider, account: courier.account, name: "Noura", amount: 2_500),
        ]
        try await wallet.hear(order)
        #expect(try await wallet.pay(order, customer, by: "wallet").status == 202)
        let done = order.now(.completed, version: 3) {
            $0.shares = nil
            $0.total.amount = cost
        }
        try await wallet.hear(done)
        #expect(try await wallet.state(of: order) == .captured)
    }
}
