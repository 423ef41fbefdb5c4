import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import Testing

@testable import SeraiDispatch

@Suite("O7: past clients of care partners", .timeLimit(.minutes(15)))
struct ClientTests {
    /// A visit of the partner, sent by the desk and begun that long ago.
    private static func visit(
        _ server: OrderServer, _ customer: OrderServer.Person, by partner: OrderServer.Person,
        sentBy admin: OrderServer.Person, ago seconds: Double, more: String = ""
    ) async throws -> UUID {
        let answer = try await server.post(CareTests.visits, as: customer, CareTests.body(nil, more: more))
        let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)), "\(answer.json)")
        try await server.world.pay(order)
        let sent = #"{"provider": "\#(partner.account.text)"}"#
        #expect(try await server.act("assignment", order, as: admin, sent).status == 200)
        for action in ["accept", "start"] {
            #expect(try await server.act(action, order, as: partner).status == 200, "\(action)")
        }
        try await server.world.pool.execute(AgeVisit(order: order, seconds: seconds))
        return order
    }

    private static func names(_ answer: Answer) -> [String] {
        answer.items.compactMap { $0["customer"]?["name"]?.text }
    }

    @Test("O7: a partner's past clients, each once, with the last visit and how many there were, in pages, are his own")
    func clients() async throws {
        try await OrderServer.with { server in
            try await CareTests.openAlways(server)
            let ada = try await server.owner("Ada", in: "edencare")
            let ben = try await server.owner("Ben", in: "edencare")
            let cleo = try await server.owner("Cleo", in: "edencare")
            let (paul, pia) = (try await server.partner("Paul"), try await server.partner("Pia"))
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            func finished(_ customer: OrderServer.Person, ago: Double) async throws -> UUID {
                let order = try await Self.visit(server, customer, by: paul, sentBy: admin, ago: ago)
                #expect(try await server.act("complete", order, as: paul).status == 200)
                return order
            }
            _ = try await finished(ada, ago: 7_200)
            _ = try await finished(ben, ago: 3_600)
            let last = try await finished(ada, ago: 60)
            // One that goes on, and another's.
            _ = try await Self.visit(server, cleo, by: paul, sentBy: admin, ago: 0)
            let other = try await Self.visit(server, cleo, by: pia, sentBy: admin, ago: 0)
            #expect(try await server.act("complete", other, as: pia).status == 200)

            let all = try await server.get(CareTests.clients, as: paul)
            #expect(Self.names(all) == ["Ada", "Ben"] && all["next"] == nil, "\(all.json)")
            #expect(all.items.map { $0["visits"]?.int } == [2, 1])
            #expect(all.items.first?["customer"]?["account"]?.text == ada.account.text)
            let began = try #require(try await server.world.details(last).order.arrivedAt)
            #expect(all.items.first?["lastVisitAt"]?.text == Timestamp.text(began))
            #expect(Self.names(try await server.get(CareTests.clients, as: pia)) == ["Cleo"])

            let first = try await server.get("\(CareTests.clients)?limit=1", as: paul)
            #expect(Self.names(first) == ["Ada"])
            let cursor = try #require(first["next"]?.text)
            let second = try await server.get("\(CareTests.clients)?limit=1&cursor=\(cursor)", as: paul)
            #expect(Self.names(second) == ["Ben"] && second["next"] == nil)
            let borrowed = try await server.get("\(CareTests.clients)?cursor=\(cursor)", as: pia)
            #expect(borrowed.status == 400 && borrowed.problem == "invalid-cursor")
            #expect(try await server.get("\(CareTests.clients)?limit=0", as: paul).status == 400)
        }
    }

    @Test("O7: past clients are those who were visited, not those who paid")
    func visited() async throws {
        try await OrderServer.with { server in
            try await CareTests.openAlways(server)
            let ada = try await server.owner("Ada", in: "edencare")
            let mother = try await server.world.addCustomer("Edith")
            try await server.world.pool.execute(
                StoreLink(
                    link: .timeOrdered(), market: "edencare", from: mother, to: ada.account, scopes: ["order"]))
            let paul = try await server.partner("Paul")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await Self.visit(
                server, ada, by: paul, sentBy: admin, ago: 60, more: #", "relative": "\#(mother.text)""#)
            #expect(try await server.act("complete", order, as: paul).status == 200)
            let clients = try await server.get(CareTests.clients, as: paul)
            #expect(Self.names(clients) == ["Edith"], "\(clients.json)")
            #expect(clients.items.first?["customer"]?["account"]?.text == mother.text)
            let own = try await Self.visit(server, ada, by: paul, sentBy: admin, ago: 30)
            #expect(try await server.act("complete", own, as: paul).status == 200)
            #expect(Self.names(try await server.get(CareTests.clients, as: paul)) == ["Ada", "Edith"])
        }
    }

    @Test("O7: the desk sees which visits have ended unpaid; nobody else does")
    func unpaid() async throws {
        try await OrderServer.with { server in
            try await CareTests.openAlways(server)
            let ada = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let answer = try await server.post(CareTests.visits, as: ada, CareTests.body(nil))
            let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
            let path = CareTests.desk + "?state=expired"
            #expect(try await server.get(path, as: admin).items.isEmpty)
            let due = try #require(try await server.world.details(order).order.deadline)
            try await server.world.pool.withTransaction { transaction in
                try await server.world.operations.endWindow(.payment, of: order, due: due, at: due, in: transaction)
            }
            let listed = try await server.get(path, as: admin).items
            #expect(listed.map { $0["order"]?.text } == [order.text] && listed.first?["state"]?.text == "expired")
            #expect(try await server.get(path, as: ada).status == 403)
        }
    }
}
