import Contracts
import Foundation
import Postgres
import NIOHTTP1
import Messaging
import SeraiJSON
import TestKit
import Testing

@testable import SeraiAdmin
@testable import ServiceKit

@Suite("People of a market", .timeLimit(.minutes(15)))
struct PeopleTests {
    @Test("A1: the newest snapshot of an account wins, whatever order it comes in")
    func newest() async throws {
        try await AdminFixture.running { fixture async throws in
            let id = UUID.timeOrdered()
            let provider = AccountSnapshot.Role(market: "assef", role: "provider", title: "nurse", verified: false)
            let customer = AccountSnapshot.Role(market: "assef", role: "customer", verified: true)
            let elsewhere = AccountSnapshot.Role(market: "hajji", role: "customer", verified: true)
            var verified = provider
            verified.verified = true
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            let first = AccountRegistered(account: account(id, version: 1, name: "Nora", roles: [provider]), at: at)
            let second = AccountChanged(
                account: account(id, version: 2, name: "Nora", roles: [provider, customer, elsewhere]), at: at + 1)
            let third = ProviderVerified(
                account: account(id, version: 3, name: "نورة", roles: [verified, customer]), market: "assef",
                by: fixture.admin.account, at: at + 2)
            try await fixture.tell(third)
            try await fixture.tell(second)
            try await fixture.tell(first)
            try await fixture.tell(second)
            try await fixture.tell(AccountChanged(account: account(name: "Zayd"), at: at))
            try await eventually("all are heard") {
                let items = try await fixture.read("/admin/v1/markets/assef/people").items
                return items.contains { $0["name"]?.string == "Zayd" }
                    && items.contains { $0["registeredAt"] != nil }
            }
            let people = try await fixture.read("/admin/v1/markets/assef/people?role=provider").items
            #expect(people.count == 1)
            #expect(people.first?["name"]?.string == "نورة")
            #expect(people.first?["registeredAt"]?.string == Timestamp.text(at))
            let roles = people.first?["roles"]?.array ?? []
            #expect(roles.compactMap { $0["role"]?.string } == ["provider", "customer"])
            #expect(roles.first?["verified"] == true)
            #expect(roles.first?["title"]?.string == "nurse")
            #expect(roles.first?["titleName"]?.string == "Nurse")
        }
    }

    @Test("A1: people are found by part of a name and by role, page by page, in their own market alone")
    func lists() async throws {
        try await AdminFixture.running { fixture async throws in
            for number in 0..<17 {
                let role = number % 3 == 0 ? "provider" : "customer"
                let name = number % 5 == 0 ? "Huda 100%_\(number)" : "salem \(number)"
                let snapshot = account(name: name, roles: [.init(market: "assef", role: role, verified: true)])
                try await fixture.pool.withTransaction { try await RecordPerson.snapshot(snapshot, in: $0) }
            }
            let stranger = account(name: "Huda", roles: [.init(market: "hajji", role: "customer", verified: true)])
            try await fixture.pool.withTransaction { try await RecordPerson.snapshot(stranger, in: $0) }
            func names(_ query: String) async throws -> [String] {
                var names: [String] = []
                var cursor: String?
                repeat {
                    let page = try await fixture.read(
                        "/admin/v1/markets/assef/people?limit=4&\(query)" + (cursor.map { "&cursor=\($0)" } ?? ""))
                    names += page.items.compactMap { $0["name"]?.string }
                    cursor = page["next"]?.string
                } while cursor != nil
                return names
            }
            let all = try await names("")
            #expect(all.count == 17)
            #expect(Set(all).count == 17)
            #expect(try await names("role=provider").count == 6)
            #expect(try await names("name=SALEM").count == 13)
            #expect(try await names("name=100%25_").count == 4)
            #expect(try await names("name=h%25").isEmpty)
            #expect(try await names("name=huda&role=provider").count == 2)
            #expect(try await names("role=admin").isEmpty)
        }
    }

    @Test(
        "A1, Q7: names of accounts that have to do with the market are told at once; banned and deleted ones are told as such"
    )
    func names() async throws {
        try await AdminFixture.running { fixture async throws in
            let at = Date(timeIntervalSince1970: 1_772_360_000)
            func told(_ name: String, _ market: String, _ role: String = "customer") async throws -> UUID {
                let snapshot = account(name: name, roles: [.init(market: market, role: role, verified: true)])
                try await fixture.pool.withTransaction { try await RecordPerson.snapshot(snapshot, in: $0) }
                return snapshot.account
            }
            let (salem, huda) = (try await told("Salem", "assef"), try await told("Huda", "assef"))
            let (master, stranger) = (try await told("Master", "*", "admin"), try await told("Zayd", "hajji"))
            let gone = try await told("Nora", "assef")
            try await fixture.tell(
                AccountBanned(
                    account: huda, market: "*", reason: "Shouted", until: nil, by: UUID(), version: 5, at: Date()))
            try await fixture.tell(AccountDeleted(account: gone, version: 9, at: at))
            let asked = [salem, huda, master, stranger, gone, .timeOrdered()].map(\.text).joined(separator: ",")
            func names() async throws -> [String: JSONValue] {
                let items = try await fixture.read("/admin/v1/markets/assef/names?accounts=\(asked)").items
                return items.reduce(into: [:]) { $0[$1["account"]?.string ?? ""] = $1 }
            }
            try await eventually("ban and deletion are heard") {
                let found = try await names()
                return found[huda.text]?["isBanned"] == true && found[gone.text]?["isDeleted"] == true
            }
            let found = try await names()
            #expect(Set(found.keys) == Set([salem, huda, master, gone].map(\.text)))
            #expect(found[salem.text]?["name"]?.string == "Salem" && found[salem.text]?["isBanned"] == false)
            #expect(found[master.text]?["name"]?.string == "Master" && found[gone.text]?["name"] == nil)
            let many = (0..<101).map { _ in UUID.timeOrdered().text }.joined(separator: ",")
            let answer = try await fixture.send(
                .GET, "/admin/v1/markets/assef/names?accounts=\(many)", as: fixture.admin)
            #expect(try answer.status == 400 && answer.codes == ["/accounts": "too-many"], "\(answer.text)")
        }
    }

    @Test("I11, A1: the list of people shows who is banned now, until when, in whatever order identity tells it")
    func banned() async throws {
        try await AdminFixture.running { fixture async throws in
            let person = account(name: "Salem", roles: [.init(market: "assef", role: "customer", verified: true)])
            try await fixture.tell(AccountRegistered(account: person, at: Date()))
            func ban() async throws -> JSONValue? {
                try await fixture.read("/admin/v1/markets/assef/people").items.first { $0["name"]?.string == "Salem" }?[
                    "ban"]
            }
            try await eventually("the person is there") {
                try await fixture.read("/admin/v1/markets/assef/people").items.count == 1
            }
            #expect(try await ban() == nil)
            let until = Date(timeIntervalSince1970: 4_000_000_000)
            func banned(_ market: String, _ version: Int, until: Date?) -> AccountBanned {
                AccountBanned(
                    account: person.account, market: market, reason: "Shouted", until: until, by: UUID(),
                    version: version,
                    at: Date())
            }
            try await fixture.tell(banned("*", 5, until: until))
            try await eventually("the ban everywhere is shown") { try await ban()?["market"]?.string == "*" }
            #expect(try await ban()?["until"]?.string == Timestamp.text(until))
            // The one that holds everywhere is shown first, as identity does.
            try await fixture.tell(banned("assef", 6, until: nil))
            try await fixture.tell(
                AccountUnbanned(account: person.account, market: "*", by: UUID(), version: 8, at: Date()))
            try await eventually("the market's is left") { try await ban()?["market"]?.string == "assef" }
            #expect(try await ban()?["until"] == nil)
            try await fixture.tell(
                AccountUnbanned(account: person.account, market: "assef", by: UUID(), version: 8, at: Date()))
            try await eventually("both are lifted") { try await ban() == nil }
            // What comes late changes nothing, and what is over does not hold.
            try await fixture.tell(banned("assef", 7, until: nil))
            try await fixture.tell(banned("btnc", 9, until: nil))
            try await fixture.tell(banned("*", 9, until: Date(timeIntervalSince1970: 1_000_000)))
            try await eventually("all are heard") {
                try await fixture.pool.first(CountBans()) == 3
            }
            #expect(try await ban() == nil)
            // Told again, it is what identity has.
            let told = AccountsTold(
                range: ToldRange(after: nil, through: nil, readAt: Date().addingTimeInterval(3_600)),
                accounts: [
                    .init(
                        account: person, registeredAt: Date(),
                        bans: [.init(market: "assef", until: nil, at: Date().addingTimeInterval(60))])
                ])
            try await fixture.pool.withTransaction { transaction in
                transaction.send(UpsertRepublishedBans(told: told))
            }
            #expect(try await ban() == nil, "its version is older")
        }
    }

    @Test(
        "I12, I11: a ban that is told after its account is gone leaves nothing"
    )
    func bannedAfterwards() async throws {
        try await AdminFixture.running { fixture async throws in
            let gone = account(
                version: 2, name: "Salem", roles: [.init(market: "assef", role: "customer", verified: true)])
            let stays = account(
                version: 2, name: "Noura", roles: [.init(market: "assef", role: "customer", verified: true)])
            func ban(_ person: AccountSnapshot) -> AccountBanned {
                AccountBanned(
                    account: person.account, market: "assef", reason: "Shouted", until: nil, by: UUID(), version: 3,
                    at: Date())
            }
            try await fixture.pool.withTransaction { transaction in
                try await RecordPerson.snapshot(gone, in: transaction)
                try await RecordPerson.snapshot(stays, in: transaction)
                transaction.send(StoreBan(ban(stays)))
                transaction.send(StoreBan(ban(gone)))
            }
            #expect(try await fixture.pool.first(CountBans()) == 2)
            try await fixture.pool.withTransaction { transaction in
                try await ForgetAccount.deleted(
                    AccountDeleted(account: gone.account, version: 9, at: Date()), in: transaction)
            }
            #expect(try await fixture.pool.first(CountBans()) == 1)
            let lifted = AccountUnbanned(account: gone.account, market: "assef", by: UUID(), version: 4, at: Date())
            let told = AccountsTold(
                range: ToldRange(after: nil, through: nil, readAt: Date()),
                accounts: [
                    .init(account: gone, registeredAt: Date(), bans: [.init(market: "assef", until: nil, at: Date())])
                ])
            try await fixture.pool.withTransaction { transaction in
                transaction.send(StoreBan(ban(gone)))
                transaction.send(StoreBan(lifted))
                transaction.send(UpsertRepublishedBans(told: told))
            }
            #expect(try await fixture.pool.first(CountBans()) == 1)
            try await fixture.pool.execute(LeftBan(account: gone.account))
            try await fixture.pool.execute(DeleteBansOfGone(range: told.range))
            #expect(try await fixture.pool.first(CountBans()) == 1)
        }
    }

    @Test(
        "A1, P7: a name is found as people type it: hamza, ta marbuta, accents, letters that keyboards lack, apostrophes"
    )
    func typed() async throws {
        try await AdminFixture.running { fixture async throws in
            for name in ["أحمد إيمان", "مُصطفى مكتبة", "Müßig Øberg", "Sean O’Neil", "José Łukasz", "علی ١٢"] {
                let snapshot = account(name: name, roles: [.init(market: "assef", role: "customer", verified: true)])
                try await fixture.pool.withTransaction { try await RecordPerson.snapshot(snapshot, in: $0) }
            }
            for (typed, name) in [
                ("احمد", "أحمد إيمان"), ("ايمان", "أحمد إيمان"), ("مصطفي", "مُصطفى مكتبة"), ("مكتبه", "مُصطفى مكتبة"),
                ("مكتبة", "مُصطفى مكتبة"), ("mussig", "Müßig Øberg"), ("MÜSSIG", "Müßig Øberg"),
                ("oberg", "Müßig Øberg"),
                ("oneil", "Sean O’Neil"), ("O'NEIL", "Sean O’Neil"), ("jose", "José Łukasz"), ("lukasz", "José Łukasz"),
                ("علي", "علی ١٢"), ("12", "علی ١٢"), ("\u{202B}احمد\u{202C}", "أحمد إيمان"),
            ] {
                let query = try #require(typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let page = try await fixture.read("/admin/v1/markets/assef/people?name=\(query)")
                #expect(page.items.compactMap { $0["name"]?.string } == [name], "\(typed)")
            }
            // As browsers write a space.
            #expect(try await fixture.read("/admin/v1/markets/assef/people?name=sean+o").items.count == 1)
        }
    }
}

private struct CountBans: Statement {
    static let sql: SQL = "SELECT count(*) FROM bans"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

/// As one that came late was stored before.
private struct LeftBan: Statement {
    static let sql: SQL = "INSERT INTO bans (account, market, at, is_lifted) VALUES ($1, 'assef', now(), false)"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
