import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Whom customers are shown", .timeLimit(.minutes(15)))
struct ShownPartnerTests {
    private static let partners = "/dispatch/v1/markets/edencare/partners"

    @Test(
        "O7: a customer lists the partners to prefer, by name, with who has been there before, and no place or calendar"
    )
    func preferred() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let (paul, anna) = (try await server.partner("Paul"), try await server.partner("Anna"))
            try await server.world.pool.execute(
                PutPartnerRating(account: anna.account, market: "edencare", stars: 9, count: 2))
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            #expect(try await CareTests.assign(server, order, paul, by: admin).status == 200)
            #expect(try await server.act("accept", order, as: paul).status == 200)
            let before = try await server.get(Self.partners, as: customer)
            #expect(before.items.map { $0["name"]?.text } == ["Anna", "Paul"])
            #expect(before.items.map { $0["visitedMe"] } == [.bool(false), .bool(false)])
            try await server.world.pool.execute(MoveVisit(order: order, time: .thisMillisecond + 600))
            #expect(try await server.act("start", order, as: paul).status == 200)
            #expect(try await server.act("complete", order, as: paul).status == 200)
            let after = try await server.get("\(Self.partners)?services=companionship&limit=1", as: customer)
            #expect(after.items.map { $0["name"]?.text } == ["Anna"] && after.items[0]["rating"]?["average"] != nil)
            guard case .object(let members)? = after.items.first else { return }
            #expect(
                Set(members.keys).isSubset(of: [
                    "account", "name", "title", "titleName", "avatar", "rating", "visitedMe",
                ]))
            let next = try #require(after["next"]?.text)
            let second = try await server.get(
                "\(Self.partners)?services=companionship&limit=1&cursor=\(next)", as: customer)
            #expect(second.items.map { $0["name"]?.text } == ["Paul"] && second["next"] == nil)
            #expect(second.items[0]["visitedMe"] == .bool(true))
            #expect(try await server.get("\(Self.partners)?name=AN", as: customer).items.count == 1)
            // Not for others, nor where nobody is sent.
            #expect(try await server.get(Self.partners, as: paul).status == 403)
            let rider = try await server.owner("Bea", in: "btnc")
            #expect(try await server.get("/dispatch/v1/markets/btnc/partners", as: rider).status == 404)
        }
    }

    @Test("O2, P7: the label names the title of the person, by gender in Arabic, in the answer and in the event")
    func titles() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            try await server.world.pool.execute(
                SetTitle(account: provider.account, title: "physiotherapist", gender: "female"))
            let order = try await server.world.order(in: .arrived, customer.account, provider.account)
            let path = "\(OrderServer.orders)/\(order.id.text)"
            let english = try await server.get(path, as: customer)
            #expect(english["label"]?.text == "With physiotherapist", "\(english.json)")
            #expect(english["provider", "titleName"]?.text == "Physiotherapist")
            #expect(english["provider", "avatar"]?.text == "/identity/v1/markets/assef/logo")
            let arabic = try await server.get(path, as: customer, language: "ar")
            #expect(arabic["label"]?.text == "مع أخصائية العلاج الطبيعي")
            #expect(try await server.get(path, as: provider)["label"]?.text == "With customer")
            let events = try await server.world.pool.query(ReadEvents(order: order.id.text))
            let arrived = try #require(events.last { $0.name.contains("arrived") })
            let event = try JSON.wire.decode(OrderArrived.self, arrived.payload.utf8)
            #expect(event.order.provider?.title == "physiotherapist" && event.order.provider?.gender == "female")
            try await server.world.pool.execute(SetTitle(account: provider.account, title: nil, gender: nil))
            #expect(try await server.get(path, as: customer)["label"]?.text == "With service provider")
        }
    }
}

private struct PutPartnerRating: Statement {
    static let sql: SQL = """
        INSERT INTO rating_sums (market, account, role, stars, count) VALUES ($1, $2, 'provider', $3, $4)
        """
    let account: UUID
    let market: String
    let stars: Int
    let count: Int
    func bind(_ bindings: inout Bindings) { bindings.append(market, account, stars, count) }
}

private struct SetTitle: Statement {
    static let sql: SQL = """
        WITH person AS (UPDATE people SET gender = $3 WHERE account = $1)
        UPDATE provider_roles SET title = $2 WHERE account = $1
        """
    let account: UUID
    let title: String?
    let gender: String?
    func bind(_ bindings: inout Bindings) { bindings.append(account, title, gender) }
}
