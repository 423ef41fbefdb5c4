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

@Suite("I9: relatives who see each other's orders", .timeLimit(.minutes(15)))
struct RelativeTests {
    /// A mother who has ordered a visit, and people who are more or less close to her.
    private struct Scene {
        let server: OrderServer
        let mother: OrderServer.Person
        let daughter: OrderServer.Person
        let order: UUID

        init(_ server: OrderServer) async throws {
            self.server = server
            mother = try await server.owner("Edith", in: "edencare")
            daughter = try await server.owner("Dora", in: "edencare")
            order = try await CareTests.ordered(server, mother, CareTests.body(try CareTests.noon()))
        }

        /// - Returns: the link.
        @discardableResult
        func link(
            _ person: OrderServer.Person, _ scopes: [String], in market: String = "edencare", isAsker: Bool = false
        ) async throws -> UUID {
            let link = UUID.timeOrdered()
            let (from, to) = isAsker ? (person.account, mother.account) : (mother.account, person.account)
            try await server.world.pool.execute(
                StoreLink(link: link, market: market, from: from, to: to, scopes: scopes))
            return link
        }

        func find(_ person: OrderServer.Person) async throws -> Answer {
            try await server.get(server.path(order), as: person)
        }

        func list(_ person: OrderServer.Person, _ more: String = "") async throws -> Answer {
            try await server.get("\(OrderServer.orders)?relative=\(mother.account.text)\(more)", as: person)
        }

        func track(_ person: OrderServer.Person) async throws -> Problem? {
            let track = TrackOrder(
                pool: server.world.pool, markets: server.world.markets, travelTimes: GreatCircleTimes())
            do {
                _ = try await track(order, for: person.account)
                return nil
            } catch let problem as Problem {
                return problem
            }
        }
    }

    private func with(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await OrderServer.with { server in try await body(try await Scene(server)) }
    }

    @Test("I9, O5: whoever asked for the link, one sees the other's orders as the customer does, as long as it holds")
    func seen() async throws {
        try await with { scene in
            let link = try await scene.link(scene.daughter, ["see"])
            let seen = try await scene.find(scene.daughter)
            let own = try await scene.find(scene.mother)
            #expect(seen.status == 200 && seen["isOnlySeen"] == .bool(true) && own["isOnlySeen"] == nil)
            #expect(seen["role"]?.text == "customer" && seen["label"] == own["label"] && seen["place"] == own["place"])
            let list = try await scene.list(scene.daughter)
            #expect(list.items.compactMap { $0["order"]?.text } == [scene.order.text])
            #expect(list.items.first?["isOnlySeen"] == .bool(true))
            #expect(try await scene.list(scene.daughter, "&section=inactive").items.isEmpty)
            // Nobody follows a partner days before: she is told so, as her mother is.
            #expect(try await scene.track(scene.daughter)?.status == .conflict)
            // Her own list is her own.
            #expect(try await scene.server.get(OrderServer.orders, as: scene.daughter).items.isEmpty)
            try await scene.server.world.pool.execute(
                RemoveLink(link: link, market: "edencare", from: scene.mother.account, to: scene.daughter.account))
            #expect(try await scene.find(scene.daughter).status == 404)
            #expect(try await scene.list(scene.daughter).status == 404)
            #expect(try await scene.track(scene.daughter)?.status == .notFound)
            try await scene.link(scene.daughter, ["order", "see"], isAsker: true)
            #expect(try await scene.find(scene.daughter).status == 200)
        }
    }

    @Test("I9, Q7: who may order for somebody does not see, a link of another market shows nothing, nor one to others")
    func strangers() async throws {
        try await with { scene in
            let server = scene.server
            let son = try await server.owner("Sam", in: "edencare")
            let friend = try await server.owner("Fay", in: "edencare")
            try await scene.link(son, ["order"])
            try await scene.link(friend, ["see"], in: "assef")
            try await scene.link(scene.daughter, ["see"])
            // The daughter's friend is nobody to the mother.
            let far = try await server.owner("Finn", in: "edencare")
            try await server.world.pool.execute(
                StoreLink(
                    link: .timeOrdered(), market: "edencare", from: scene.daughter.account, to: far.account,
                    scopes: ["see"]))
            let partner = try await server.partner()
            for person in [son, friend, far, partner] {
                #expect(try await scene.find(person).status == 404)
                #expect(try await scene.track(person)?.status == .notFound)
            }
            // Of assef there is nothing to see.
            #expect(try await scene.list(friend).items.isEmpty)
            for person in [son, far, partner] { #expect(try await scene.list(person).status == 404) }
            #expect(try await server.get("\(OrderServer.orders)?relative=x", as: son).status == 400)
            #expect(try await scene.list(scene.daughter, "&role=provider").status == 400)
            #expect(try await server.get("\(OrderServer.orders)?relative=\(far.account.text)", as: nil).status == 401)
        }
    }

    @Test("I9, Q7: who sees an order does nothing with it")
    func acts() async throws {
        try await with { scene in
            try await scene.link(scene.daughter, ["order", "see"])
            let report = #"{"reason": "other", "note": "I am worried", "cancels": false}"#
            for action in ["cancel", "accept", "arrive", "complete", "no-show", "start", "give-up"] {
                #expect(try await scene.server.act(action, scene.order, as: scene.daughter).status == 404, "\(action)")
            }
            #expect(try await scene.server.act("reports", scene.order, as: scene.daughter, report).status == 404)
            let stars = #"{"stars": 1}"#
            #expect(try await scene.server.act("rating", scene.order, as: scene.daughter, stars).status == 404)
            for path in ["cancellation", "reports", "matching", "partners"] {
                let answer = try await scene.server.get(scene.server.path(scene.order, path), as: scene.daughter)
                #expect(answer.status == 404, "\(path)")
            }
            #expect(try await scene.server.world.state(scene.order) == .requested)
        }
    }
}
