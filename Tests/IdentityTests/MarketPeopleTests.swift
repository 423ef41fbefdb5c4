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
}

private struct AllPayloads: Statement {
    static let sql: SQL = "SELECT payload FROM outbox"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
