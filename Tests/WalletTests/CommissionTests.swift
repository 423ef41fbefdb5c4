import Contracts
import Foundation
import Messaging
import Postgres
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
            try await meal(wallet, salem, noura, bakery, cost: 3_333)
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
                    "merchant,1500,1,2333,350,SAR", "platform,10000,2,716,716,SAR", "provider,1500,3,14834,2225,SAR",
                    "fines,,,,0,SAR",
                ], "\(file)")
            let later = try await wallet.csv("markets/assef/commissions.csv?from=2100-01-01T00:00:00Z", admin)
            #expect(later.split(separator: "\r\n").dropFirst() == ["fines,,,,0,SAR"], "\(later)")
            #expect(try await wallet.get("markets/assef/commissions.csv?from=then", admin).status == 400)
            let told = answer.items.compactMap { $0["commission"]?.integer }.reduce(0, +)
            #expect(try await wallet.platform() == told)
            try await wallet.expectSound()
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
    private func meal(
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
