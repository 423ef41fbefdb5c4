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

@Suite("Rebuilds over HTTP", .timeLimit(.minutes(15)))
struct RebuildRunTests {
    private static let path = "/admin/v1/rebuild"

    private func last(_ fixture: AdminFixture) async throws -> JSONValue? {
        try await fixture.read(Self.path, as: fixture.master)["last"]
    }

    private func people(_ count: Int, _ fixture: AdminFixture) async throws -> [AccountSnapshot] {
        let people = (0..<count).map {
            account(name: "Person \($0)", roles: [.init(market: "assef", role: "customer", verified: true)])
        }
        for person in people { try await fixture.tell(AccountRegistered(account: person, at: Date())) }
        try await eventually("all are known") {
            try await fixture.read("/admin/v1/markets/assef/people?limit=100").items.count == count
        }
        return people
    }

    private func tell(_ people: [AccountSnapshot], _ fixture: AdminFixture) async throws {
        try await fixture.tell(
            AccountsTold(
                range: ToldRange(after: nil, through: nil, readAt: Date()),
                accounts: people.sorted { $0.account.text < $1.account.text }.map {
                    AccountsTold.Told(account: $0, registeredAt: Date(), bans: [])
                }))
    }

    @Test("Q7: rebuilds are begun and seen by master admins alone")
    func matrix() async throws {
        try await AdminFixture.running { fixture async throws in
            let wrong: [(TestCaller?, Int)] = [
                (nil, 401), (TestCaller(roles: []), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "customer")]), 403),
                (TestCaller(roles: [MarketRole(market: "assef", role: "provider")]), 403), (fixture.admin, 403),
            ]
            for (caller, status) in wrong {
                #expect(try await fixture.send(.GET, Self.path, as: caller).status == status)
                #expect(try await fixture.send(.POST, Self.path, as: caller, body: "{}").status == status)
            }
            #expect(try await last(fixture) == nil)
            for (body, code) in [(#"{"parts":["cars"]}"#, "not-a-choice"), (#"{"parts":[]}"#, nil)]
                as [(String, String?)]
            {
                let answer = try await fixture.send(.POST, Self.path, as: fixture.master, body: body)
                #expect(answer.status == 422)
                if let code { #expect(try answer.codes == ["/parts": code]) }
            }
        }
    }

    @Test("P12: one runs at a time, tells how far it is, and ends when all rows have been told again")
    func whole() async throws {
        try await AdminFixture.running { fixture async throws in
            let known = try await people(5, fixture)
            let begun = try await fixture.send(.POST, Self.path, as: fixture.master, body: #"{"parts":["people"]}"#)
            #expect(begun.status == 202, "\(begun.text)")
            #expect(try begun.json["state"]?.string == "doubting")
            let second = try await fixture.send(.POST, Self.path, as: fixture.master, body: "{}")
            #expect(second.status == 409)
            #expect(try second.slug == "rebuild-running")
            let asked = try await eventually("owners are asked", value: { try await last(fixture) }) {
                $0?["state"]?.string == "telling"
            }
            #expect(asked?["rows"]?.integer == 5 && asked?["left"]?.integer == 5)
            // Who uses the copies meanwhile sees what there was.
            #expect(try await fixture.read("/admin/v1/markets/assef/people").items.count == 5)
            try await tell(known, fixture)
            let done = try await eventually(within: .seconds(60), "it has ended", value: { try await last(fixture) }) {
                $0?["state"]?.string == "done"
            }
            #expect(done?["left"]?.integer == 0 && done?["endedAt"] != nil)
            #expect(try await fixture.send(.POST, Self.path, as: fixture.master, body: "{}").status == 202)
            let log = try await fixture.acts(as: fixture.master)
            #expect(log.compactMap { $0["action"]?.string } == ["read-models.rebuilt", "read-models.rebuilt"])
            #expect(log.last?["after"]?["parts"]?.string == "people")
        }
    }

    @Test("P12: a process that is killed at any step leaves a run that another goes on with; one without news ends")
    func steps() async throws {
        try await TestDatabase.withDatabase(AdminService.migrations) { database async throws in
            try await database.withPool { pool async throws in
                struct Killed: Error {}
                let start = Date(timeIntervalSince1970: 1_772_360_000)
                try await pool.withTransaction { transaction in
                    for number in 0..<3 {
                        transaction.send(AddPerson(account: .timeOrdered(), name: "Person \(number)"))
                    }
                }
                let run = try #require(
                    try await pool.first(
                        BeginRebuild(
                            id: .timeOrdered(), parts: RebuildReadModels.Part.allCases, by: UUID(), at: start)))
                #expect(
                    try await pool.first(BeginRebuild(id: .timeOrdered(), parts: [.people], by: UUID(), at: start))
                        == nil)
                // Killed with the row locked and a part of the work done: nothing of it remains.
                await #expect(throws: Killed.self) {
                    try await pool.withTransaction { transaction in
                        _ = try await transaction.first(LockRebuild())
                        _ = try await RebuildReadModels.doubt(.people, after: nil, in: transaction)
                        // Whoever comes meanwhile has nothing to do.
                        #expect(try await RebuildRun.step(at: start, in: pool) == false)
                        throw Killed()
                    }
                }
                #expect(try await pool.first(CountDoubted(parts: [.people])) == 0)
                while try await RebuildRun.step(at: start, in: pool) {}
                #expect(try await pool.first(CountDoubted(parts: [.people])) == 3)
                _ = try await RebuildRun.step(at: start + 1, in: pool)
                let asked = try #require(try await pool.first(FindLastRebuild()))
                #expect(asked.id == run.id && asked.rows == 3 && asked.left == 3 && asked.askedAt != nil)
                _ = try await RebuildRun.step(at: start + RebuildRun.patienceSeconds, in: pool)
                #expect(try await pool.first(FindLastRebuild())?.endedAt == nil)
                _ = try await RebuildRun.step(at: start + RebuildRun.patienceSeconds * 2, in: pool)
                let ended = try #require(try await pool.first(FindLastRebuild()))
                #expect(ended.endedAt != nil && ended.left == 3)
                #expect(RebuildView(ended).state == "incomplete")
                #expect(try await RebuildRun.step(at: start + 10_000, in: pool) == false)
            }
        }
    }
}

private struct AddPerson: Statement {
    static let sql: SQL = "INSERT INTO people (account, version, name, language) VALUES ($1, 7, $2, 'en')"
    let account: UUID
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(account, name) }
}
