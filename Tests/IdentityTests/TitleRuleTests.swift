import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("What a title asks for, however one came to it", .timeLimit(.minutes(15)))
struct TitleRuleTests {
    /// What an admin's word is refused for.
    private func missing(_ world: World, _ account: UUID, by admin: Tokens) async throws -> [JSONValue] {
        guard case .array(let papers)? = try await world.verify(account, by: admin).json?["papers"] else { return [] }
        return papers
    }

    @Test("I7: a restaurant that is made a driver brings a driver's details and age: its own are not a driver's")
    func changed() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let person = Person.provider("doctor")
            let details: JSONValue = [
                "businessNumber": "51 824 753 556", "contactPerson": "Sara", "contactMobile": "+61 400 000 000",
                "contactEmail": "sara@hay.example", "businessAddress": "1 Hay Street, Perth",
            ]
            let made = try await world.post("accounts", person.with(["terms": "2026-01", "details": details]))
            let account = try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
            let path = "v1/markets/assef/people/\(account.text)"
            #expect(try await world.send("PATCH", path, ["title": "nurse"], token: admin.access).status == 200)
            let before = try await missing(world, account, by: admin)
            #expect(before.contains("details") && before.contains("birthDate"), "\(before)")
            let tokens = try await world.logIn(person)
            let put = try await world.send(
                "PUT", "v1/accounts/me/providers/assef/details", ["details": Person.driverDetails],
                token: tokens.access)
            #expect(put.status == 200, "\(put)")
            let after = try await missing(world, account, by: admin)
            #expect(!after.contains("details") && after.contains("birthDate"), "\(after)")
        }
    }

    @Test("I1: who is too young for a title is not verified, and an admin writes no such day of birth of a driver")
    func young() async throws {
        try await World.run(onboarding: .rides) { world async throws in
            let admin = try await world.admin(of: "assef")
            let year = CalendarDate(of: world.clock.now, in: .gmt).year
            let rider = try await world.post(
                "accounts", Person().with(["terms": "2026-01", "birthDate": .string("\(year - 18)-01-01")]))
            let account = try #require(rider["account"].flatMap(UUID.init(uuidString:)), "\(rider)")
            let given = try await world.post(
                "markets/assef/people/\(account.text)/roles", ["role": "provider", "title": "nurse"],
                token: admin.access)
            #expect(given.fields == ["/birthDate": "too-young"], "\(given)")

            let driver = Person()
            func make(born: String) async throws -> Answer {
                let body: JSONValue = [
                    "role": "provider", "title": "nurse", "name": .string(driver.name),
                    "email": .string(driver.email), "mobile": .string(driver.mobile), "birthDate": .string(born),
                ]
                return try await world.post("markets/assef/people", body, token: admin.access)
            }
            #expect(try await make(born: "\(year - 19)-01-01").fields == ["/birthDate": "too-young"])
            let made = try await make(born: "1990-05-17")
            let known = try #require(made["account"].flatMap(UUID.init(uuidString:)), "\(made)")
            let asked = try await missing(world, known, by: admin)
            #expect(asked.contains("details") && !asked.contains("birthDate"), "\(asked)")
        }
    }
}
