import Contracts
import Foundation
import NIOHTTP1
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("The audit log of talk", .timeLimit(.minutes(10)))
struct TalkAuditTests {
    @Test("P9, N6: what admins do about inquiries and reported messages, and what they read of them, is recorded once")
    func talk() async throws {
        try await AdminFixture.running { fixture async throws in
            let (subject, admin) = (UUID.timeOrdered(), fixture.admin.account)
            let read = NotificationsListViewed(
                market: "assef", list: "messages of a conversation", filter: ["id": subject.text], isFile: false,
                by: admin, at: Date())
            let ids = (0...TalkManaged.Act.allCases.count).map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                for (index, act) in TalkManaged.Act.allCases.enumerated() {
                    try await fixture.tell(
                        TalkManaged(act: act, subject: subject, market: "assef", by: admin, at: Date()), id: ids[index])
                }
                try await fixture.tell(read, id: ids[TalkManaged.Act.allCases.count])
            }
            let entries = try await eventually(
                "all are recorded", value: { try await fixture.read("/admin/v1/audit?viewed=true").items }
            ) { $0.count == TalkManaged.Act.allCases.count + 1 }
            #expect(
                Set(entries.compactMap { $0["action"]?.string })
                    == Set(TalkManaged.Act.allCases.map(\.rawValue) + ["list.viewed"]))
            #expect(entries.allSatisfy { $0["service"]?.string == "notifications" })
            #expect(entries.allSatisfy { $0["by"]?["account"]?.string == admin.text })
        }
    }

    @Test("P9, N1: that an admin took, gave back or ended something of the inbox is recorded once, with what it was")
    func inbox() async throws {
        try await AdminFixture.running { fixture async throws in
            let (subject, admin) = (UUID.timeOrdered(), fixture.admin.account)
            let ids = AdminItemManaged.Act.allCases.map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                for (act, id) in zip(AdminItemManaged.Act.allCases, ids) {
                    try await fixture.tell(
                        AdminItemManaged(
                            act: act, item: .timeOrdered(), market: "assef", kind: "cash-out", subject: subject,
                            by: admin, at: Date()), id: id)
                }
            }
            let entries = try await eventually(
                "all are recorded", value: { try await fixture.read("/admin/v1/audit").items }
            ) { $0.count == AdminItemManaged.Act.allCases.count }
            #expect(
                Set(entries.compactMap { $0["action"]?.string }) == Set(AdminItemManaged.Act.allCases.map(\.rawValue)))
            for entry in entries {
                #expect(entry["subject"]?.string == subject.text && entry["by"]?["account"]?.string == admin.text)
                #expect(entry["after"]?["kind"]?.string == "cash-out")
            }
        }
    }

    @Test("P9, N5: what admins do about a notice to many is recorded once, with whom it goes to and without its words")
    func notices() async throws {
        try await AdminFixture.running { fixture async throws in
            let (notice, admin, due) = (UUID.timeOrdered(), fixture.admin.account, Date())
            let ids = NoticeManaged.Act.allCases.map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                for (act, id) in zip(NoticeManaged.Act.allCases, ids) {
                    try await fixture.tell(
                        NoticeManaged(
                            act: act, notice: notice, market: "assef", audience: "providers", title: "nurse",
                            language: nil, dueAt: due, by: admin, at: Date()), id: id)
                }
            }
            let entries = try await eventually(
                "all are recorded", value: { try await fixture.read("/admin/v1/audit").items }
            ) { $0.count == NoticeManaged.Act.allCases.count }
            #expect(
                Set(entries.compactMap { $0["action"]?.string }) == Set(NoticeManaged.Act.allCases.map(\.rawValue)))
            for entry in entries {
                #expect(entry["subject"]?.string == notice.text && entry["by"]?["account"]?.string == admin.text)
                #expect(entry["after"]?["audience"]?.string == "providers")
                #expect(entry["after"]?["title"]?.string == "nurse")
            }
        }
    }
}
