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

@Suite("The audit log", .timeLimit(.minutes(15)))
struct AuditTests {
    private func log(
        _ fixture: AdminFixture, _ query: String = "", as caller: TestCaller? = nil
    ) async throws -> [JSONValue] {
        try await fixture.read("/admin/v1/audit?viewed=true\(query)", as: caller).items.filter {
            $0["action"]?.string?.hasPrefix("list.") == false
        }
    }

    @Test("P9: what admins did in identity is recorded once, however often it is told")
    func otherServices() async throws {
        try await AdminFixture.running { fixture async throws in
            let provider = account(name: "نورة", roles: [.init(market: "assef", role: "provider", verified: true)])
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            let verified = ProviderVerified(
                account: provider, market: "assef", by: fixture.admin.account, at: at)
            let rejected = ProviderRejected(
                account: provider, market: "assef", reason: "The licence has expired.", by: fixture.admin.account,
                at: at + 60)
            let ids = [UUID.timeOrdered(), .timeOrdered()]
            for _ in 0..<3 {
                try await fixture.tell(rejected, id: ids[1])
                try await fixture.tell(verified, id: ids[0])
            }
            try await eventually("both are recorded", value: { try await log(fixture) }) { $0.count == 2 }
            // What is told last has been handled too when a later event has.
            try await fixture.tell(AccountChanged(account: account(name: "Last"), at: at))
            try await eventually("the last event is handled") {
                try await fixture.read("/admin/v1/markets/assef/people?name=Last").items.count == 1
            }
            let entries = try await log(fixture)
            #expect(entries.compactMap { $0["action"]?.string } == ["provider.rejected", "provider.verified"])
            #expect(entries[0]["after"] == .object(["reason": "The licence has expired."]))
            #expect(entries.allSatisfy { $0["about"]?["name"]?.string == provider.name }, "\(entries)")
            #expect(entries[1]["after"] == nil)
            #expect(entries[0]["by"]?["account"]?.string == fixture.admin.account.uuidString.lowercased())
            #expect(entries[0]["subject"]?.string == provider.account.uuidString.lowercased())
            #expect(entries[0]["service"]?.string == "identity")
            #expect(entries[1]["at"]?.string == Timestamp.text(at))
        }
    }

    @Test("P9, I7: an admin's looks at a provider's documents, and words on them, are recorded once")
    func documents() async throws {
        try await AdminFixture.running { fixture async throws in
            let (provider, document) = (UUID.timeOrdered(), UUID.timeOrdered())
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            let admin = fixture.admin.account
            let looked = DocumentViewed(
                account: provider, market: "assef", kind: "licence", document: document, by: admin, at: at)
            let details = DocumentViewed(
                account: provider, market: "assef", kind: "details", document: nil, by: admin, at: at + 1)
            let refused = DocumentDecided(
                account: provider, market: "assef", kind: "licence", document: document, isVerified: false,
                reason: "Forged.", by: admin, at: at + 2)
            let verified = DocumentDecided(
                account: provider, market: "assef", kind: "licence", document: document, isVerified: true, reason: nil,
                by: admin, at: at + 3)
            let ids = (0..<4).map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                try await fixture.tell(looked, id: ids[0])
                try await fixture.tell(details, id: ids[1])
                try await fixture.tell(refused, id: ids[2])
                try await fixture.tell(verified, id: ids[3])
            }
            try await eventually("all are recorded", value: { try await log(fixture) }) { $0.count == 4 }
            let entries = try await log(fixture)
            #expect(
                entries.compactMap { $0["action"]?.string } == [
                    "document.verified", "document.rejected", "document.viewed", "document.viewed",
                ])
            #expect(entries.allSatisfy { $0["subject"]?.string == provider.text })
            #expect(entries.allSatisfy { $0["by"]?["account"]?.string == admin.text })
            #expect(entries[1]["after"]?["reason"]?.string == "Forged.")
            #expect(entries[2]["after"]?["kind"]?.string == "details")
            #expect(entries[3]["after"]?["document"]?.string == document.text)
        }
    }

    @Test(
        "P9, P10: a filter that a list does not have is refused and not taken for none, and nothing of it is recorded")
    func unknownFilters() async throws {
        try await AdminFixture.running { fixture async throws in
            for path in ["audit?actor=zz", "markets/assef/people?search=Huda", "markets/assef/orders?name=x"] {
                let answer = try await fixture.send(.GET, "/admin/v1/\(path)", as: fixture.admin)
                #expect(answer.status == 400, "\(path): \(answer.text)")
                #expect(answer.text.contains("unknown-parameter"), "\(path): \(answer.text)")
            }
            let log = try await fixture.read("/admin/v1/audit?viewed=true&limit=5").items
            #expect(!log.contains { $0["action"]?.string?.hasPrefix("list.") == true })
        }
    }

    @Test("P9: what admins look at of many people is recorded with what they asked for, and with nothing that they saw")
    func reads() async throws {
        try await AdminFixture.running { fixture async throws in
            func looks() async throws -> [JSONValue] {
                try await fixture.read("/admin/v1/audit?viewed=true").items.filter {
                    $0["action"]?.string?.hasPrefix("list.") == true
                }
            }
            _ = try await fixture.read("/admin/v1/markets/assef/people?name=Huda&limit=5")
            #expect(try await fixture.send(.GET, "/admin/v1/markets/assef/orders.csv", as: fixture.admin).status == 200)
            // Nothing is shown by these.
            #expect(try await fixture.send(.HEAD, "/admin/v1/markets/assef/people", as: fixture.admin).status == 200)
            #expect(try await fixture.send(.GET, "/admin/v1/markets/btnc/people", as: fixture.admin).status == 403)
            #expect(
                try await fixture.send(.GET, "/admin/v1/markets/assef/people?role=x", as: fixture.admin).status == 400)
            let own = try await looks()
            #expect(own.compactMap { $0["action"]?.string } == ["list.exported", "list.viewed"])
            #expect(own.compactMap { $0["subject"]?.string } == ["orders.csv", "people"])
            #expect(own[1]["after"] == .object(["name": "given"]))
            #expect(own.allSatisfy { $0["by"]?["account"]?.string == fixture.admin.account.text })
            #expect(own.allSatisfy { $0["market"]?.string == "assef" && $0["service"]?.string == "admin" })
            let viewed = WalletListViewed(
                market: "assef", list: "payments.csv", filter: ["from": "2026-03-01"], isFile: true,
                by: fixture.admin.account, at: Date())
            let looked = IdentityListViewed(
                market: "assef", list: "bans", filter: ["page": "later"], isFile: false, by: fixture.admin.account,
                at: Date())
            let seen = DispatchListViewed(
                market: "assef", list: "clients", filter: [:], isFile: false, by: fixture.admin.account, at: Date())
            let ids = (0..<3).map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                try await fixture.tell(viewed, id: ids[0])
                try await fixture.tell(looked, id: ids[1])
                try await fixture.tell(seen, id: ids[2])
            }
            let all = try await eventually("all are recorded", value: { try await looks() }) { $0.count == 5 }
            let told = all.filter { $0["service"]?.string != "admin" }
            #expect(Set(told.compactMap { $0["subject"]?.string }) == ["payments.csv", "bans", "clients"])
            #expect(told.first { $0["subject"]?.string == "payments.csv" }?["action"]?.string == "list.exported")
            #expect(told.first { $0["subject"]?.string == "bans" }?["after"] == .object(["page": "later"]))
        }
    }

    @Test("P9: an admin's look at where the provider of an order was is recorded once")
    func trail() async throws {
        try await AdminFixture.running { fixture async throws in
            let viewed = TrailViewed(
                order: .timeOrdered(), market: "assef", by: fixture.admin.account,
                at: Date(timeIntervalSince1970: 1_772_360_000))
            let id = UUID.timeOrdered()
            for _ in 0..<2 { try await fixture.tell(viewed, id: id) }
            try await eventually("it is recorded", value: { try await log(fixture) }) { $0.count == 1 }
            let entry = try #require(try await log(fixture).first)
            #expect(entry["action"]?.string == "trail.viewed" && entry["service"]?.string == "dispatch")
            #expect(entry["subject"]?.string == viewed.order.text)
            #expect(entry["by"]?["account"]?.string == viewed.by.text)
        }
    }

    @Test(
        "P9: what admins decide about cash-outs, frozen wallets, plans and codes is recorded once, however often told")
    func wallet() async throws {
        try await AdminFixture.running { fixture async throws in
            let (cashOut, code) = (UUID.timeOrdered(), UUID.timeOrdered())
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            let admin = fixture.admin.account
            let decided = CashOutDecided(
                cashOut: cashOut, account: .timeOrdered(), market: "assef",
                amount: Money(amount: 5_000, currency: "SAR"), isAccepted: false, reason: "Another holder.", by: admin,
                at: at)
            let managed = WalletManaged(
                market: "assef", act: .promoCodeCreated, subject: code, details: ["code": "SPRING"], by: admin,
                at: at + 1)
            let unfrozen = WalletUnfrozen(
                account: .timeOrdered(), market: "assef", reason: "Decided.", by: admin, at: at + 2)
            let ids = (0..<3).map { _ in UUID.timeOrdered() }
            for _ in 0..<2 {
                try await fixture.tell(decided, id: ids[0])
                try await fixture.tell(managed, id: ids[1])
                try await fixture.tell(unfrozen, id: ids[2])
            }
            try await eventually("all are recorded", value: { try await log(fixture) }) { $0.count == 3 }
            let entries = try await log(fixture)
            #expect(
                entries.compactMap { $0["action"]?.string } == [
                    "wallet.unfrozen", "promo-code.created", "cash-out.rejected",
                ])
            #expect(entries.compactMap { $0["subject"]?.string } == [unfrozen.account.text, code.text, cashOut.text])
            #expect(entries.allSatisfy { $0["by"]?["account"]?.string == admin.text })
            #expect(entries[2]["after"]?["reason"]?.string == "Another holder.")
            #expect(entries[0]["after"]?["reason"]?.string == "Decided.")
        }
    }

    @Test("P9, A1: who began what needs a second admin, and who decided, is recorded once")
    func approvals() async throws {
        try await AdminFixture.running { fixture async throws in
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            var changed = ApprovalChanged(
                approval: .timeOrdered(), market: "assef", kind: .refund, state: .waiting, subject: .timeOrdered(),
                amount: Money(amount: 250_000, currency: "SAR"), by: fixture.admin.account, at: at)
            let ids = (0..<2).map { _ in UUID.timeOrdered() }
            for _ in 0..<2 { try await fixture.tell(changed, id: ids[0]) }
            (changed.state, changed.reason, changed.at) = (.rejected, "Too much.", at + 1)
            try await fixture.tell(changed, id: ids[1])
            try await eventually("both are recorded", value: { try await log(fixture) }) { $0.count == 2 }
            let entries = try await log(fixture)
            #expect(entries.compactMap { $0["action"]?.string } == ["approval.rejected", "approval.begun"])
            #expect(entries.allSatisfy { $0["subject"]?.string == changed.approval.text })
            #expect(entries[0]["after"]?["reason"]?.string == "Too much.")
        }
    }

    @Test("P9, I13: an admin made at the command line is recorded, by nobody's account, for the admins of the market")
    func operators() async throws {
        try await AdminFixture.running { fixture async throws in
            let (fresh, id) = (UUID.timeOrdered(), UUID.timeOrdered())
            for (market, account, id) in [
                ("assef", fresh, id), ("assef", fresh, id), ("*", .timeOrdered(), .timeOrdered()),
            ] {
                try await fixture.tell(
                    AdminChanged(account: account, market: market, isAdmin: true, by: nil, at: Date()), id: id)
            }
            for (caller, count) in [(fixture.admin, 1), (fixture.master, 2)] {
                try await eventually("it is recorded", value: { try await log(fixture, as: caller) }) {
                    $0.count == count
                }
            }
            let entry = try #require(try await log(fixture, as: fixture.admin).first)
            #expect(entry["action"]?.string == "admin.granted" && entry["service"]?.string == "identity")
            #expect(entry["subject"]?.string == fresh.text)
            #expect(entry["by"] == nil)
        }
    }

    @Test("P9, Q7: admins of a market see their market's entries alone, and a master admin all")
    func markets() async throws {
        try await AdminFixture.running { fixture async throws in
            for market in ["assef", "hajji", "btnc"] {
                try await fixture.pool.withTransaction { transaction in
                    RecordAdminAct.verified(
                        ProviderVerified(account: account(), market: market, by: UUID(), at: Date()),
                        message: .timeOrdered(), in: transaction)
                }
            }
            func markets(_ query: String, _ caller: TestCaller) async throws -> Set<String> {
                Set(try await log(fixture, query, as: caller).compactMap { $0["market"]?.string })
            }
            let both = TestCaller(roles: ["assef", "btnc"].map { MarketRole(market: $0, role: "admin") })
            #expect(try await markets("", fixture.admin) == ["assef"])
            #expect(try await markets("", both) == ["assef", "btnc"])
            #expect(try await markets("&market=btnc", both) == ["btnc"])
            #expect(try await markets("", fixture.master) == ["assef", "hajji", "btnc"])
            #expect(try await markets("&market=hajji", fixture.master) == ["hajji"])
            #expect(try await fixture.send(.GET, "/admin/v1/audit?market=hajji", as: both).status == 403)
        }
    }

    @Test("P9: the log is read by pages, newest first, without gaps or repeats")
    func pages() async throws {
        try await AdminFixture.running { fixture async throws in
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            for number in 0..<23 {
                try await fixture.pool.withTransaction { transaction in
                    // Several in the same moment.
                    RecordAdminAct.verified(
                        ProviderVerified(
                            account: account(), market: "assef", by: UUID(), at: at + Double(number / 4)),
                        message: .timeOrdered(), in: transaction)
                }
            }
            for caller in [fixture.admin, fixture.master] {
                var ids: [String] = []
                var times: [String] = []
                var cursor: String?
                repeat {
                    let query = cursor.map { "?limit=5&cursor=\($0)" } ?? "?limit=5"
                    let page = try await fixture.read("/admin/v1/audit\(query)", as: caller)
                    ids += page.items.compactMap { $0["id"]?.string }
                    times += page.items.compactMap { $0["at"]?.string }
                    cursor = page["next"]?.string
                } while cursor != nil
                #expect(ids.count == 23)
                #expect(Set(ids).count == 23)
                #expect(times == times.sorted(by: >))
            }
            let mine = try await fixture.read("/admin/v1/audit?limit=5")["next"]?.string ?? ""
            let other = try await fixture.send(.GET, "/admin/v1/audit?cursor=\(mine)", as: fixture.master)
            #expect(other.status == 400)
            #expect(try other.slug == "invalid-cursor")
        }
    }

    @Test("P9: the database refuses to change, delete or empty the log")
    func appendOnly() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                try await pool.withTransaction { transaction in
                    RecordAdminAct.verified(
                        ProviderVerified(account: account(), market: "assef", by: UUID(), at: Date()),
                        message: .timeOrdered(), in: transaction)
                }
                func refuses(_ statement: some Statement) async {
                    do {
                        _ = try await pool.execute(statement)
                        Issue.record("\(type(of: statement)) went through")
                    } catch {
                        #expect(error.sqlState?.rawValue == "42501")
                    }
                }
                await refuses(ChangeAudit())
                await refuses(DeleteAudit())
                await refuses(TruncateAudit())
                await refuses(ChangeNothing())
                let page = AuditPage(filter: AuditFilter(markets: []), before: .newest, limit: 10)
                #expect(try await pool.query(ListAudit(page: page)).count == 1)
            }
        }
    }
}

private struct ChangeAudit: Statement {
    static let sql: SQL = "UPDATE audit SET subject = 'somebody else'"
}

private struct DeleteAudit: Statement {
    static let sql: SQL = "DELETE FROM audit"
}

private struct TruncateAudit: Statement {
    static let sql: SQL = "TRUNCATE audit"
}

/// Refused although no row is meant.
private struct ChangeNothing: Statement {
    static let sql: SQL = "UPDATE audit SET subject = '' WHERE false"
}
