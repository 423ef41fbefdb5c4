import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("Fines as who pays them sees them", .timeLimit(.minutes(15)))
struct OwnFineTests {
    @Test("A12, O2: who was fined sees each fine, until when it is to be paid, and what it blocks; nobody else sees it")
    func own() async throws {
        try await WalletFixture.run { wallet in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let orders = [Orders.accepted(by: salem, noura), Orders.accepted(by: salem, noura)]
            for (index, order) in orders.enumerated() { try await wallet.hear(order.fined(500 + index)) }
            let first = try await wallet.get("fines?limit=1", salem)
            #expect(first.status == 200 && first.items.count == 1, "\(first.text)")
            let cursor = try #require(first.json["next"]?.string)
            let second = try await wallet.get("fines?limit=1&cursor=\(cursor)", salem)
            #expect(second.json["next"] == nil)
            let found = (first.items + second.items).compactMap { $0["order"]?.string }
            #expect(Set(found) == Set(orders.map(\.order.text)), "\(first.text) \(second.text)")
            let fine = try #require(first.items.first)
            #expect(fine["state"]?.string == "unpaid" && fine["market"]?.string == "assef", "\(first.text)")
            #expect(fine["dueAt"]?.string != nil && fine["providerShare"] == nil && fine["provider"] == nil)
            #expect(fine["isOverdue"] == false && fine["blocks"] == false, "\(first.text)")
            #expect(first.json["owed"] == .array([.object(["amount": 1_001, "currency": "SAR"])]), "\(first.text)")
            #expect(try await wallet.get("fines", noura).items.isEmpty)
            #expect(try await wallet.get("fines?market=btnc", salem).items.isEmpty)
            #expect(try await wallet.get("fines?state=open", salem).status == 400)
            #expect(try await wallet.get("fines", nil).status == 401)
            try await wallet.withDeadlines {
                try await wallet.age(salem, days: 31)
                try await TestKit.eventually("it blocks") {
                    try await wallet.get("fines?state=unpaid", salem).items.allSatisfy {
                        $0["blocks"] == true && $0["isOverdue"] == true
                    }
                }
                try await wallet.give(1_001, to: salem)
                try await TestKit.eventually("both are paid") {
                    try await wallet.get("fines?state=paid", salem).items.count == 2
                }
            }
            let paid = try await wallet.get("fines", salem)
            #expect(paid.items.allSatisfy { $0["blocks"] == false && $0["paidAt"]?.string != nil }, "\(paid.text)")
            #expect(paid.json["owed"] == .array([]))
        }
    }
}
