import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("P10: what callers of orders can do wrong", .timeLimit(.minutes(15)))
struct OrderInputTests {
    @Test("P10: every wrong field of a request is named, and nothing is changed")
    func requests() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider().account
            func codes(_ body: String) async throws -> [String: String] {
                let answer = try await server.post(OrderServer.orders, as: customer, body)
                #expect(answer.status == 422, "\(body)")
                return answer.codes
            }
            let required = ["market", "provider", "services", "latitude", "longitude", "total"]
            let missing = Dictionary(uniqueKeysWithValues: required.map { ("/\($0)", "required") })
            #expect(try await codes("{}") == missing)
            let types = #"{"market": 1, "provider": true, "services": "x", "latitude": "24", "longitude": []}"#
            #expect(
                try await codes(types) == [
                    "/market": "not-a-text", "/provider": "not-a-text", "/services": "not-a-list",
                    "/latitude": "not-a-number", "/longitude": "not-a-number", "/total": "required",
                ])
            #expect(
                try await codes(OrderServer.body(provider, latitude: "90.1", longitude: "-180.1")) == [
                    "/latitude": "out-of-range", "/longitude": "out-of-range",
                ])
            #expect(
                try await codes(OrderServer.body(provider, latitude: "0", longitude: "1")) == [
                    "/latitude": "outside-service-area", "/longitude": "outside-service-area",
                ])
            #expect(try await codes(OrderServer.body(provider, services: "[]")) == ["/services": "too-few"])
            #expect(
                try await codes(OrderServer.body(provider, services: #"["wound-care", 5]"#)) == [
                    "/services/1": "not-a-text"
                ])
            #expect(
                try await codes(OrderServer.body(provider, services: #"["wound-care", "wound-care"]"#)) == [
                    "/services": "repeated-service"
                ])
            #expect(
                try await codes(OrderServer.body(provider, services: #"["wound-care", "dance"]"#)) == [
                    "/services/1": "unknown-service"
                ])
            #expect(
                try await codes(OrderServer.body(provider, services: #"["injection"]"#)) == [
                    "/services/0": "service-not-offered"
                ])
            let many = "[" + (0..<21).map { #""s\#($0)""# }.joined(separator: ",") + "]"
            #expect(try await codes(OrderServer.body(provider, services: many)) == ["/services": "too-many"])
            let long = String(repeating: "x", count: 501)
            #expect(
                try await codes(OrderServer.body(provider, more: #", "description": "\#(long)""#)) == [
                    "/description": "too-long"
                ])
            #expect(
                try await codes(OrderServer.body(provider, more: #", "description": "a\u0000b""#)) == [
                    "/description": "control-characters"
                ])
            #expect(try await codes(OrderServer.body(customer.account)) == ["/provider": "own-account"])
            let elsewhere = OrderServer.body(provider).replacingOccurrences(of: "assef", with: "atlantis")
            #expect(try await codes(elsewhere) == ["/market": "unknown-market"])
            // Nobody chooses a carrier by name there.
            let parcels = OrderServer.body(provider).replacingOccurrences(of: "assef", with: "carrepsa")
            #expect(try await codes(parcels) == ["/market": "unknown-market"])
            let odd = OrderServer.body(provider).replacingOccurrences(of: provider.text, with: "me")
            #expect(try await codes(odd) == ["/provider": "not-an-id"])
            #expect(try await server.world.pool.first(CountOrders()) == 0)
        }
    }

    @Test("P10: bodies that are no JSON, too large, or without a key are refused")
    func bodies() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            for (body, status) in [("{", 400), ("", 415), ("[]", 422), ("null", 422), ("{}{}", 400)] {
                let answer = try await server.post(
                    OrderServer.orders, as: customer, body.isEmpty ? nil : body)
                #expect(answer.status == status, "\(body)")
            }
            let huge = #"{"market": ""# + String(repeating: "x", count: 300_000) + #""}"#
            #expect(try await server.post(OrderServer.orders, as: customer, huge).status == 413)
            let path = try await server.order(customer, provider)
            for action in ["accept", "decline", "cancel", "arrive", "complete", "rating"] {
                let answer = try await server.post("\(path)/\(action)", as: provider, "{}", key: nil)
                #expect(answer.status == 400, "\(action)")
                #expect(answer.problem == "idempotency-key-missing")
            }
            for (action, body, code) in [
                ("accept", #"{"companion": 7}"#, "not-a-text"),
                ("accept", #"{"companion": "\#(String(repeating: "x", count: 101))"}"#, "too-long"),
                ("decline", #"{"reason": ["x"]}"#, "not-a-text"),
                ("cancel", #"{"reason": "\#(String(repeating: "x", count: 301))"}"#, "too-long"),
                // What the platform itself would say of an order.
                ("decline", #"{"reason": "provider-banned"}"#, "not-own-words"),
                ("cancel", #"{"reason": " no-show "}"#, "not-own-words"),
                ("cancel", #"{"reason": "provider-late"}"#, "not-own-words"),
                ("give-up", #"{"reason": "deposit-refused"}"#, "not-own-words"),
                // What would turn the words around it.
                ("cancel", #"{"reason": "too \u0007late"}"#, "control-characters"),
                ("accept", #"{"companion": "Hu\u0007da"}"#, "control-characters"),
                ("rating", #"{"stars": 6}"#, "out-of-range"), ("rating", #"{"stars": 4.5}"#, "not-a-whole-number"),
                ("rating", #"{}"#, "required"), ("rating", #"{"stars": "5"}"#, "not-a-whole-number"),
                ("rating", #"{"stars": 5, "serviceStars": 0}"#, "out-of-range"),
                ("rating", #"{"stars": 5, "comment": "\#(String(repeating: "x", count: 1_001))"}"#, "too-long"),
            ] {
                let answer = try await server.post("\(path)/\(action)", as: provider, body)
                #expect(answer.status == 422, "\(action) \(body.prefix(40))")
                #expect(Array(answer.codes.values) == [code], "\(action) \(body.prefix(40))")
            }
            #expect(try await server.get(path, as: customer)["version"]?.int == 1)
        }
    }

    @Test("P2, P12: a closed market and a customer that identity has not told of are conflicts that say so")
    func conflicts() async throws {
        try await OrderServer.with { server in
            let provider = try await server.provider()
            let unknown = try await server.person(roles: ["customer"])
            let early = try await server.post(OrderServer.orders, as: unknown, OrderServer.body(provider.account))
            #expect(early.problem == "account-not-ready")
            #expect(early.headers[.retryAfter] == "1")
            let minute = try #require(LocalTime.minuteOfDay(of: Date(), in: "Asia/Riyadh"))
            // Open for one hour that is not now.
            let hour = (minute / 60 + 6) % 24
            func clock(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
            try await server.world.set(.openingHours, to: "\(clock(hour))-\(clock((hour + 1) % 24))")
            let closed = try await server.post(
                OrderServer.orders, as: try await server.customer(), OrderServer.body(provider.account), language: "ar")
            #expect(closed.status == 409)
            #expect(closed.problem == "market-closed")
            #expect(closed["title"]?.text == "الخدمة مغلقة في هذا الوقت")
        }
    }

    @Test("Q7: who may not: no token 401, no role 403, not one's order 404, not one's part 403")
    func callers() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let path = try await server.order(customer, provider)
            let otherCustomer = try await server.customer()
            let otherProvider = try await server.provider()
            let admin = try await server.person(roles: ["admin"])
            let master = try await server.person(roles: ["admin"], in: "*")
            let foreignAdmin = try await server.person(roles: ["admin"], in: "hajji")

            #expect(
                try await server.post(OrderServer.orders, as: nil, OrderServer.body(provider.account)).status == 401)
            #expect(try await server.get(OrderServer.orders, as: nil).status == 401)
            for roles in [["provider"], ["admin"], []] {
                let caller = try await server.person(try await server.world.addCustomer(), roles: roles)
                let answer = try await server.post(OrderServer.orders, as: caller, OrderServer.body(provider.account))
                #expect(answer.status == 403, "\(roles)")
            }
            let elsewhere = try await server.person(customer.account, roles: ["customer"], in: "hajji")
            #expect(
                try await server.post(OrderServer.orders, as: elsewhere, OrderServer.body(provider.account)).status
                    == 403)

            for (person, status) in [
                (customer, 200), (provider, 200), (admin, 200), (master, 200), (otherCustomer, 404),
                (otherProvider, 404),
                (foreignAdmin, 404),
            ] {
                #expect(try await server.get(path, as: person).status == status)
            }
            #expect(try await server.get(path, as: admin)["role"]?.text == "admin")
            #expect(try await server.get(path, as: nil).status == 401)
            for (action, body) in [
                ("accept", nil), ("decline", nil), ("cancel", nil), ("arrive", nil), ("complete", nil),
                ("rating", #"{"stars": 5}"#),
            ] as [(String, String?)] {
                #expect(try await server.post("\(path)/\(action)", as: nil, body).status == 401)
                for person in [otherCustomer, otherProvider, admin, master, foreignAdmin] {
                    #expect(try await server.post("\(path)/\(action)", as: person, body).status == 404, "\(action)")
                }
                for id in ["x", UUID.timeOrdered().text] {
                    let answer = try await server.post("\(OrderServer.orders)/\(id)/\(action)", as: customer, body)
                    #expect(answer.status == 404, "\(action) \(id)")
                }
            }
            for (action, person) in [
                ("accept", customer), ("decline", customer), ("arrive", customer), ("cancel", provider),
            ] {
                #expect(try await server.post("\(path)/\(action)", as: person).status == 403, "\(action)")
            }
            #expect(try await server.get(path, as: customer)["version"]?.int == 1)
            try await server.world.expectConsistency()
        }
    }

    @Test("each POST sent twice with its key has its effect once and the same answer; another input is a 422")
    func repeats() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            func twice(_ path: String, _ person: OrderServer.Person, _ body: String? = nil) async throws -> Answer {
                let key = UUID().uuidString
                let first = try await server.post(path, as: person, body, key: key)
                let second = try await server.post(path, as: person, body, key: key)
                #expect((200...201).contains(first.status), "\(path)")
                #expect(second.status == first.status)
                #expect(second.json == first.json)
                #expect(second.headers[.idempotencyReplayed] == "true")
                let other = try await server.post(path, as: person, #"{"companion": "another"}"#, key: key)
                #expect(other.status == 422, "\(path)")
                return first
            }
            let declined = try await server.order(customer, provider)
            _ = try await twice("\(declined)/decline", provider, #"{"reason": "far"}"#)
            let cancelled = try await server.order(customer, provider)
            _ = try await twice("\(cancelled)/cancel", customer)
            let requested = try await twice(OrderServer.orders, customer, OrderServer.body(provider.account))
            let id = try #require(requested["order"]?.text.flatMap(UUID.init(uuidString:)))
            let path = "\(OrderServer.orders)/\(id.text)"
            _ = try await twice("\(path)/accept", provider)
            try await server.world.pay(id)
            _ = try await twice("\(path)/arrive", provider)
            _ = try await twice("\(path)/complete", customer)
            _ = try await twice("\(path)/complete", provider)
            _ = try await twice("\(path)/rating", customer, #"{"stars": 5}"#)
            #expect(
                try await server.world.events(id) == [
                    "requested", "accepted", "en_route", "arrived", "confirmed", "completed", "given",
                ])
            #expect(try await server.world.pool.first(CountOrders()) == 3)
            try await server.world.expectConsistency()
        }
    }

    @Test("an error is not remembered with its key: the same key works once it can")
    func errorsAreForgotten() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let busy = try await server.order(customer, provider)
            let waiting = try await server.order(customer, provider)
            _ = try await server.post("\(busy)/accept", as: provider)
            #expect(try await server.post("\(waiting)/accept", as: provider, key: "accept-key").status == 409)
            _ = try await server.post("\(busy)/cancel", as: customer)
            #expect(try await server.post("\(waiting)/accept", as: provider, key: "accept-key").status == 200)
        }
    }
}
