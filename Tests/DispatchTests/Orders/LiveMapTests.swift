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

@Suite("A2: what a market's admins see of now", .timeLimit(.minutes(15)))
struct LiveMapTests {
    private static let map = "/dispatch/v1/markets/assef/map"
    private static let waiting = "/dispatch/v1/markets/edencare/waiting"

    @Test("A2: the map has running orders with their provider's place once it may be followed, and who is available")
    func map() async throws {
        try await OrderServer.with { server in
            let customer = try await server.customer()
            let provider = try await server.provider()
            let other = try await server.provider("Sara")
            let admin = try await server.person(roles: ["admin"])
            let path = try await server.order(customer, provider)
            let text = try #require(path.split(separator: "/").last.map(String.init))
            let order = try #require(UUID(uuidString: text))
            func shown() async throws -> JSONValue {
                let answer = try await server.get(Self.map, as: admin)
                #expect(answer.status == 200, "\(answer.json)")
                return answer.json
            }
            var map = try await shown()
            let first = try #require(map["orders"]?.asList?.first)
            #expect(map["orders"]?.asList?.count == 1 && first["order"]?.text == text && first["state"] == "requested")
            #expect(first["kind"] == "visit" && first["kindName"]?.text?.isEmpty == false)
            #expect(first["start"]?["latitude"] != nil && first["provider"]?["name"] == "Noura")
            // Whoever is only asked is not followed.
            #expect(first["position"] == nil && map["hasMoreOrders"] == false && map["hasMoreProviders"] == false)
            let available = map["providers"]?.asList ?? []
            #expect(Set(available.compactMap { $0["provider"]?["name"]?.text }) == ["Noura", "Sara"])
            #expect(available.allSatisfy { $0["position"] != nil })

            #expect(try await server.act("accept", order, as: provider).status == 200)
            try await server.world.pool.execute(TellNearbyPlace(provider: provider.account, at: .thisMillisecond + 60))
            map = try await shown()
            #expect(map["orders"]?.asList?.first?["state"] == "accepted")
            #expect(map["orders"]?.asList?.first?["position"]?["latitude"] != nil, "\(map)")
            let busy = map["providers"]?.asList?.filter { $0["isBusy"] == true }.compactMap {
                $0["provider"]?["account"]?.text
            }
            #expect(busy == [provider.account.text] && other.account != provider.account)
            // Nobody's customer is on it.
            #expect(!"\(map)".contains(customer.account.text) && !"\(map)".contains("Salem"))
        }
    }

    @Test("P9: of an admin's looks at the map one in an hour is told, and each admin's own")
    func looks() async throws {
        try await OrderServer.with { server in
            let admins = [
                try await server.person(roles: ["admin"]), try await server.person(roles: ["admin"]),
            ]
            func told(_ admin: OrderServer.Person) async throws -> Int {
                try await server.world.pool.query(ReadEvents(order: admin.account.text))
                    .filter { $0.name == DispatchListViewed.name.text && $0.payload.contains(#""map""#) }.count
            }
            // An hour may end between two looks, but hardly a second one.
            for _ in 0..<5 { #expect(try await server.get(Self.map, as: admins[0]).status == 200) }
            #expect((1...2).contains(try await told(admins[0])))
            #expect(try await told(admins[1]) == 0)
            #expect(try await server.get(Self.map, as: admins[1]).status == 200)
            #expect(try await told(admins[1]) == 1)
            let before = try await told(admins[0])
            try await server.world.pool.execute(AgeMapLooks())
            async let one = server.get(Self.map, as: admins[0])
            async let two = server.get(Self.map, as: admins[0])
            #expect(try await (one.status, two.status) == (200, 200))
            #expect(try await told(admins[0]) == before + 1)
        }
    }

    @Test("O7, A1: what waits is counted: visits at the desk, asked times, and what waits too long")
    func waiting() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            func counts() async throws -> [Int?] {
                let answer = try await server.get(Self.waiting, as: admin)
                #expect(answer.status == 200, "\(answer.json)")
                return ["desk", "timeChanges", "tooLong"].map { answer[$0]?.int }
            }
            #expect(try await counts() == [0, 0, 0])
            let late = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            let sent = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon(days: 4)))
            #expect(try await counts() == [2, 0, 0])
            #expect(try await CareTests.assign(server, sent, partner, by: admin).status == 200)
            #expect(try await server.act("accept", sent, as: partner).status == 200)
            let asked = try await server.act(
                "time", sent, as: partner, #"{"time": "\#(Timestamp.text(try CareTests.noon(days: 5)))"}"#)
            #expect(asked.status == 200, "\(asked.json)")
            #expect(try await counts() == [1, 1, 0])
            try await server.world.pool.withTransaction { transaction in
                try await WarnOfDesk()(late, due: .thisMillisecond, at: .thisMillisecond, in: transaction)
            }
            #expect(try await counts() == [1, 1, 1])
            // Its window is over, and nothing has ended it.
            try await server.world.pool.execute(OutliveWindow(order: sent))
            #expect(try await counts() == [1, 1, 2])
            for order in [late, sent] {
                #expect(try await server.act("cancellation", order, as: admin, "{}").status == 200)
            }
            #expect(try await counts() == [0, 0, 0])
            #expect(try await server.world.pool.query(ReadEvents(order: admin.account.text)).isEmpty)
        }
    }

    @Test(
        "Q7: nobody but the market's admins sees the map, the counts or a partner's day",
        arguments: [
            "map", "waiting", "desk/partners?from=2027-01-04T06:00:00Z&to=2027-01-05T06:00:00Z",
            "calendar?provider=0195d3a0-0000-7000-8000-000000000002",
        ])
    func refused(path: String) async throws {
        try await OrderServer.with { server in
            let path = "/dispatch/v1/markets/edencare/\(path)"
            #expect(try await server.get(path, as: nil).status == 401)
            for role in ["customer", "provider"] {
                let person = try await server.person(roles: [role], in: "edencare")
                #expect(try await server.get(path, as: person).status == 403, "\(role)")
            }
            let elsewhere = try await server.person(roles: ["admin"], in: "btnc")
            #expect(try await server.get(path, as: elsewhere).status == 403)
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            #expect(try await server.get(path, as: admin).status == 200)
        }
    }
}

/// As if all looks had been two hours ago.
private struct AgeMapLooks: Statement {
    static let sql: SQL = "UPDATE map_looks SET hour = hour - interval '2 hours'"
}

private struct OutliveWindow: Statement {
    static let sql: SQL = "UPDATE orders SET deadline = now() - interval '5 minutes' WHERE id = $1"
    let order: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(order) }
}
