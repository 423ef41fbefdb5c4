import Contracts
import Foundation
import LiveMarkets
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("What a customer saw before ordering", .timeLimit(.minutes(15)))
struct ShownPriceTests {
    @Test("C2, O2: a visit is not ordered for more than the customer saw, nor in another currency; for less it is")
    func visit() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            func order(_ amount: Int, _ currency: String = "SAR") async throws -> Answer {
                let more = #", "total": {"amount": \#(amount), "currency": "\#(currency)"}"#
                return try await server.post(
                    OrderServer.orders, as: customer, OrderServer.body(provider.account, more: more))
            }
            let risen = try await order(11_999)
            #expect(risen.status == 409 && risen.problem == "price-changed", "\(risen.json)")
            #expect(risen["price"] == .object(["amount": .integer(12_000), "currency": .string("SAR")]))
            #expect(try await order(12_000, "AUD").problem == "price-changed")
            #expect(try await server.get(OrderServer.orders, as: customer).items.isEmpty)
            #expect(try await server.world.held(provider.account) == nil)
            let cheaper = try await order(15_000)
            #expect(cheaper.status == 201 && cheaper["total", "amount"]?.int == 12_000, "\(cheaper.json)")
            #expect(try await order(-1).codes == ["/total/amount": "out-of-range"])
        }
    }

    private static func bare(_ body: String) -> String {
        body.replacingOccurrences(of: #", "total": {"amount": 9000000, "currency": "SAR"}"#, with: "")
            .replacingOccurrences(of: #", "total": {"amount": 9000000, "currency": "CAD"}"#, with: "")
    }

    @Test("C2, O1, O7: who orders a visit by hand names the price that was seen; the desk and a program need not")
    func required() async throws {
        try await OrderServer.with { server in
            let (customer, provider) = (try await server.customer(), try await server.provider())
            let visit = Self.bare(OrderServer.body(provider.account))
            #expect(try await server.post(OrderServer.orders, as: customer, visit).codes == ["/total": "required"])
            let care = Self.bare(CareTests.body(try CareTests.noon()))
            let ada = try await server.owner("Ada", in: "edencare")
            #expect(try await server.post(CareTests.visits, as: ada, care).codes == ["/total": "required"])
            let desk = try await server.person(roles: ["admin"], in: "edencare")
            let named = Self.bare(
                CareTests.body(try CareTests.noon(), more: #", "customer": "\#(ada.account.text)""#))
            let called = try await server.post(CareTests.visits, as: desk, named)
            #expect(called.status == 201, "\(called.json)")
            let form = Form(try JSONValue(parsing: visit.utf8))
            #expect(
                try RequestOrder.Input(form, customer: customer.account, server.world.markets, isByHand: false).seen
                    == nil)
            #expect(try await server.get(OrderServer.orders, as: customer).items.isEmpty)
        }
    }

    @Test("O7: nor is a care visit whose price the market has raised since")
    func careVisit() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let price = try #require(Market.edencare.defaults.servicePrices["companionship"])
            func order(_ amount: Int) async throws -> Answer {
                let more = #", "total": {"amount": \#(amount), "currency": "CAD"}"#
                return try await server.post(
                    CareTests.visits, as: customer, CareTests.body(try CareTests.noon(), more: more))
            }
            let risen = try await order(price - 1)
            #expect(risen.status == 409 && risen.problem == "price-changed", "\(risen.json)")
            #expect(risen["price", "amount"]?.int == price)
            #expect(try await order(price).status == 201)
        }
    }

    @Test("C3: whom the list would not show cannot be ordered: no position, an old one, or one too far away")
    func whereabouts() async throws {
        try await OrderWorld.with { world in
            let (customer, provider) = (try await world.addCustomer(), try await world.addProvider())
            func refusal() async throws -> RequestOrder.Refusal? {
                do {
                    try await world.pool.withTransaction { transaction in
                        _ = try await world.operations.request(
                            world.input(customer, provider), at: .thisMillisecond, in: transaction)
                    }
                    return nil
                } catch let refusal as RequestOrder.Refusal {
                    return refusal
                }
            }
            func stand(_ age: TimeInterval, latitude: Double) async throws {
                try await world.pool.execute(
                    PutPosition(provider: provider, latitude: latitude, at: .thisMillisecond - age))
            }
            try await world.pool.execute(ForgetPosition(provider: provider))
            #expect(try await refusal() == .providerUnavailable)
            try await stand(180, latitude: 24.7)
            #expect(try await refusal() == .providerUnavailable)
            // Some 62 km away, where the market's list ends at 50 km.
            try await stand(0, latitude: 25.26)
            #expect(try await refusal() == .providerUnavailable)
            // 52 km: the provider may have been listed a moment ago.
            try await stand(0, latitude: 25.168)
            #expect(try await refusal() == nil)
        }
    }

    @Test("O7: a visit is not assigned nor accepted for hours at which the market is closed by now")
    func hours() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            func open(_ hours: String) async throws {
                try await server.world.pool.execute(
                    SetSetting(market: "edencare", key: "openingHours", value: hours))
                try await server.world.markets.refresh()
            }
            try await open("14:00-20:00")
            let closed = try await CareTests.assign(server, order, partner, by: admin)
            #expect(closed.codes == ["/time": "outside-opening-hours"], "\(closed.json)")
            #expect(try await server.world.state(order) == .requested)
            try await open("08:00-20:00")
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            try await open("14:00-20:00")
            let late = try await server.act("accept", order, as: partner)
            #expect(late.codes == ["/time": "outside-opening-hours"], "\(late.json)")
            try await open("always")
            #expect(try await server.act("accept", order, as: partner).status == 200)
        }
    }
}

private struct ForgetPosition: Statement {
    static let sql: SQL = "DELETE FROM provider_positions WHERE provider = $1"
    let provider: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(provider) }
}

private struct PutPosition: Statement {
    static let sql: SQL = """
        INSERT INTO provider_positions (provider, latitude, longitude, at) VALUES ($1, $2, 46.7, $3)
        ON CONFLICT (provider) DO UPDATE SET latitude = excluded.latitude, at = excluded.at
        """
    let provider: UUID
    let latitude: Double
    let at: Date
    func bind(_ bindings: inout Bindings) { bindings.append(provider, latitude, at) }
}
