import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("The log of rights of support", .timeLimit(.minutes(15)))
struct SupportAuditTests {
    @Test("P9, I13: rights of support that are given and taken are recorded as that")
    func support() async throws {
        try await AdminFixture.running { fixture async throws in
            for (index, isGiven) in [true, false].enumerated() {
                var changed = AdminChanged(
                    account: .timeOrdered(), market: "assef", isAdmin: isGiven, by: fixture.master.account,
                    at: Date(timeIntervalSince1970: 1_772_360_000 + Double(index)))
                changed.rank = "support"
                try await fixture.tell(changed)
            }
            try await eventually("both are recorded", value: { try await fixture.acts(as: fixture.master) }) {
                $0.count == 2
            }
            #expect(
                try await fixture.acts(as: fixture.master).compactMap { $0["action"]?.string } == [
                    "support.revoked", "support.granted",
                ])
        }
    }
}
