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

@Suite("O11: parcels and the board", .timeLimit(.minutes(15)))
struct BoardTests {
    @Test("O11: a parcel is posted, paid, taken, picked up and delivered, and its carrier sees what was earned")
    func delivery() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.post(owner, OrderServer.parcel(deposit: 9_000))
            #expect(try await server.get(server.path(order), as: owner)["state"]?.text == "pending")
            #expect(try await server.get(OrderServer.board, as: carrier).items.isEmpty)
            try await server.world.pay(order, SampleOrder.held(2, method: "wallet"))
            let listed = try await server.get(OrderServer.board, as: carrier).items
            #expect(listed.compactMap { $0["order"]?["order"]?.text } == [order.text])
            #expect(listed.first?["order"]?["parcel"]?["name"]?.text == "A lamp")
            #expect(try await server.get(server.path(order), as: carrier)["label"]?.text == "Not accepted")
            // Whose door it is: for who carries it.
            for view in [listed.first?["order"], try await server.get(server.path(order), as: carrier).json] {
                #expect(view?["destination"]?["description"] == nil)
                #expect(view?["destination"]?["latitude"] == .number(57.712))
                #expect(view?["place"]?["longitude"] == .number(11.972))
            }
            #expect(try await server.get(server.path(order), as: owner)["destination", "description"] != nil)

            let taken = try await server.act("take", order, as: carrier)
            #expect(taken.status == 200 && taken["state"]?.text == "accepted")
            #expect(taken["depositState"]?.text == "awaited")
            // Nor is it his to know before his deposit is there.
            #expect(taken["destination", "description"] == nil)
            #expect(taken["destination", "latitude"] == .number(57.712))
            #expect(try await server.act("start", order, as: owner).problem == "order-state")
            try await server.deposit(.depositLocked(orderVersion: 3), of: order)
            let locked = try await server.get(server.path(order), as: carrier)
            #expect(locked["destination", "description"]?.text == "Blue door")
            // The carrier says to have it, and the owner is asked.
            let said = try await server.act("start", order, as: carrier)
            #expect(said["label"]?.text == "Waiting for the owner's word" && said["depositState"]?.text == "locked")
            let started = try await server.act("start", order, as: owner)
            #expect(started["label"]?.text == "Travelling" && started["depositState"]?.text == "locked")
            #expect(try await server.act("cancel", order, as: owner).problem == "order-state")
            let delivered = try await server.act("complete", order, as: owner)
            #expect(delivered["label"]?.text == "Delivered")
            let captured = OrderTrigger.PaymentNews(method: "wallet", version: 3, earned: 4_500)
            try await server.world.pay(order, .paymentCaptured(captured))
            try await server.world.pay(order, .paymentCaptured(captured))
            try await server.deposit(.depositEnded(toCustomer: false), of: order)
            let earned = try await server.get("/dispatch/v1/markets/carrepsa/earnings", as: carrier).items
            #expect(earned.count == 1 && earned.first?["orders"]?.int == 1)
            #expect(earned.first?["amount"]?["amount"]?.int == 4_500)
            let past = try await server.get("\(OrderServer.orders)?role=provider&section=past", as: carrier).items
            #expect(past.compactMap { $0["depositState"]?.text } == ["returned"])
            #expect(
                try await server.world.events(order) == [
                    "pending", "requested", "accepted", "deposited", "arrived", "started", "completed",
                    "payment_changed",
                    "payment_changed",
                ])
            #expect(try await server.world.deadlines(order).isEmpty)
        }
    }

    @Test("O11: a deposit that is refused, or comes too late, puts the parcel back on the board for others")
    func deposits() async throws {
        try await OrderServer.with { server in
            let (owner, poor, rich) = (
                try await server.owner(), try await server.carrier(), try await server.carrier("Rut")
            )
            let order = try await server.posted(owner, OrderServer.parcel(deposit: 9_000))
            _ = try await server.act("take", order, as: poor)
            #expect(try await server.get(OrderServer.board, as: rich).items.isEmpty)
            try await server.deposit(.depositRefused(orderVersion: 3), of: order)
            #expect(try await server.get(OrderServer.board, as: rich).items.count == 1)
            #expect(try await server.get(server.path(order), as: owner)["provider"] == nil)
            // What comes late of somebody who has it no more.
            try await server.deposit(.depositEnded(toCustomer: false), of: order, from: poor.account)
            #expect(try await server.world.details(order).order.deposit?.state == .open)
            #expect(try await server.act("take", order, as: rich).status == 200)
            // The answer to the acceptance before.
            try await server.deposit(.depositLocked(orderVersion: 3), of: order)
            #expect(try await server.world.details(order).order.deposit?.state == .awaited)
            let late = Date.thisMillisecond.addingTimeInterval(61)
            try await server.world.pool.withTransaction { transaction in
                try await server.world.operations.recordDeposit(
                    .depositLocked(orderVersion: 5), of: order, at: late, in: transaction)
            }
            let back = try await server.world.details(order).order
            #expect(back.state == .requested && back.reason == "deposit-window-over" && back.provider == nil)
            #expect(try await server.world.deadlines(order) == ["order.search"])
            #expect(
                try await server.world.events(order) == [
                    "pending", "requested", "accepted", "reopened", "accepted", "reopened",
                ])
        }
    }

    @Test("O11: why a parcel is on the board again is its owner's to know, and not strangers'")
    func strangers() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.posted(owner)
            #expect(try await server.act("take", order, as: carrier).status == 200)
            let reason = #"{"reason": "I am ill"}"#
            #expect(try await server.act("give-up", order, as: carrier, reason).status == 204)
            let other = try await server.carrier("Lena")
            let listed = try await server.get(OrderServer.board, as: other).items
            #expect(listed.count == 1 && listed.first?["order"]?["reason"] == nil)
            #expect(try await server.get(server.path(order), as: other)["reason"] == nil)
            #expect(try await server.get(server.path(order), as: owner)["reason"]?.text == "I am ill")
            let end = try await server.world.details(order).order.searchEnd
            #expect(end != nil)
        }
    }

    @Test("O11: the board is filtered by place, way, weight and fragility, and ordered as asked")
    func filters() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let near = try await server.posted(owner, OrderServer.parcel(payment: 100, way: 0.05))
            let heavy = try await server.posted(owner, OrderServer.parcel(payment: 900, grams: 20_000, north: 0.02))
            let fragile = try await server.posted(
                owner, OrderServer.parcel(payment: 500, isFragile: true, north: 0.04, way: 0.02))
            // Eleven kilometres away.
            let far = try await server.posted(owner, OrderServer.parcel(north: 0.1))
            func found(_ more: String) async throws -> [UUID] {
                let answer = try await server.get(OrderServer.board + more, as: carrier)
                #expect(answer.status == 200, "\(answer.json)")
                return answer.items.compactMap { $0["order"]?["order"]?.text.flatMap(UUID.init(uuidString:)) }
            }
            #expect(try await found("") == [fragile, heavy, near])
            #expect(try await found("&sort=payment") == [heavy, fragile, near])
            #expect(try await found("&sort=way") == [heavy, fragile, near])
            #expect(try await found("&sort=near") == [near, heavy, fragile])
            #expect(
                try await found("&sort=near&fromLatitude=57.74&fromLongitude=11.97") == [fragile, heavy, near])
            #expect(try await found("&fragile=true") == [fragile])
            #expect(try await found("&fragile=false&maximumGrams=1000") == [near])
            #expect(try await found("&minimumMetres=2000&maximumMetres=3000") == [fragile])
            #expect(try await found("&radius=3000") == [heavy, near])
            #expect(try await found("&limit=1") == [fragile])
            #expect(try await !found("").contains(far))
            for wrong in [
                "&south=57.6&west=11.9", "&north=57.8&east=12", "&sort=best", "&radius=10001", "&fragile=maybe",
                "&minimumMetres=9&maximumMetres=8",
            ] {
                #expect(try await server.get(OrderServer.board + wrong, as: carrier).status == 400, "\(wrong)")
            }
            // One's own are no work.
            let both = try await server.person(owner.account, roles: ["provider"], in: "carrepsa")
            #expect(try await server.get(OrderServer.board, as: both).items.isEmpty)
        }
    }

    @Test("O11, Q7: who may not: no token 401, no role 403, not one's order 404, not one's part 403")
    func callers() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let other = try await server.owner("Sven")
            let foreigner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "carrepsa")
            let body = OrderServer.parcel()
            #expect(try await server.post(OrderServer.parcels, as: nil, body).status == 401)
            #expect(try await server.get(OrderServer.board, as: nil).status == 401)
            #expect(try await server.post(OrderServer.parcels, as: carrier, body).status == 403)
            for person in [owner, foreigner, admin] {
                #expect(try await server.get(OrderServer.board, as: person).status == 403)
                let earnings = try await server.get("/dispatch/v1/markets/carrepsa/earnings", as: person)
                #expect(earnings.status == 403)
            }
            let order = try await server.posted(owner)
            for (person, status) in [(owner, 200), (carrier, 200), (admin, 200), (other, 404), (foreigner, 404)] {
                #expect(try await server.get(server.path(order), as: person).status == status)
            }
            #expect(try await server.act("take", order, as: nil).status == 401)
            for person in [owner, other, admin, foreigner] {
                #expect(try await server.act("take", order, as: person).status == 403)
            }
            // It is told why: the owner may be a carrier, too.
            #expect(try await server.act("take", order, as: owner).problem == "own-order")
            for action in ["start", "give-up", "complete"] {
                for person in [carrier, other, admin, foreigner] {
                    #expect(try await server.act(action, order, as: person).status == 404, "\(action)")
                }
            }
            #expect(try await server.act("take", order, as: carrier).status == 200)
            let second = try await server.carrier("Rut")
            #expect(try await server.get(server.path(order), as: second).status == 404)
            let late = try await server.act("take", order, as: second)
            #expect(late.problem == "order-state" && late["state"]?.text == "accepted")
            #expect(try await server.act("give-up", order, as: carrier).status == 204)
            #expect(try await server.get(OrderServer.board, as: second).items.count == 1)
            // A visit is on no board.
            let visit = try await server.world.order(in: .requested)
            #expect(try await server.act("take", visit.id, as: carrier).status == 404)
        }
    }

    @Test("O11, P10: every wrong field of a parcel is named, and nothing is posted")
    func input() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            func codes(_ body: String) async throws -> [String: String] {
                let answer = try await server.post(OrderServer.parcels, as: owner, body)
                #expect(answer.status == 422, "\(body)")
                return answer.codes
            }
            let required = ["name", "origin", "destination", "payment", "grams", "fragile"]
            #expect(
                try await codes("{}") == Dictionary(uniqueKeysWithValues: required.map { ("/\($0)", "required") }))
            #expect(try await codes(OrderServer.parcel(payment: -1)) == ["/payment": "out-of-range"])
            #expect(try await codes(OrderServer.parcel(grams: 0)) == ["/grams": "out-of-range"])
            // A whole number is written as one.
            for (field, number) in [("grams", "900"), ("payment", "5000")] {
                for typed in ["900.0", "5e2", #""900""#] {
                    let body = OrderServer.parcel().replacing("\"\(field)\": \(number)", with: "\"\(field)\": \(typed)")
                    let answer = try await codes(body)
                    #expect(answer == ["/\(field)": "not-a-whole-number"], "\(typed)")
                }
            }
            let nothing = OrderServer.parcel().replacing(
                #""name": ""#, with: "\"name\": \"\u{0640}\u{0640}\", \"other\": \"")
            #expect(try await codes(nothing) == ["/name": "required"])
            #expect(try await codes(OrderServer.parcel(north: 5)) == ["/origin": "outside-service-area"])
            #expect(try await codes(OrderServer.parcel(way: 1)) == ["/destination": "outside-service-area"])
            #expect(try await server.world.pool.first(CountOrders()) == 0)
            let assef = try await server.post(
                "/dispatch/v1/markets/assef/parcels", as: server.customer(), OrderServer.parcel())
            #expect(assef.status == 404)
        }
    }

    private struct Explain: Statement {
        static let sql: SQL = """
            EXPLAIN SELECT order_id FROM board
            WHERE ST_DWithin(origin, ST_SetSRID(ST_MakePoint(11.97, 57.7), 4326)::geography, 10000) AND market = 'carrepsa'
            """
        static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
    }

    private struct FillBoard: Statement {
        static let sql: SQL = """
            WITH copies AS (
                INSERT INTO orders (id, market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at)
                SELECT gen_random_uuid(), market, kind, version, state, customer, customer_name, services, total, currency,
                    payment_state, payment_version, confirmed_by, changed_by, is_near, latitude, longitude, requested_at,
                    changed_at
                FROM orders, generate_series(1, 20000) WHERE id = $1 RETURNING id
            )
            INSERT INTO board (order_id, market, customer, origin, price, metres, grams, is_fragile)
            SELECT id, 'carrepsa', gen_random_uuid(),
                ST_SetSRID(ST_MakePoint(random() * 360 - 180, random() * 160 - 80), 4326)::geography, 1, 1, 1, false
            FROM copies
            """
        let order: UUID
        func bind(_ bindings: inout Bindings) { bindings.append(order) }
    }

    private struct Analyze: Statement { static let sql: SQL = "ANALYZE" }

    @Test("Q5: the board is searched by the index of its origins, among twenty thousand others")
    func plan() async throws {
        try await OrderServer.with { server in
            let order = try await server.posted(try await server.owner())
            try await server.world.pool.execute(FillBoard(order: order))
            try await server.world.pool.execute(Analyze())
            let plan = try await server.world.pool.query(Explain())
            #expect(plan.contains { $0.contains("board_by_origin") }, "\(plan)")
        }
    }
}
