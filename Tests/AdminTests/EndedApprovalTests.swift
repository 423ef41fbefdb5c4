import Contracts
import Foundation
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin

@Suite("Write-offs, and approvals that end by themselves, in the audit log", .timeLimit(.minutes(5)))
struct EndedApprovalTests {
    @Test("P9, W5: what ends without a second admin is recorded as nobody's act, with the admin who began it")
    func endedApprovals() async throws {
        try await AdminFixture.running { fixture async throws in
            let ended = ApprovalEnded(
                approval: .timeOrdered(), market: "assef", kind: "cashOut", subject: .timeOrdered(),
                amount: Money(amount: 300_000, currency: "SAR"), reason: "charge-disputed",
                begunBy: fixture.admin.account, at: Date(timeIntervalSince1970: 1_772_360_000))
            for id in Array(repeating: UUID.timeOrdered(), count: 2) { try await fixture.tell(ended, id: id) }
            try await eventually("it is recorded", value: { try await fixture.read("/admin/v1/audit").items }) {
                !$0.isEmpty
            }
            let entries = try await fixture.read("/admin/v1/audit").items
            #expect(entries.compactMap { $0["action"]?.string } == ["approval.ended"])
            #expect(entries[0]["after"]?["begunBy"]?.string == fixture.admin.account.text)
            #expect(entries[0]["subject"]?.string == ended.approval.text)
        }
    }

    @Test("P9, W8: who writes off a debt, and who begins or rejects it, is recorded once")
    func writeOffs() async throws {
        try await AdminFixture.running { fixture async throws in
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            var changed = WriteOffChanged(
                writeOff: .timeOrdered(), market: "assef", account: .timeOrdered(),
                amount: Money(amount: 250_000, currency: "SAR"), state: .waiting, reason: "Cannot be reached.",
                by: fixture.admin.account, at: at)
            for id in Array(repeating: UUID.timeOrdered(), count: 2) { try await fixture.tell(changed, id: id) }
            for (index, state) in [WriteOffChanged.State.made, .rejected].enumerated() {
                (changed.state, changed.at) = (state, at + Double(index + 1))
                try await fixture.tell(changed, id: .timeOrdered())
            }
            try await eventually("all are recorded", value: { try await fixture.read("/admin/v1/audit").items }) {
                $0.count == 3
            }
            let entries = try await fixture.read("/admin/v1/audit").items
            #expect(
                entries.compactMap { $0["action"]?.string } == [
                    "write-off.rejected", "write-off.made", "write-off.begun",
                ])
            #expect(entries.allSatisfy { $0["after"]?["account"]?.string == changed.account.text })
        }
    }
}
