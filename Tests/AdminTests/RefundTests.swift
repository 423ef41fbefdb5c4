import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Refunds in the audit log", .timeLimit(.minutes(15)))
struct RefundTests {
    @Test("P9, W8: a refund is in the audit log with its admin, its amount, who funds it and why, once")
    func refunded() async throws {
        try await AdminFixture.running { fixture async throws in
            let order = UUID.timeOrdered()
            let refunded = PaymentRefunded(
                refund: .timeOrdered(), order: order, market: "assef", customer: .timeOrdered(),
                amount: Money(amount: 4_000, currency: "SAR"), to: .wallet, fundedBy: .provider,
                funder: .timeOrdered(), reason: "Came late", by: fixture.admin.account,
                at: Date(timeIntervalSince1970: 1_772_360_000))
            try await fixture.tell(refunded)
            try await eventually("it is recorded") {
                try await fixture.acts().count == 1
            }
            let entry = try #require(try await fixture.acts().first)
            #expect(entry["action"]?.string == "payment.refunded" && entry["subject"]?.string == order.text)
            #expect(entry["after"]?["amount"]?.string == "4000 SAR")
            #expect(entry["after"]?["fundedBy"]?.string == "provider")
            #expect(entry["after"]?["reason"]?.string == "Came late")
        }
    }
}
