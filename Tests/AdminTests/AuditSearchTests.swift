import Contracts
import Foundation
import Messaging
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("Searches of the audit log", .timeLimit(.minutes(15)))
struct AuditSearchTests {
    private static let start = Date(timeIntervalSince1970: 1_772_360_000)

    /// Six entries, a minute apart, in two markets by two admins.
    private struct Log {
        let first = UUID.timeOrdered()
        let second = UUID.timeOrdered()
        let customer = UUID.timeOrdered()
        let other = UUID.timeOrdered()
        let order = UUID.timeOrdered()

        var entries: [AuditEntry] {
            get throws {
                func entry(
                    _ minute: Int, _ market: String, _ action: String, _ by: UUID?, _ subject: String,
                    _ after: [String: String] = [:], before: [String: String] = [:]
                ) throws -> AuditEntry {
                    AuditEntry(
                        id: .timeOrdered(), at: AuditSearchTests.start + Double(minute * 60), market: market,
                        service: "dispatch", action: action, account: by, subject: subject,
                        before: before.isEmpty ? nil : try AuditEntry.values(before),
                        after: after.isEmpty ? nil : try AuditEntry.values(after))
                }
                return [
                    try entry(0, "assef", "account.banned", first, customer.text, ["reason": "Threatened a driver"]),
                    try entry(1, "assef", "order.cancelled", second, order.text, ["customer": customer.text]),
                    try entry(2, "assef", "list.viewed", first, "people", ["name": "given"]),
                    try entry(
                        3, "assef", "setting.changed", first, "acceptWindowSeconds", ["value": "90"],
                        before: ["value": "60"]),
                    try entry(4, "btnc", "account.banned", second, other.text, ["reason": "هدد سائقًا"]),
                    // A value longer than an index takes.
                    try entry(
                        5, "btnc", "setting.changed", nil, "serviceArea",
                        ["value": String(repeating: "21.4 39.8 ", count: 1_800)]),
                ]
            }
        }
    }

    private func running(_ body: (AdminFixture, Log, [AuditEntry]) async throws -> Void) async throws {
        try await AdminFixture.running { fixture async throws in
            let log = Log()
            let entries = try log.entries
            try await fixture.pool.withTransaction { transaction in
                for entry in entries { transaction.send(InsertAudit(entry)) }
            }
            try await body(fixture, log, entries)
        }
    }

    @Test("P9: the log is searched by act, admin, person, thing, time and words, alone and together")
    func filters() async throws {
        try await running { fixture, log, entries in
            func found(_ query: String, as caller: TestCaller? = nil) async throws -> [Int] {
                let items = try await fixture.read("/admin/v1/audit?\(query)", as: caller ?? fixture.master).items
                return items.compactMap { item in entries.firstIndex { $0.id.text == item["id"]?.string } }
            }
            func at(_ minute: Int) -> String { Timestamp.text(Self.start + Double(minute * 60)) }
            let arabic = try #require("سائق".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let cases: [(String, [Int])] = [
                ("", [5, 4, 3, 1, 0]), ("viewed=true", [5, 4, 3, 2, 1, 0]), ("viewed=false", [5, 4, 3, 1, 0]),
                ("market=btnc", [5, 4]), ("market=assef&viewed=true", [3, 2, 1, 0]),
                ("action=account.banned", [4, 0]), ("action=list.viewed", [2]), ("action=nothing.done", []),
                ("by=\(log.first.text)", [3, 0]), ("by=\(log.first.uuidString)&viewed=true", [3, 2, 0]),
                ("about=\(log.customer.text)", [1, 0]), ("about=\(log.order.text)", [1]),
                ("subject=\(log.customer.uuidString)", [0]), ("subject=acceptWindowSeconds", [3]),
                ("text=THREAT", [0]), ("text=threatened%20driv", [0]), ("text=driver%20cancelled", []),
                ("text=\(arabic)", [4]), ("text=acceptwindow", [3]), ("text=60", [3]), ("text=", [5, 4, 3, 1, 0]),
                ("text=39.8", [5]),
                ("from=\(at(1))&to=\(at(4))", [3, 1]), ("to=\(at(0))", []), ("from=\(at(5))", [5]),
                ("action=account.banned&about=\(log.customer.text)&by=\(log.second.text)", []),
                ("subject=\(log.order.text)&about=\(log.customer.text)&market=assef&text=cancel", [1]),
            ]
            for (query, expected) in cases {
                #expect(try await found(query) == expected, "\(query)")
            }
            // A market's admin finds nothing of another, by no filter.
            #expect(try await found("", as: fixture.admin) == [3, 1, 0])
            for query in ["action=account.banned", "text=\(arabic)", "by=\(log.second.text)", "subject=serviceArea"] {
                let own = try await found(query, as: fixture.admin)
                #expect(own.allSatisfy { $0 < 4 }, "\(query): \(own)")
            }
            #expect(try await found("about=\(log.other.text)", as: fixture.admin) == [])
        }
    }

    @Test("P9, P10: what cannot be searched for is refused by its name")
    func refusals() async throws {
        try await running { fixture, log, _ in
            let cases = [
                ("by=x", "/by", "not-an-id"), ("about=x", "/about", "not-an-id"), ("from=2026", "/from", "not-a-time"),
                ("viewed=yes", "/viewed", "not-a-choice"), ("text=%27%26!", "/text", "invalid-value"),
                ("text=\(String(repeating: "a", count: 101))", "/text", "too-long"),
            ]
            for path in ["audit", "audit.csv"] {
                for (query, field, code) in cases {
                    let answer = try await fixture.send(.GET, "/admin/v1/\(path)?\(query)", as: fixture.admin)
                    #expect(answer.status == 400, "\(path)?\(query): \(answer.text)")
                    #expect(try answer.codes == [field: code], "\(path)?\(query)")
                }
                #expect(
                    try await fixture.send(.GET, "/admin/v1/\(path)?market=btnc", as: fixture.admin).status == 403)
            }
            // A page of one search does not go on in another.
            let next = try await fixture.read("/admin/v1/audit?limit=1&by=\(log.first.text)")["next"]?.string ?? ""
            let other = try await fixture.send(
                .GET, "/admin/v1/audit?limit=1&by=\(log.second.text)&cursor=\(next)", as: fixture.admin)
            #expect(other.status == 400)
            #expect(try other.slug == "invalid-cursor")
        }
    }

    @Test("P9: a search is read by pages without gaps or repeats")
    func pages() async throws {
        try await running { fixture, log, entries in
            for query in ["viewed=true", "by=\(log.first.text)", "text=9"] {
                var ids: [String] = []
                var cursor = ""
                repeat {
                    let page = try await fixture.read(
                        "/admin/v1/audit?\(query)&limit=1\(cursor)", as: fixture.master)
                    #expect(page.items.count <= 1)
                    ids += page.items.compactMap { $0["id"]?.string }
                    cursor = page["next"]?.string.map { "&cursor=\($0)" } ?? ""
                } while !cursor.isEmpty
                let whole = try await fixture.read("/admin/v1/audit?\(query)", as: fixture.master).items
                #expect(ids == whole.compactMap { $0["id"]?.string }, "\(query)")
                #expect(!ids.isEmpty && ids.count <= entries.count, "\(query)")
            }
        }
    }

    @Test("P9: the log as a file has what was before and after, by the same filters, and is itself an entry")
    func file() async throws {
        try await running { fixture, log, _ in
            let answer = try await fixture.send(
                .GET, "/admin/v1/audit.csv?by=\(log.first.text)", as: fixture.admin, headers: ["Accept-Language": "ar"])
            #expect(answer.status == 200, "\(answer.text)")
            let lines = answer.text.split(separator: "\r\n")
            #expect(lines.count == 3)
            #expect(lines.first?.contains("الإجراء") == true)
            let change = lines.first { $0.contains("setting.changed") } ?? ""
            #expect(change.contains(#"{""value"": ""60""}"#) && change.contains(#"{""value"": ""90""}"#), "\(change)")
            let entry = try #require(
                try await fixture.read("/admin/v1/audit?action=list.exported", as: fixture.master).items.first)
            #expect(entry["subject"]?.string == "audit.csv")
            #expect(entry["after"] == .object(["by": .string(log.first.text)]))
        }
    }
}
