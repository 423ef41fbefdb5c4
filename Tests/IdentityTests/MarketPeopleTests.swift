import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("The people of a market, for its admins", .timeLimit(.minutes(15)))
struct MarketPeopleTests {
    @Test(
        "I11, I13: admins see the banned with the reason, contacts, ratings and titles; each reading is told for the log"
    )
    func list() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            let (nurse, customer, other) = (Person.provider(), Person(), Person())
            let nurseID = try await world.register(nurse)
            let customerID = try await world.register(customer)
            var elsewhere = other
            elsewhere.market = "carrepsa"
            _ = try await world.register(elsewhere)
            try await world.pool.execute(
                AddRatings(given: [
                    .init(account: nurseID, market: "assef", role: .provider, stars: 4),
                    .init(account: nurseID, market: "assef", role: .provider, stars: 5),
                    .init(account: nurseID, market: "btnc", role: .provider, stars: 1),
                ]))
            let ban = try await world.post(
                "markets/assef/bans", ["account": .string(customerID.text), "reason": "Shouted"], token: admin.access)
            #expect(ban.status == 201, "\(ban)")
            func people(_ query: String = "") async throws -> Answer {
                try await world.send(
                    "GET", "v1/markets/assef/people\(query)", token: admin.access, language: "en")
            }
            let all = try await people()
            #expect(all.items.map { $0["account"] } == [.string(customerID.text), .string(nurseID.text)], "\(all)")
            let (banned, seen) = (all.items[0], all.items[1])
            #expect(banned["email"] == .string(customer.email) && banned["mobile"] == .string(customer.mobile))
            #expect(banned["ban"]?["reason"] == "Shouted" && banned["ban"]?["market"] == "assef")
            #expect(seen["ban"] == nil && seen["emailProved"] == true)
            guard case .array(let roles)? = seen["roles"] else { return }
            #expect(roles.map { $0["titleName"] } == ["Nurse"] && roles[0]["state"] == "waiting")
            #expect(roles[0]["rating"] == ["average": 4.5, "count": 2])
            #expect(try await people("?banned=true").items.count == 1)
            #expect(try await people("?role=provider").items.map { $0["account"] } == [.string(nurseID.text)])
            #expect(try await people("?banned=maybe").fields == ["/banned": "not-a-choice"])
            let first = try await people("?limit=1")
            let next = try #require(first["next"])
            #expect(try await people("?limit=1&cursor=\(next)").items.map { $0["account"] } == [.string(nurseID.text)])
            let told = try await world.events(IdentityListViewed.self)
            #expect(told.contains { $0.list == "people" && $0.by == admin.account && $0.market == "assef" })
            // Contacts are in no event (P8).
            for payload in try await world.pool.query(AllPayloads()) { #expect(!payload.contains(customer.mobile)) }
        }
    }

    @Test("I13, P10: an admin asks for people by their accounts, and finds a name as it is typed")
    func found() async throws {
        try await World.run { world async throws in
            let admin = try await world.admin(of: "assef")
            var ids: [String] = []
            for name in ["أحمد إيمان", "Müßig Øberg", "Noura"] {
                var person = Person()
                person.name = name
                ids.append(try await world.register(person).text)
            }
            func people(_ query: String) async throws -> Answer {
                try await world.send("GET", "v1/markets/assef/people?\(query)", token: admin.access)
            }
            let two = try await people("account=\(ids[0])&account=\(ids[2])")
            #expect(two.items.map { $0["account"] } == [.string(ids[2]), .string(ids[0])], "\(two)")
            #expect(two.items.first?["mobile"] != nil && two.items.first?["ban"] == nil)
            #expect(try await people("account=\(UUID().text)").items.isEmpty)
            let wrong = try await people("account=\(ids[0])&account=x")
            #expect(wrong.fields == ["/account": "not-an-id"], "\(wrong)")
            let first = try await people("account=\(ids[0])&account=\(ids[2])&limit=1")
            let next = try #require(first["next"])
            #expect(try await people("account=\(ids[0])&limit=1&cursor=\(next)").status == 400)
            for (typed, id) in [("احمد", ids[0]), ("ايمان", ids[0]), ("MUSSIG", ids[1]), ("oberg", ids[1])] {
                let query = try #require(typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let found = try await people("name=\(query)")
                #expect(found.items.map { $0["account"] } == [.string(id)], "\(typed) \(found)")
            }
        }
    }
}

private struct AllPayloads: Statement {
    static let sql: SQL = "SELECT payload FROM outbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
