import Foundation
import Matching
import Postgres
import SeraiJSON
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

@Suite("C4: availability", .timeLimit(.minutes(15)))
struct AvailabilityTests {
    static let path = "markets/assef/availability"

    @Test("C4: a verified provider who offers something switches on and off, with a place")
    func switching() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.tell()
            try await ground.subscribe(nurse, until: 86_400)
            try await ground.pool.execute(
                StoreOfferings(
                    market: "assef", account: nurse, offerings: [Offering(service: "wound-care", price: 100)],
                    currency: "SAR"))
            var answer = try await ground.get(Self.path, as: nurse, "provider")
            #expect(answer.json["available"] == false && answer.json["since"] == nil && answer.json["fresh"] == false)

            let on = #"{"available":true,"latitude":24.7,"longitude":46.7}"#
            answer = try await ground.put(Self.path, on, as: nurse)
            #expect(answer.status == 200 && answer.json["available"] == true && answer.json["fresh"] == true)
            #expect(answer.json["position"]?["latitude"]?.asDouble == 24.7)
            let since = try #require(answer.json["since"]?.asText)
            // Shown to customers of this process at once.
            #expect(try await ground.list() == [nurse.uuidString.lowercased()])

            answer = try await ground.put(Self.path, #"{"available":true}"#, as: nurse)
            #expect(answer.json["since"]?.asText == since)
            answer = try await ground.put(Self.path, #"{"available":false}"#, as: nurse)
            #expect(answer.json["available"] == false && answer.json["since"] == nil)
            #expect(try await ground.list() == [])
        }
    }

    @Test("C4, O6: the place that who holds an order states is a report like any other, and shown to nobody before")
    func stating() async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free(metresNorth: 5_000)
            let order = try await ground.order(state: "enRoute", provider: nurse)
            let here = ProvidersGround.riyadh
            let body = #"{"available":true,"latitude":\#(here.latitude),"longitude":\#(here.longitude)}"#
            var answer = try await ground.put(Self.path, body, as: nurse)
            #expect(answer.status == 200 && answer.json["available"] == true && answer.json["position"] == nil)
            #expect(ground.parts.index.fix(of: nurse)?.place == ProvidersGround.north(5_000).coarse)
            #expect(ground.parts.inbox.takeAll().map(\.isManual) == [false])
            _ = try await ground.order(order, state: "completed", provider: nurse, isHeld: false)
            answer = try await ground.put(Self.path, body, as: nurse)
            #expect(answer.json["position"]?["latitude"]?.asDouble == here.latitude)
            #expect(ground.parts.index.fix(of: nurse)?.place == here.coarse)
            #expect(ground.parts.inbox.takeAll().map(\.isManual) == [true])
        }
    }

    @Test("C4: not verified or without offerings is a clear no; switching off always works")
    func refused() async throws {
        try await ProvidersGround.run { ground in
            let waiting = try await ground.tell(isVerified: false)
            try await ground.pool.execute(
                StoreOfferings(
                    market: "assef", account: waiting, offerings: [Offering(service: "wound-care", price: 100)],
                    currency: "SAR"))
            let idle = try await ground.tell()
            var answer = try await ground.put(Self.path, #"{"available":true}"#, as: waiting)
            #expect(answer.status == 409 && answer.slug == "availability-not-verified")
            answer = try await ground.put(Self.path, #"{"available":true}"#, as: idle)
            #expect(answer.status == 409 && answer.slug == "availability-without-offerings")
            for provider in [waiting, idle] {
                #expect(try await ground.put(Self.path, #"{"available":false}"#, as: provider).status == 200)
            }
        }
    }

    @Test("C4: the last offering taken away while one switches on leaves nobody available with nothing")
    func race() async throws {
        try await ProvidersGround.run { ground in
            for _ in 0..<10 {
                let nurse = try await ground.free()
                _ = try await ground.put(Self.path, #"{"available":false}"#, as: nurse)
                async let on = ground.put(Self.path, #"{"available":true}"#, as: nurse)
                async let nothing = ground.put("markets/assef/offerings", #"{"offerings":[]}"#, as: nurse)
                let statuses = (try await on.status, try await nothing.status)
                #expect([200, 409].contains(statuses.0) && statuses.1 == 200)
                let answer = try await ground.get(Self.path, as: nurse, "provider")
                #expect(answer.json["available"] == false)
            }
        }
    }

    @Test(
        "P10: a wrong place or switch names the field",
        arguments: [
            (#"{"available":"yes"}"#, "/available", "not-true-or-false"), ("{}", "/available", "required"),
            (#"{"available":true,"latitude":91,"longitude":1}"#, "/latitude", "out-of-range"),
            (#"{"available":true,"latitude":1,"longitude":181}"#, "/longitude", "out-of-range"),
            (#"{"available":true,"latitude":1}"#, "/longitude", "required"),
            (#"{"available":true,"longitude":1}"#, "/latitude", "required"),
            (#"{"available":true,"latitude":"a","longitude":1}"#, "/latitude", "not-a-number"),
        ])
    func wrongInput(body: String, field: String, code: String) async throws {
        try await ProvidersGround.run { ground in
            let nurse = try await ground.free()
            _ = try await ground.put(Self.path, #"{"available":false}"#, as: nurse)
            let answer = try await ground.put(Self.path, body, as: nurse)
            #expect(answer.status == 422 && answer.codes[field] == code, "\(answer)")
            #expect(try await ground.get(Self.path, as: nurse, "provider").json["available"] == false)
        }
    }
}
