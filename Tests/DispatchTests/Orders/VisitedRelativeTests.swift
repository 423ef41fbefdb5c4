import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("I9, O7: the relative who is visited", .timeLimit(.minutes(15)))
struct VisitedRelativeTests {
    /// A daughter who orders for her mother.
    private struct Scene {
        let server: OrderServer
        let daughter: OrderServer.Person
        let mother: OrderServer.Person

        init(_ server: OrderServer) async throws {
            self.server = server
            daughter = try await server.owner("Dora", in: "edencare")
            mother = try await server.owner("Edith", in: "edencare")
        }

        func link(_ scopes: [String], isAsker: Bool = true) async throws -> UUID {
            let link = UUID.timeOrdered()
            let (from, to) =
                isAsker ? (daughter.account, mother.account) : (mother.account, daughter.account)
            try await server.world.pool.execute(
                StoreLink(link: link, market: "edencare", from: from, to: to, scopes: scopes))
            return link
        }

        func order() async throws -> UUID {
            let more = #", "relative": "\#(mother.account.text)""#
            return try await CareTests.ordered(
                server, daughter, CareTests.body(try CareTests.noon(), more: more))
        }

        /// The orders in the mother's list.
        func forMother(_ section: String = "active") async throws -> [JSONValue] {
            try await server.get("\(OrderServer.orders)?role=recipient&section=\(section)", as: mother).items
        }

        func requested(_ order: UUID) async throws -> OrderSnapshot {
            let events = try await server.world.pool.query(ReadEvents(order: order.text))
            let event = try #require(events.last { $0.name.contains("requested") })
            return try JSON.wire.decode(OrderRequested.self, event.payload.utf8).order
        }
    }

    @Test(
        "I9, O7: whoever is visited lists the visits that a link lets her see, and only reads them",
        arguments: [true, false])
    func listed(isAsker: Bool) async throws {
        try await OrderServer.with { server in
            let scene = try await Scene(server)
            let link = try await scene.link(["order", "see"], isAsker: isAsker)
            let order = try await scene.order()
            let listed = try await scene.forMother()
            #expect(listed.map { $0["order"]?.text } == [order.text])
            #expect(listed.first?["isOnlySeen"] == .bool(true) && listed.first?["care"]?["relative"]?["name"] != nil)
            #expect(try await scene.forMother("inactive").isEmpty)
            #expect(try await server.get(server.path(order), as: scene.mother).status == 200)
            let refused = try await server.post("\(server.path(order))/cancel", as: scene.mother, "{}")
            #expect(refused.status == 403 || refused.status == 404)
            let recipient = try await scene.requested(order).recipient
            #expect(recipient?.account == scene.mother.account && recipient?.sees == true)
            // Her own orders are not in it, nor are these in the list of her own.
            #expect(try await server.get(OrderServer.orders, as: scene.mother).items.isEmpty)
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            #expect(try await server.act("cancellation", order, as: admin, "{}").status == 200)
            #expect(try await scene.forMother().isEmpty)
            #expect(try await scene.forMother("inactive").map { $0["order"]?.text } == [order.text])
            try await server.world.pool.execute(
                RemoveLink(link: link, market: "edencare", from: scene.daughter.account, to: scene.mother.account))
            #expect(try await scene.forMother("inactive").isEmpty)
        }
    }

    @Test("I9: a link that only lets the two order for each other shows and tells the relative nothing")
    func onlyOrders() async throws {
        try await OrderServer.with { server in
            let scene = try await Scene(server)
            _ = try await scene.link(["order"])
            let order = try await scene.order()
            #expect(try await scene.forMother().isEmpty)
            #expect(try await scene.requested(order).recipient?.sees == false)
            let wrong = try await server.get(
                "\(OrderServer.orders)?role=recipient&relative=\(scene.daughter.account.text)", as: scene.mother)
            #expect(wrong.status == 400 && wrong.codes["/role"] == "not-a-choice")
        }
    }
}
