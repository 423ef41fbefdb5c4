import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: partners' days at the desk", .timeLimit(.minutes(15)))
struct PartnerDayTests {
    private static func path(_ from: Date, _ to: Date) -> String {
        "\(CareTests.desk)/partners?from=\(Timestamp.text(from))&to=\(Timestamp.text(to))"
    }

    @Test("O7: the desk sees all partners side by side, with their visits of the day, and what each may do")
    func day() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let (paul, pia) = (try await server.partner("Paul"), try await server.partner("Pia"))
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let noon = try CareTests.noon()
            let order = try await CareTests.ordered(server, customer, CareTests.body(noon))
            let later = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon(days: 4)))
            for id in [order, later] {
                #expect(try await CareTests.assign(server, id, paul, by: admin).status == 200)
            }
            func items() async throws -> [JSONValue] {
                let answer = try await server.get(Self.path(noon - 43_200, noon + 43_200), as: admin)
                #expect(answer.status == 200 && answer["hasMore"] == false, "\(answer.json)")
                return answer.items
            }
            var found = try await items()
            #expect(
                found.map { $0["name"]?.text } == ["Paul", "Pia"] && found.map { $0["isVerified"] } == [true, true])
            #expect(found.allSatisfy { $0["services"]?.asList?.contains("companionship") == true })
            #expect(found[0]["visits"]?.asList?.map { $0["order"]?.text } == [order.text])
            #expect(found[1]["visits"]?.asList?.isEmpty == true && found[1]["account"]?.text == pia.account.text)
            // A partner who may not work any more still has what he was sent to.
            try await server.world.pool.execute(Unverify(account: paul.account))
            found = try await items()
            #expect(
                found.map { $0["name"]?.text } == ["Pia", "Paul"] && found.map { $0["isVerified"] } == [true, false])
            // What was taken back is nobody's.
            #expect(try await server.act("cancellation", order, as: admin, "{}").status == 200)
            #expect(try await items().map { $0["name"]?.text } == ["Pia"])
            #expect(try await server.get("\(CareTests.desk)/partners", as: admin).status == 400)
            #expect(try await server.get(Self.path(noon, noon + 9 * 86_400), as: admin).status == 400)
            #expect(try await server.get(Self.path(noon, noon - 1), as: admin).status == 400)
        }
    }

    @Test("O7: an admin reads a partner's calendar, and a partner the own one alone")
    func calendar() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            let named = "\(CareTests.calendar)?provider=\(partner.account.text)"
            #expect(try await server.get(named, as: admin).items.map { $0["order"]?.text } == [order.text])
            #expect(try await server.get(CareTests.calendar, as: partner).items.count == 1)
            #expect(try await server.get(named, as: partner).status == 403)
            #expect(try await server.get(CareTests.calendar, as: admin).status == 403)
        }
    }

    @Test("O7: two admins assign one visit to two partners at once: one is told that it is done, the other 409")
    func twoAdmins() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partners = [try await server.partner("Paul"), try await server.partner("Pia")]
            let admins = [
                try await server.person(roles: ["admin"], in: "edencare"),
                try await server.person(roles: ["admin"], in: "edencare"),
            ]
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            async let first = CareTests.assign(server, order, partners[0], by: admins[0])
            async let second = CareTests.assign(server, order, partners[1], by: admins[1])
            let answers = try await [first, second]
            #expect(answers.map(\.status).sorted() == [200, 409], "\(answers.map(\.json))")
            let won = try #require(answers.firstIndex { $0.status == 200 })
            #expect(answers[1 - won].problem == "order-state" && answers[1 - won]["state"]?.text == "offered")
            let details = try await server.world.details(order)
            #expect(details.order.provider?.account == partners[won].account)
        }
    }
}

private struct Unverify: Statement {
    static let sql: SQL = "UPDATE provider_roles SET verified = false WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}
