import Contracts
import Foundation
import HTTPTypes
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: visits of care partners", .timeLimit(.minutes(15)))
struct CareTests {
    static let visits = "/dispatch/v1/markets/edencare/visits"
    static let desk = "/dispatch/v1/markets/edencare/desk"
    static let calendar = "/dispatch/v1/markets/edencare/calendar"
    static let clients = "/dispatch/v1/markets/edencare/clients"

    /// Noon in Regina, some days from now.
    static func noon(days: Int = 3, minutes: Int = 0) throws -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/Regina"))
        let day = try #require(calendar.date(byAdding: .day, value: days, to: Date()))
        return try #require(calendar.date(bySettingHour: 12, minute: minutes, second: 0, of: day))
    }

    static func body(_ time: Date?, services: String = #"["companionship"]"#, more: String = "") -> String {
        let time = time.map { #", "time": "\#(Timestamp.text($0))""# } ?? ""
        // More than any visit costs, where a test does not say what the customer saw.
        let seen = more.contains(#""total""#) ? "" : #", "total": {"amount": 9000000, "currency": "CAD"}"#
        return """
            {"services": \(services), "place": {"latitude": 50.45, "longitude": -104.6}\(seen)\(time)\(more)}
            """
    }

    static func ordered(
        _ server: OrderServer, _ customer: OrderServer.Person, _ body: String
    ) async throws -> UUID {
        let answer = try await server.post(visits, as: customer, body)
        #expect(answer.status == 201, "\(answer.json)")
        let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
        try await server.world.pay(order)
        return order
    }

    static func assign(
        _ server: OrderServer, _ order: UUID, _ partner: OrderServer.Person, by admin: OrderServer.Person
    ) async throws -> Answer {
        try await server.act("assignment", order, as: admin, #"{"provider": "\#(partner.account.text)"}"#)
    }

    /// Visits at all hours, so that one for at once can be ordered whenever the tests run.
    static func openAlways(_ server: OrderServer) async throws {
        try await server.world.pool.execute(SetSetting(market: "edencare", key: "openingHours", value: "always"))
        try await server.world.markets.refresh()
    }

    @Test("A1: an admin does not send himself to a visit; another one does")
    func ownMatter() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await Self.ordered(server, customer, Self.body(try Self.noon()))
            let answer = try await Self.assign(server, order, admin, by: admin)
            #expect(answer.status == 403, "\(answer.json)")
            #expect(answer["type"]?.text == "urn:serai:problem:own-matter", "\(answer.json)")
        }
    }

    @Test("O7: a visit is ordered for a time, sent by the desk, confirmed, moved, begun and finished")
    func visit() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let time = try Self.noon()
            let more = #", "preferred": "\#(partner.account.text)""#
            let order = try await Self.ordered(server, customer, Self.body(time, more: more))
            let desk = try await server.get("\(Self.desk)?state=requested", as: admin).items
            #expect(desk.compactMap { $0["order"]?.text } == [order.text])
            #expect(desk.first?["care"]?["preferred"]?.text == partner.account.text)
            let partners = try await server.get(server.path(order, "partners"), as: admin).items
            #expect(partners.first?["account"]?.text == partner.account.text)
            #expect(partners.first?["isFree"] == .bool(true) && partners.first?["isPreferred"] == .bool(true))

            #expect(try await Self.assign(server, order, partner, by: admin)["state"]?.text == "offered")
            #expect(try await server.get(Self.calendar, as: partner).items.count == 1)
            let wish = try Self.noon(minutes: 30)
            let asked = try await server.act("time", order, as: partner, #"{"time": "\#(Timestamp.text(wish))"}"#)
            #expect(asked["proposedAt"]?.text == Timestamp.text(wish), "\(asked.json)")
            let moved = try await server.send(
                .put, server.path(order, "schedule"), as: admin, #"{"time": "\#(Timestamp.text(wish))"}"#)
            #expect(moved["scheduledAt"]?.text == Timestamp.text(wish) && moved["proposedAt"] == nil)
            // What was seen was another time.
            let seen = try #require(moved["version"]?.int)
            let outdated = try await server.act("accept", order, as: partner, #"{"version": \#(seen - 1)}"#)
            #expect(outdated.status == 409 && outdated.problem == "order-changed")
            #expect(outdated["version"]?.int == seen)
            let accepted = try await server.act("accept", order, as: partner, #"{"version": \#(seen)}"#)
            #expect(accepted["label"]?.text == "Confirmed")
            #expect(try await server.world.held(partner.account) == nil)
            // Nobody begins, and is paid for, a visit that is days ahead.
            let early = try await server.act("start", order, as: partner)
            #expect(early.status == 409 && early.problem == "too-early")
            #expect(early["from"]?.text == Timestamp.text(wish - 900))
            #expect(try await server.act("complete", order, as: partner).problem == "order-state")
            try await server.world.pool.execute(MoveVisit(order: order, time: .thisMillisecond + 600))
            #expect(try await server.act("start", order, as: partner)["label"]?.text == "In progress")
            #expect(try await server.act("complete", order, as: customer).status == 403)
            #expect(try await server.act("complete", order, as: partner)["label"]?.text == "Finished")
            #expect(
                try await server.world.events(order) == [
                    "pending", "requested", "offered", "managed", "time_asked", "rescheduled", "managed", "accepted",
                    "started", "completed",
                ])
        }
    }

    @Test("O7: nobody is sent to two visits at one time; the desk may take one back, refuse it, and order for a caller")
    func conflicts() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let first = try await Self.ordered(server, customer, Self.body(try Self.noon()))
            // Begins when the other one, of an hour, is half over.
            let second = try await Self.ordered(server, customer, Self.body(try Self.noon(minutes: 30)))
            #expect(try await Self.assign(server, first, partner, by: admin).status == 200)
            let conflict = try await Self.assign(server, second, partner, by: admin)
            #expect(conflict.problem == "calendar-conflict")
            let partners = try await server.get(server.path(second, "partners"), as: admin).items
            #expect(partners.first?["isFree"] == .bool(false))
            // Right after it is no conflict.
            let after = try Self.noon().addingTimeInterval(3_600)
            let third = try await Self.ordered(server, customer, Self.body(after))
            #expect(try await Self.assign(server, third, partner, by: admin).status == 200)
            let moved = try await server.send(
                .put, server.path(third, "schedule"), as: admin,
                #"{"time": "\#(Timestamp.text(try Self.noon(minutes: 10)))"}"#)
            #expect(moved.problem == "calendar-conflict")

            #expect(try await server.act("decline", first, as: partner).status == 204)
            #expect(try await server.world.state(first) == .requested)
            let back = try await server.send(.delete, server.path(third, "assignment"), as: admin)
            #expect(back["state"]?.text == "requested" && back["provider"] == nil)
            let refused = try await server.act("refusal", second, as: admin, #"{"reason": "Too far"}"#)
            #expect(refused["state"]?.text == "refused" && refused["reason"]?.text == "Too far")

            let more = #", "customer": "\#(customer.account.text)""#
            let called = try await server.post(Self.visits, as: admin, Self.body(try Self.noon(days: 5), more: more))
            #expect(called.status == 201 && called["care", "isByPhone"] == .bool(true))
            #expect(called["customer", "account"]?.text == customer.account.text)
            let cancelled = try await server.act("cancellation", third, as: admin, #"{"reason": "She called"}"#)
            #expect(cancelled["state"]?.text == "cancelled" && cancelled["by"]?.text == "admin")
        }
    }

    @Test("O7: a visit that is late, or has begun, keeps its partner busy until it is finished")
    func late() async throws {
        try await OrderServer.with { server in
            try await Self.openAlways(server)
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let first = try await Self.ordered(server, customer, Self.body(nil))
            #expect(try await Self.assign(server, first, partner, by: admin).status == 200)
            #expect(try await server.act("accept", first, as: partner).status == 200)
            // Two hours ago: it would be over, and has not begun.
            try await server.world.pool.execute(AgeVisit(order: first, seconds: 7_200))
            let second = try await Self.ordered(server, customer, Self.body(nil))
            func conflicts() async throws -> Bool {
                let partners = try await server.get(server.path(second, "partners"), as: admin).items
                let answer = try await Self.assign(server, second, partner, by: admin)
                #expect(partners.first?["isFree"] == .bool(answer.status == 200))
                return answer.problem == "calendar-conflict"
            }
            #expect(try await conflicts())
            #expect(try await server.act("start", first, as: partner).status == 200)
            #expect(try await conflicts())
            // It takes an hour, and goes on for two.
            try await server.world.pool.execute(AgeVisit(order: first, seconds: 7_200))
            #expect(try await conflicts())
            #expect(try await server.act("complete", first, as: partner).status == 200)
            #expect(try await !conflicts())
        }
    }

    @Test("O7: who is ordered for by phone is a customer of the market, and has longer to pay")
    func byPhone() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let foreign = try await server.owner("Olof", in: "carrepsa")
            let banned = try await server.owner("Otto", in: "edencare")
            try await server.world.ban(banned.account, in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            func order(_ account: UUID) async throws -> Answer {
                let more = #", "customer": "\#(account.text)""#
                return try await server.post(Self.visits, as: admin, Self.body(try Self.noon(days: 5), more: more))
            }
            for account in [foreign.account, banned.account, .timeOrdered()] {
                #expect(try await order(account).codes == ["/customer": "not-a-customer"])
            }
            let answer = try await order(customer.account)
            let id = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
            let stored = try await server.world.details(id).order
            #expect(stored.deadline == stored.requestedAt.addingTimeInterval(172_800))
        }
    }

    @Test("O7: for a relative with a family link alone, which either may have asked for and either may end")
    func relatives() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let mother = try await server.world.addCustomer("Edith")
            let more = #", "relative": "\#(mother.text)""#
            let body = Self.body(try Self.noon(), more: more)
            func order() async throws -> Answer { try await server.post(Self.visits, as: customer, body) }
            #expect(try await order().codes == ["/relative": "not-linked"])
            let link = UUID.timeOrdered()
            try await server.world.pool.execute(
                StoreLink(link: link, market: "hajji", from: mother, to: customer.account, scopes: ["order"]))
            #expect(try await order().codes == ["/relative": "not-linked"])
            let family = UUID.timeOrdered()
            try await server.world.pool.execute(
                StoreLink(
                    link: family, market: "edencare", from: mother, to: customer.account, scopes: ["order", "see"]))
            #expect(try await order()["care", "relative", "name"]?.text == "Edith")
            try await server.world.pool.execute(
                RemoveLink(link: family, market: "edencare", from: mother, to: customer.account))
            // The confirmation comes again, late.
            try await server.world.pool.execute(
                StoreLink(link: family, market: "edencare", from: mother, to: customer.account, scopes: ["order"]))
            #expect(try await order().codes == ["/relative": "not-linked"])
        }
    }

    @Test("O7, Q7: who may not: no token 401, no role 403, not one's order 404, not one's part 403")
    func callers() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let (partner, other) = (try await server.partner(), try await server.partner("Pia"))
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let foreign = try await server.person(roles: ["admin"], in: "carrepsa")
            let body = Self.body(try Self.noon())
            for path in [Self.visits, Self.desk, Self.calendar, Self.clients] {
                let isPost = path == Self.visits
                let answer = isPost ? try await server.post(path, as: nil, body) : try await server.get(path, as: nil)
                #expect(answer.status == 401)
            }
            #expect(try await server.post(Self.visits, as: partner, body).status == 403)
            let named = Self.body(try Self.noon(), more: #", "customer": "\#(customer.account.text)""#)
            for person in [customer, partner, foreign] {
                #expect(try await server.post(Self.visits, as: person, named).status == 403)
                #expect(try await server.get(Self.desk, as: person).status == 403)
            }
            let elsewhere = try await server.person(partner.account, roles: ["provider"], in: "carrepsa")
            for person in [customer, admin, foreign, elsewhere] {
                #expect(try await server.get(Self.calendar, as: person).status == 403)
                #expect(try await server.get(Self.clients, as: person).status == 403)
            }
            let order = try await Self.ordered(server, customer, body)
            let sent = #"{"provider": "\#(partner.account.text)"}"#
            let time = #"{"time": "\#(Timestamp.text(try Self.noon(days: 4)))"}"#
            for person in [customer, partner, other, foreign] {
                #expect(try await server.get(server.path(order, "partners"), as: person).status == 404)
                #expect(try await server.act("assignment", order, as: person, sent).status == 404)
                #expect(try await server.act("refusal", order, as: person).status == 404)
                #expect(try await server.act("cancellation", order, as: person).status == 404)
                #expect(try await server.send(.put, server.path(order, "schedule"), as: person, time).status == 404)
                #expect(try await server.send(.delete, server.path(order, "assignment"), as: person).status == 404)
            }
            #expect(try await server.act("take", order, as: partner).status == 404)
            #expect(try await Self.assign(server, order, partner, by: admin).status == 200)
            for action in ["accept", "decline", "start", "complete"] {
                #expect(try await server.act(action, order, as: other).status == 404, "\(action)")
            }
            #expect(try await server.act("time", order, as: other, time).status == 404)
            #expect(try await server.act("accept", order, as: customer).status == 403)
            #expect(try await server.get(server.path(order), as: other).status == 404)
            // Days before, and with other visits between, the partner is followed by nobody.
            let track = TrackOrder(
                pool: server.world.pool, markets: server.world.markets, travelTimes: GreatCircleTimes())
            for person in [customer, partner] {
                await #expect(throws: Problem.self) { _ = try await track(order, for: person.account) }
            }
            #expect(try await server.get(Self.calendar, as: other).items.isEmpty)
            #expect(try await server.get(Self.clients, as: other).items.isEmpty)
            let stranger = try await server.act(
                "assignment", order, as: admin, #"{"provider": "\#(customer.account.text)"}"#)
            #expect(stranger.codes == ["/provider": "unknown-provider"])
        }
    }

    @Test("O7, P10: every wrong field of a visit is named")
    func input() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            func codes(_ body: String) async throws -> [String: String] {
                try await server.post(Self.visits, as: customer, body).codes
            }
            #expect(try await codes("{}") == ["/services": "required", "/place": "required", "/total": "required"])
            #expect(try await codes(Self.body(Date(timeIntervalSinceNow: -60))) == ["/time": "time-is-over"])
            let night = try Self.noon().addingTimeInterval(12 * 3_600)
            #expect(try await codes(Self.body(night)) == ["/time": "outside-opening-hours"])
            let noon = try Self.noon()
            #expect(
                try await codes(Self.body(noon, services: #"["companionship", "surgery"]"#)) == [
                    "/services/1": "unknown-service"
                ])
            #expect(
                try await codes(Self.body(noon, more: #", "preferred": "\#(customer.account.text)""#)) == [
                    "/preferred": "unknown-provider"
                ])
        }
    }
}
