import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O1: orders over HTTP", .timeLimit(.minutes(15)))
struct OrderFlowTests {
    @Test("O1, P3, P7: one order from request to completion, as each party sees it in its language")
    func usualWay() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer("Salem")
            let provider = try await server.provider("نورة")
            let requested = try await server.post(
                OrderServer.orders, as: customer,
                OrderServer.body(
                    provider.account, services: #"["wound-care", "vital-signs"]"#,
                    more: #", "description": "2nd floor""#))
            #expect(requested.status == 201)
            #expect(requested["state"]?.text == "requested")
            #expect(requested["label"]?.text == "Waiting")
            #expect(requested["role"]?.text == "customer")
            #expect(requested["version"]?.int == 1)
            #expect(requested["total", "amount"]?.int == 17_000)
            #expect(requested["total", "currency"]?.text == "SAR")
            #expect(requested["place", "description"]?.text == "2nd floor")
            #expect(requested["payment", "state"]?.text == "unpaid")
            #expect(requested["deadline"]?.text != nil)
            let id = try #require(requested["order"]?.text)
            #expect(id == id.lowercased())
            let path = "\(OrderServer.orders)/\(id)"

            let accepted = try await server.post(
                "\(path)/accept", as: provider, #"{"companion": "هدى سالم"}"#, language: "ar")
            #expect(accepted.status == 200)
            #expect(accepted["label"]?.text == "بالانتظار")
            #expect(accepted["companion"]?.text == "هدى سالم")
            #expect(accepted["place", "latitude"] == .number(24.7))
            #expect(try await server.get(path, as: customer)["companion"] == nil)
            let refused = try await server.post("\(path)/arrive", as: provider)
            #expect(refused.status == 409)
            #expect(refused.problem == "order-state")
            #expect(refused["state"]?.text == "accepted")

            let order = try #require(UUID(uuidString: id))
            try await server.world.pay(order, SampleOrder.held(method: "cash"))
            #expect(try await server.get(path, as: customer)["payment", "method"]?.text == "cash")
            #expect(try await server.post("\(path)/arrive", as: provider)["label"]?.text == "With customer")
            let late = try await server.post("\(path)/cancel", as: customer)
            #expect(late.status == 409)
            #expect(late["state"]?.text == "arrived")
            #expect(try await server.get(path, as: customer)["label"]?.text == "With nurse")
            let first = try await server.post("\(path)/complete", as: customer)
            #expect(first["state"]?.text == "arrived")
            #expect(first["confirmedBy"]?.texts == ["customer"])
            #expect(try await server.post("\(path)/complete", as: customer).status == 409)
            let completed = try await server.post("\(path)/complete", as: provider)
            #expect(completed["state"]?.text == "completed")
            #expect(completed["deadline"] == nil)
            try await server.world.expectConsistency()
        }
    }

    @Test("P6: a view has every field of the snapshot that events carry, with the same values")
    func snapshot() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            for _ in 0..<10 {
                let path = try await server.order(customer, provider)
                let accepted = try await server.post("\(path)/accept", as: provider)
                let id = try #require(accepted["order"]?.text.flatMap(UUID.init(uuidString:)))
                let event = try #require(try await server.world.pool.query(ReadEvents(order: id.text)).last)
                let told = try JSON.wire.decode(OrderAccepted.self, event.payload.utf8).order
                for view in [accepted, try await server.get(path, as: customer)] {
                    let body = try JSON.answer.encode(view.json)
                    #expect(try JSON.answer.decode(OrderSnapshot.self, body) == told)
                }
                _ = try await server.post("\(path)/cancel", as: customer)
            }
        }
    }

    @Test("O1: the provider declines, the customer cancels while waiting or accepted, each with the reason")
    func endings() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let declined = try await server.order(customer, provider)
            let answer = try await server.post("\(declined)/decline", as: provider, #"{"reason": "far away"}"#)
            #expect(answer["state"]?.text == "refused")
            #expect(answer["label"]?.text == "Declined")
            #expect(answer["reason"]?.text == "far away")
            for isAccepted in [false, true] {
                let path = try await server.order(customer, provider)
                if isAccepted { #expect(try await server.post("\(path)/accept", as: provider).status == 200) }
                let cancelled = try await server.post("\(path)/cancel", as: customer, #"{"reason": "not today"}"#)
                #expect(cancelled["state"]?.text == "cancelled")
                #expect(cancelled["by"]?.text == "customer")
            }
            let busy = try await server.order(customer, provider)
            let other = try await server.order(customer, provider)
            _ = try await server.post("\(busy)/accept", as: provider)
            let second = try await server.post("\(other)/accept", as: provider)
            #expect(second.status == 409)
            #expect(second.problem == "provider-busy")
            #expect(second["state"]?.text == "requested")
            let unavailable = try await server.post(
                OrderServer.orders, as: customer, OrderServer.body(provider.account))
            #expect(unavailable.status == 409)
            #expect(unavailable.problem == "provider-unavailable")
            try await server.world.expectConsistency()
        }
    }

    @Test("P3a: what comes after its window is a 409 that names the state, and the order stays")
    func tooLate() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let past = Date.thisMillisecond.addingTimeInterval(-100_000)
            let requested = try await server.world.request(customer.account, provider.account, at: past)
            let arrived = try await server.world.order(in: .arrived, customer.account, provider.account, at: past)
            for (order, action, person) in [
                (requested, "accept", provider), (arrived, "complete", provider), (arrived, "complete", customer),
            ] {
                let path = "\(OrderServer.orders)/\(order.id.text)"
                let answer = try await server.post("\(path)/\(action)", as: person)
                #expect(answer.status == 409)
                #expect(answer.problem == "order-window-over")
                #expect(answer["state"]?.text == order.state.rawValue)
                #expect(try await server.get(path, as: person)["version"]?.int == order.version)
            }
        }
    }

    @Test("O5: lists show one's own orders by section, the newest first, page by page")
    func lists() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            var paths: [String] = []
            for _ in 0..<5 { paths.append(try await server.order(customer, provider)) }
            _ = try await server.order(try await server.customer(), try await server.provider())
            let ended = [paths.removeFirst(), paths.removeLast()]
            for path in ended { _ = try await server.post("\(path)/cancel", as: customer) }
            func ids(_ answer: Answer) -> [String] {
                answer.items.map { "\(OrderServer.orders)/\($0["order"]?.text ?? "")" }
            }
            let newestFirst = Array(paths.reversed())
            let active = try await server.get(OrderServer.orders, as: customer)
            #expect(ids(active) == newestFirst)
            #expect(active["next"] == nil)
            #expect(
                ids(try await server.get("\(OrderServer.orders)?section=inactive", as: customer)) == ended.reversed())
            let new = try await server.get("\(OrderServer.orders)?role=provider&section=new", as: provider)
            #expect(ids(new) == newestFirst)
            #expect(new.items.first?["role"]?.text == "provider")
            #expect(
                ids(try await server.get("\(OrderServer.orders)?role=provider&section=past", as: provider)).count == 2)
            #expect(ids(try await server.get("\(OrderServer.orders)?role=provider", as: customer)) == [])

            let first = try await server.get("\(OrderServer.orders)?limit=2", as: customer)
            #expect(ids(first) == Array(newestFirst.prefix(2)))
            let cursor = try #require(first["next"]?.text)
            let second = try await server.get("\(OrderServer.orders)?limit=2&cursor=\(cursor)", as: customer)
            #expect(ids(second) == Array(newestFirst.suffix(1)))
            #expect(second["next"] == nil)
            for query in [
                "cursor=\(cursor)&section=inactive", "cursor=x", "limit=0", "limit=x", "section=all", "role=admin",
            ] {
                #expect(try await server.get("\(OrderServer.orders)?\(query)", as: customer).status == 400, "\(query)")
            }
            #expect(try await server.get("\(OrderServer.orders)?cursor=\(cursor)", as: provider).status == 400)
        }
    }

    @Test("O4: each party rates once, sees the other's rating after its own, and averages grow")
    func ratings() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let order = try await server.world.order(in: .arrived, customer.account, provider.account)
            let path = "\(OrderServer.orders)/\(order.id.text)"
            let early = try await server.post("\(path)/rating", as: customer, #"{"stars": 5}"#)
            #expect(early.status == 409)
            #expect(early["state"]?.text == "arrived")
            for person in [customer, provider] { _ = try await server.post("\(path)/complete", as: person) }

            let rated = try await server.post(
                "\(path)/rating", as: provider, #"{"stars": 4, "comment": "kind"}"#)
            #expect(rated.status == 201)
            #expect(
                rated["customerRating", "average"] == .integer(4) || rated["customerRating", "average"] == .number(4))
            #expect(rated["customerRating", "count"]?.int == 1)
            #expect(rated["ratings", "provider", "stars"]?.int == 4)
            #expect(try await server.get(path, as: customer)["ratings", "provider"] == nil)
            #expect(try await server.get(path, as: customer)["ratings", "customer"] == nil)
            let both = try await server.post(
                "\(path)/rating", as: customer, #"{"stars": 5, "serviceStars": 3, "comment": "ممتازة"}"#)
            #expect(both["ratings", "provider", "comment"]?.text == "kind")
            #expect(both["ratings", "customer", "serviceStars"]?.int == 3)
            #expect(try await server.get(path, as: provider)["ratings", "customer", "comment"]?.text == "ممتازة")
            let again = try await server.post("\(path)/rating", as: customer, #"{"stars": 1}"#)
            #expect(again.status == 409)
            #expect(again.problem == "already-rated")
            #expect(try await server.get(path, as: customer)["providerRating", "count"]?.int == 1)
            let wrong = try await server.post("\(path)/rating", as: provider, #"{"stars": 1, "serviceStars": 1}"#)
            #expect(wrong.codes == ["/serviceStars": "for-customers-only"])
            #expect(try await server.world.events(order.id).suffix(2) == ["given", "given"])
            // The next customer sees the average.
            let next = try await server.order(try await server.customer(), provider)
            #expect(try await server.get(next, as: provider)["providerRating", "count"]?.int == 1)
        }
    }
}
