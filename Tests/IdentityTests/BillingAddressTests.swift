import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("B4: billing addresses", .timeLimit(.minutes(15)))
struct BillingAddressTests {
    private static let address: JSONValue = [
        "street": "7 Barrack Street", "city": "Perth", "postcode": "6000", "country": "au",
    ]
    private static let path = "v1/accounts/me/markets/btnc/billing-address"

    private static func rider() -> Person {
        var person = Person()
        person.market = "btnc"
        return person
    }

    private struct ListSealed: Statement {
        static let sql: SQL = "SELECT encode(sealed, 'escape') FROM billing_addresses"
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    @Test("B4, I1: the market says who gives one; what is missing of it is named together with all else")
    func asked() async throws {
        try await World.run { world async throws in
            let rules = try await world.send("GET", "v1/markets/btnc/registration")
            guard case .array(let roles)? = rules.json?["roles"] else { return }
            #expect(roles.map { $0["asksBillingAddress"] ?? .null } == [true, true, false])
            let missing = try await world.post("accounts", Self.rider().json)
            #expect(
                missing.fields == [
                    "/birthDate": "required", "/billingAddress/street": "required", "/billingAddress/city": "required",
                    "/billingAddress/postcode": "required", "/billingAddress/country": "required",
                ])
            let wrong = try await world.post(
                "accounts",
                Self.rider().with([
                    "birthDate": "1990-05-17",
                    "billingAddress": ["street": "7", "city": " ", "postcode": "6000", "country": "Australia"],
                ]))
            #expect(wrong.fields["/billingAddress/country"] == "not-a-country")
            #expect(wrong.fields["/billingAddress/city"] != nil && wrong.fields.count == 2, "\(wrong.fields)")
        }
    }

    @Test("B4, I14, Q7: it is kept sealed, read and changed by its owner alone, exported, and not asked for again")
    func kept() async throws {
        try await World.run { world async throws in
            let person = Self.rider()
            let made = try await world.post(
                "accounts", person.with(["birthDate": "1990-05-17", "billingAddress": Self.address]))
            try #require(made.status == 201, "\(made)")
            let owner = try await world.logIn(person)
            let read = try await world.send("GET", Self.path, token: owner.access)
            #expect(read["street"] == "7 Barrack Street" && read["country"] == "AU", "\(read)")
            for row in try await world.pool.query(ListSealed()) { #expect(!row.contains("Barrack")) }
            #expect(try await world.send("GET", Self.path).status == 401)
            let stranger = try await world.join(Person())
            #expect(try await world.send("GET", Self.path, token: stranger.access).status == 403)
            let changed = try await world.send(
                "PUT", Self.path, ["street": "1 Hay Street", "city": "Subiaco", "postcode": "6008", "country": "AU"],
                token: owner.access)
            #expect(changed.status == 200 && changed["city"] == "Subiaco")
            let short = try await world.send("PUT", Self.path, ["street": "1 Hay Street"], token: owner.access)
            #expect(Set(short.fields.keys) == ["/city", "/postcode", "/country"])
            let export = try await world.post(
                "accounts/me/export", ["password": .string(person.password)], token: owner.access)
            #expect(export.description.contains("1 Hay Street") && !export.description.contains("Barrack"))
            // A driver gives one, too, but whoever has one is not asked again.
            let driver = try await world.post(
                "accounts/me/roles",
                [
                    "market": "btnc", "role": "provider", "title": "driver", "terms": "2026-01",
                    "details": Person.driverDetails,
                ], token: owner.access)
            #expect(driver.status == 201, "\(driver)")
        }
    }

    @Test("B4, I12: it is gone with the account's roles in the market")
    func gone() async throws {
        try await World.run { world async throws in
            let person = Self.rider()
            let made = try await world.post(
                "accounts", person.with(["birthDate": "1990-05-17", "billingAddress": Self.address]))
            let account = try #require(made["account"])
            let owner = try await world.logIn(person)
            let other = try await world.post(
                "accounts/me/roles", ["market": "assef", "role": "customer", "terms": "2026-11"], token: owner.access)
            try #require(other.status == 201, "\(other)")
            #expect(try await world.pool.query(ListSealed()).count == 1)
            let admin = try await world.admin(of: "btnc")
            let removed = try await world.send(
                "DELETE", "v1/markets/btnc/people/\(account)?confirm=true", token: admin.access)
            #expect([200, 202, 204].contains(removed.status), "\(removed)")
            #expect(try await world.pool.query(ListSealed()).isEmpty)
        }
    }
}
