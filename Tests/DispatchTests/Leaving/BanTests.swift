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

extension OrderWorld {
    /// As identity's event does.
    func ban(
        _ account: UUID, in market: String = "assef", until: Date? = nil, version: Int? = nil,
        at: Date = .thisMillisecond
    ) async throws {
        let event = AccountBanned(
            account: account, market: market, reason: "Did not come.", until: until, by: .timeOrdered(),
            version: version, at: at)
        try await pool.withTransaction { try await BanProjection.begin(event, by: { .thisMillisecond }, $0) }
    }

    func unban(
        _ account: UUID, in market: String = "assef", version: Int? = nil, at: Date = .thisMillisecond
    ) async throws {
        try await pool.execute(LiftBan(account: account, market: market, at: at, version: version))
    }
}

@Suite("I11: bans", .timeLimit(.minutes(15)))
struct BanTests {
    static let states: [OrderState] = [.requested, .accepted, .enRoute, .arrived]

    @Test(
        "I11: a visit that has not begun is cancelled when a party is banned; one that has comes before an admin",
        arguments: states, [OrderActor.customer, .provider])
    func visits(_ state: OrderState, _ party: OrderActor) async throws {
        try await OrderWorld.with { world in
            let order = try await world.order(in: state)
            try await world.ban(party == .customer ? order.customer.account : order.assignee)
            let ended: OrderState = state == .arrived ? .disputed : .cancelled
            try await world.whileFiring {
                try await eventually("the order is \(ended)") { try await world.state(order.id) == ended }
            }
            let stored = try await world.details(order.id).order
            #expect(stored.reason == "\(party.rawValue)-banned" && stored.by == .system)
            #expect(try await world.held(order.assignee) == nil)
            if state == .arrived {
                #expect(stored.report == order.id)
                let report = try #require(try await world.pool.first(ListReports(order: order.id)))
                #expect(report.by == (party == .customer ? .provider : .customer) && report.reason == stored.reason)
            } else {
                #expect(stored.ending?.fine == nil)
            }
            try await world.expectConsistency()
        }
    }

    @Test("I11: the banned one's parcel leaves the board, and what a banned carrier has is an admin's to decide")
    func parcels() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let world = server.world
            let travelling = try await server.posted(owner)
            #expect(try await server.act("take", travelling, as: carrier).status == 200)
            #expect(try await server.act("start", travelling, as: owner).status == 200)
            let posted = try await server.posted(owner)
            try await world.ban(carrier.account, in: "carrepsa")
            try await world.whileFiring {
                try await eventually("an admin decides") { try await world.state(travelling) == .disputed }
            }
            let other = try await server.carrier("Lena")
            #expect(try await server.get(OrderServer.board, as: other).items.count == 1)

            try await world.ban(owner.account, in: "*")
            try await world.whileFiring {
                try await eventually("it is cancelled") { try await world.state(posted) == .cancelled }
            }
            #expect(try await server.get(OrderServer.board, as: other).items.isEmpty)
            #expect(try await world.state(travelling) == .disputed)
        }
    }

    @Test("I11: a visit of a banned care partner is at the desk again, and nobody who is banned is sent or shown there")
    func visitsOfPartners() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let (partner, world) = (try await server.partner(), server.world)
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let answer = try await server.post(CareTests.visits, as: customer, CareTests.body(try CareTests.noon()))
            let order = try #require(answer["order"]?.text.flatMap(UUID.init(uuidString:)))
            try await world.pay(order)
            let sent = #"{"provider": "\#(partner.account.text)"}"#
            #expect(try await server.act("assignment", order, as: admin, sent).status == 200)
            #expect(try await server.act("accept", order, as: partner).status == 200)
            try await world.ban(partner.account, in: "edencare")
            try await world.whileFiring {
                try await eventually("the desk has it") { try await world.state(order) == .requested }
            }
            #expect(try await world.details(order).order.reason == "provider-banned")
            #expect(try await server.get(server.path(order, "partners"), as: admin).items.isEmpty)
            #expect(
                try await server.act("assignment", order, as: admin, sent).codes == ["/provider": "unknown-provider"])
            // The partner was asked for by name: nobody can be any more.
            let wish = CareTests.body(try CareTests.noon(), more: #", "preferred": "\#(partner.account.text)""#)
            #expect(
                try await server.post(CareTests.visits, as: customer, wish).codes == ["/preferred": "unknown-provider"])
            try await world.ban(customer.account, in: "edencare")
            let refused = try await server.post(CareTests.visits, as: customer, CareTests.body(try CareTests.noon()))
            #expect(refused.status == 403 && refused.problem == "banned")
        }
    }

    @Test(
        "I11: who is banned cannot order, be chosen, take, switch on or ask for a price; elsewhere all of that goes on")
    func beginnings() async throws {
        try await OrderServer.with { server in
            let world = server.world
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            try await world.ban(provider)
            await #expect(throws: RequestOrder.Refusal.providerUnavailable) {
                _ = try await world.request(customer, provider)
            }
            let switching = SwitchAvailability(pool: world.pool, markets: world.markets)
            #expect(
                try await world.pool.first(FindProviderRole(market: "assef", account: provider))?.isAvailable == false)
            await #expect(throws: Problem.banned) { _ = try await switching(true, provider, in: "assef", at: Date()) }
            #expect(try await switching(false, provider, in: "assef", at: Date()) == nil)
            let other = try await world.addProvider()
            try await world.ban(customer)
            await #expect(throws: CustomerRefusal.banned) { _ = try await world.request(customer, other) }
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let parcel = try await server.posted(owner)
            try await world.ban(carrier.account, in: "assef")
            try await world.ban(owner.account, in: "carrepsa", until: .thisMillisecond + 3_600)
            #expect(try await server.post(OrderServer.parcels, as: owner, OrderServer.parcel()).problem == "banned")
            #expect(try await server.act("take", parcel, as: carrier).status == 200)
            try await world.ban(carrier.account, in: "carrepsa")
            let second = try await server.posted(try await server.owner("Britta"))
            #expect(try await server.act("take", second, as: carrier).problem == "provider-not-verified")
        }
    }

    @Test("I11: of words about a ban the newest counts; one that is over or lifted when it is heard of ends nothing")
    func news() async throws {
        try await OrderWorld.with { world in
            let now = Date.thisMillisecond
            func isBanned(_ account: UUID) async throws -> Bool {
                try await !world.pool.query(FindBanned(accounts: [account], market: "assef")).isEmpty
            }
            let order = try await world.order(in: .accepted)
            let account = order.customer.account
            try await world.unban(account, at: now)
            // Heard late: it was lifted already.
            try await world.ban(account, at: now - 5)
            #expect(try await !isBanned(account))
            try await world.ban(account, until: now - 1, at: now + 1)
            #expect(try await !isBanned(account))
            #expect(!(try await world.deadlines(order.id).contains(ApplyBanToOrder.deadlineKind)))
            try await world.ban(account, until: now + 3_600, at: now + 2)
            #expect(try await isBanned(account))
            // Shortened, to a moment that has passed; and the older word again.
            try await world.ban(account, until: now - 1, at: now + 3)
            try await world.ban(account, until: now + 3_600, at: now + 2)
            #expect(try await !isBanned(account))
            try await world.whileFiring {
                try await eventually("the deadline has fired") {
                    try await !world.deadlines(order.id).contains(ApplyBanToOrder.deadlineKind)
                }
            }
            #expect(try await world.state(order.id) == .accepted)
            try await world.ban(account, in: "*", at: now + 4)
            try await world.ban(account, in: "*", at: now + 4)
            try await world.whileFiring {
                try await eventually("it has ended") { try await world.state(order.id) == .cancelled }
            }
            try await world.unban(account, in: "*", at: now + 5)
            #expect(try await !isBanned(account))
            try await world.expectConsistency()
        }
    }

    @Test("I11: the account's version says which word about a ban is newer, whatever the clocks said, repeated or late")
    func versions() async throws {
        try await OrderWorld.with { world in
            let now = Date.thisMillisecond
            func isBanned(_ account: UUID) async throws -> Bool {
                try await !world.pool.query(FindBanned(accounts: [account], market: "assef")).isEmpty
            }
            let account = try await world.addCustomer()
            try await world.ban(account, version: 4, at: now + 5)
            for _ in 0..<2 {
                try await world.unban(account, version: 5, at: now)
                #expect(try await !isBanned(account))
                try await world.ban(account, version: 4, at: now + 5)
                #expect(try await !isBanned(account))
            }
            try await world.ban(account, version: 6, at: now - 5)
            try await world.unban(account, version: 5, at: now)
            #expect(try await isBanned(account))
            // Words of before there were versions are compared by their times.
            try await world.unban(account, at: now - 6)
            #expect(try await isBanned(account))
            try await world.unban(account, at: now + 1)
            try await world.ban(account, version: 6, at: now - 5)
            #expect(try await !isBanned(account))

            // Reordered: the lift is heard before its ban, which ends nothing then.
            let order = try await world.order(in: .accepted)
            let other = order.customer.account
            try await world.unban(other, version: 5, at: now)
            try await world.ban(other, version: 4, at: now + 5)
            #expect(try await !isBanned(other))
            #expect(!(try await world.deadlines(order.id).contains(ApplyBanToOrder.deadlineKind)))
        }
    }

    @Test("I11: who is no customer of the market any more changes nothing of a series: no end, no other time, no skip")
    func seriesActs() async throws {
        try await PlacesGround.run { ground in
            let customer = UUID.timeOrdered()
            let made = try await SeriesRouteTests.ask(ground, "POST", "series", SeriesRouteTests.body, as: customer)
            let path = "series/\(try #require(made.json["series"]?.asText))"
            let visits = try await SeriesRouteTests.ask(ground, "GET", path + "/visits?limit=2", as: customer).items
            let day = try #require(visits.first?["day"]?.asText.flatMap { LocalDay($0) })
            let body = #"{"day":"\#(day.advanced(by: 1).text)","time":"15:00"}"#
            func act(_ roles: [String], in market: String = "edencare") async throws -> [Int] {
                [
                    try await ground.ask(.put, path + "/visits/\(day.text)", body, as: customer, roles, in: market)
                        .status,
                    try await ground.ask(.post, path + "/visits/\(day.text)/skip", as: customer, roles, in: market)
                        .status,
                    try await ground.ask(.post, path + "/end", as: customer, roles, in: market).status,
                ]
            }
            #expect(try await act([]) == [403, 403, 403])
            #expect(try await act(["provider"]) == [403, 403, 403])
            #expect(try await act(["customer"], in: "assef") == [403, 403, 403])
            // Nothing has changed, and what is one's own is there to be read.
            let read = try await ground.ask(.get, path, as: customer, [], in: "edencare")
            #expect(read.status == 200 && read.json["state"] == "active")
            #expect(
                try await SeriesRouteTests.ask(ground, "GET", path + "/visits?limit=2", as: customer).items == visits)
            #expect(try await act(["customer"]) == [200, 200, 200])
        }
    }

    @Test("I11: of an order and a ban at once, either the ban ends the order or there is none, 200 times")
    func race() async throws {
        try await OrderWorld.with { world in
            let pairs = try await world.addPairs(200)
            var (begun, refused) = (0, 0)
            try await world.whileFiring {
                for (index, pair) in pairs.enumerated() {
                    async let banned: Void = world.ban(index.isMultiple(of: 2) ? pair.customer : pair.provider)
                    let order: UUID?
                    do {
                        order = try await world.request(pair.customer, pair.provider).id
                    } catch let error where error is RequestOrder.Refusal || error is CustomerRefusal {
                        order = nil
                    }
                    try await banned
                    guard let order else {
                        refused += 1
                        continue
                    }
                    begun += 1
                    try await eventually("round \(index) has ended") { try await world.state(order) == .cancelled }
                }
            }
            #expect(begun + refused == 200, "\(begun) orders, \(refused) refusals")
            try await world.expectConsistency()
        }
    }

    @Test("I11: acts need the role in the order's market, and not only that one is a party of it")
    func roles() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let path = try await server.order(customer, provider)
            let elsewhere = try await server.person(provider.account, roles: ["provider"], in: "edencare")
            let other = try await server.person(provider.account, roles: ["customer"])
            for person in [elsewhere, other] {
                #expect(try await server.post("\(path)/accept", as: person).status == 403)
                #expect(try await server.post("\(path)/decline", as: person).status == 403)
                let report = #"{"reason": "unsafe", "cancels": true}"#
                #expect(try await server.post("\(path)/reports", as: person, report).status == 403)
                // One's own past stays one's own to read.
                #expect(try await server.get(path, as: person).status == 200)
            }
            #expect(try await server.get(path, as: customer)["state"]?.text == "requested")
            let gone = try await server.person(customer.account, roles: [])
            #expect(try await server.post("\(path)/cancel", as: gone).status == 403)
            #expect(try await server.post("\(path)/accept", as: provider).status == 200)
        }
    }

    @Test("I11: series end with a ban for ever; in one for a while they pause, each visit with the reason")
    func series() async throws {
        try await PlacesGround.run { ground in
            let world = OrderWorld(database: ground.database, pool: ground.pool)
            func begin(_ customer: UUID, _ more: String = "") async throws -> UUID {
                let body = SeriesRouteTests.body(
                    rule: "FREQ=DAILY", first: SeriesRouteTests.firstDay.advanced(by: -20), more: more)
                let made = try await SeriesRouteTests.ask(ground, "POST", "series", body, as: customer)
                #expect(made.status == 201, "\(made.json)")
                return try #require(made.json["series"]?.asText.flatMap(UUID.init(uuidString:)))
            }
            func visits(_ series: UUID, _ customer: UUID) async throws -> [JSONValue] {
                try await SeriesRouteTests.ask(ground, "GET", "series/\(series.text)/visits?limit=60", as: customer)
                    .items
            }
            let (ever, awhile) = (try await world.addCustomer(), try await world.addCustomer())
            let ended = try await begin(ever)
            try await world.ban(ever, in: "edencare")
            let list = try await SeriesRouteTests.ask(ground, "GET", "series", as: ever).items
            #expect(list.first?["state"] == "ended" && list.first?["endedReason"] == "customer-banned")
            try await world.pool.withTransaction {
                try await ground.parts.advanceSeries(ended, at: Date() + 9e5, in: $0)
            }

            let paused = try await begin(awhile)
            let before = try await visits(paused, awhile).count { $0["state"] == "requested" }
            try await world.ban(awhile, in: "edencare", until: .thisMillisecond + 3_600)
            try await world.pool.withTransaction {
                try await ground.parts.advanceSeries(paused, at: .thisMillisecond + 86_400, in: $0)
            }
            let refused = try await visits(paused, awhile).filter { $0["state"] == "refused" }
            #expect(refused.count == 1 && refused.first?["reason"] == "customer-banned")
            try await world.unban(awhile, in: "edencare", at: .thisMillisecond + 1)
            try await world.pool.withTransaction {
                try await ground.parts.advanceSeries(paused, at: .thisMillisecond + 2 * 86_400, in: $0)
            }
            #expect(try await visits(paused, awhile).count { $0["state"] == "requested" } == before + 1)
        }
    }
}
