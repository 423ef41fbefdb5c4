import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

private struct Unverify: Statement {
    static let sql: SQL = "UPDATE provider_roles SET verified = false WHERE account = $1"
    let account: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(account) }
}

@Suite("O11, P8: what the board tells, and to whom", .timeLimit(.minutes(5)))
struct BoardSecretTests {
    private static func parcel(from north: Double, name: String = "A lamp", more: String = "") -> String {
        """
        {"name": "\(name)", "origin": {"latitude": \(57.70 + north), "longitude": 11.97},
         "destination": {"latitude": 57.7346, "longitude": 11.9758}, "payment": 0, "grams": 900, "fragile": false\(more)}
        """
    }

    @Test(
        "P8, O11: a stranger on the board reads both places to 300 metres, lengths between those, the owner's name and no account"
    )
    func roundedWays() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let goal = GeoPoint(latitude: 57.736, longitude: 11.976)
            for (north, shown) in [(0, 57.7), (0.0149, 57.716)] {
                let order = try await server.posted(owner, Self.parcel(from: north))
                let rough = Int(GeoPoint(latitude: shown, longitude: 11.972).metres(to: goal).rounded())
                let found = try await server.get(server.path(order), as: carrier)
                #expect(found["parcel", "metres"]?.int == rough)
                #expect(found["place", "latitude"] == .number(shown) && found["place", "longitude"] == .number(11.972))
                #expect(found["destination", "latitude"] == .number(57.736))
                #expect(found["customer", "account"] == nil && found["customer", "name"]?.text == "Olof")
                let board = try await server.get(
                    OrderServer.board + "&minimumMetres=\(rough)&maximumMetres=\(rough)", as: carrier)
                #expect(board.items.count == 1)
                let listed = board.items.first?["order"]
                #expect(listed?["place"]?["latitude"] == .number(shown) && listed?["customer"]?["account"] == nil)
                let away = GeoPoint(latitude: 57.7, longitude: 11.97).metres(
                    to: GeoPoint(latitude: shown, longitude: 11.972))
                #expect(abs((board.items.first?["metresAway"]?.int ?? -1) - Int(away)) <= 3)
                let own = try await server.get(server.path(order), as: owner)
                #expect(own["parcel", "metres"]?.int != rough)
                #expect(own["place", "latitude"] == .number(57.70 + north))
                // The carrier reads the door and the owner.
                #expect(try await server.act("take", order, as: carrier).status == 200)
                let taken = try await server.get(server.path(order), as: carrier)
                #expect(taken["place", "latitude"] == .number(57.70 + north))
                #expect(taken["customer", "account"]?.text == owner.account.text)
            }
        }
    }

    @Test("P8, I7: a carrier who was rejected reads neither the board nor what is on it, whatever the token says")
    func rejectedCarrier() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let order = try await server.posted(owner)
            #expect(try await server.get(OrderServer.board, as: carrier).status == 200)
            #expect(try await server.get(server.path(order), as: carrier).status == 200)
            try await server.world.pool.execute(Unverify(account: carrier.account))
            #expect(try await server.get(OrderServer.board, as: carrier).problem == "provider-not-verified")
            #expect(try await server.get(server.path(order), as: carrier).status == 404)
            #expect(try await server.act("take", order, as: carrier).status == 403)
        }
    }

    @Test("P8: taking an order that is on offer to nobody tells nothing of it")
    func takeTellsNothing() async throws {
        try await OrderServer.with { server in
            let (owner, carrier) = (try await server.owner(), try await server.carrier())
            let unpaid = try await server.post(owner)
            #expect(try await server.act("take", unpaid, as: carrier).status == 404)
            let cancelled = try await server.posted(owner)
            #expect(try await server.act("cancel", cancelled, as: owner).status == 200)
            #expect(try await server.act("take", cancelled, as: carrier).status == 404)
        }
    }

    @Test("P2: an account has so many open orders in a market as the setting allows, also when all come at once")
    func openOrders() async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<24 {
                    group.addTask { try await server.post(OrderServer.parcels, as: owner, Self.parcel(from: 0)).status }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 20 && statuses.count { $0 == 409 } == 4)
            let one = try await server.post(OrderServer.parcels, as: owner, Self.parcel(from: 0))
            #expect(one.problem == "too-many-open-orders")
        }
    }

    @Test(
        "P8, P10: a parcel's name with an address of a website is refused, and ordinary words are not",
        arguments: [
            ("See https://example.com", false), ("www.lamps.example", false), ("Cheap at lamps.se today", false),
            ("lamps .com", true), ("A lamp, 2.5 kg", true), ("A lamp. No bulb", true), ("Mr. Olofsson's lamp", true),
            ("l\u{200B}amps.c\u{200B}om", false), ("Buy at evil.fr", false), ("see cheap.it now", false),
            ("a.jp", false),
            ("пример.рф", false), ("متجر.السعودية", false), ("1.2.3.4/x", false), ("1.2.3.4:80", false),
            ("evil dot com", false), ("evil (dot) com", false), ("evil [ dot ] org", false), ("163.com", false),
            ("evil。fr", false), ("evil．ｆｒ", false), ("evil.fr.", false), ("a-b.dev/x", false), ("EVIL.FR", false),
            ("2.5kg", true), ("e.g. a lamp", true), ("St.Petersburg", true), ("No.5", true), ("Version 1.2.3.4", true),
            ("A polka dot dress", true), ("8 a.m. to 7.am", true), ("A lamp... in a box", true), ("12.50", true),
        ])
    func links(_ name: String, isAllowed: Bool) {
        #expect(WebAddress.isIn(name) == !isAllowed)
    }

    @Test(
        "P10: a currency that is none is refused, and never read as the market's",
        arguments: ["SA", "", "SEKK", "\\u0000", "ABC"])
    func currencies(_ code: String) async throws {
        try await OrderServer.with { server in
            let owner = try await server.owner()
            let body = Self.parcel(from: 0, more: #", "currency": "\#(code)""#)
            let answer = try await server.post(OrderServer.parcels, as: owner, body)
            #expect(answer.status >= 400 && answer.status < 500, "\(answer.json)")
        }
    }
}
