import AsyncHTTPClient
import Foundation
import Matching
import Messaging
import Postgres
import SeraiJSON
import Synchronization
import TestKit
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

/// Streets on which whoever is further away as the crow flies is there sooner, and nobody within a quarter of a day.
private final class RiverTimes: TravelTimes {
    static let longest = 60_000

    let asked = Mutex<[Int]>([])

    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) -> [TravelEstimate] {
        asked.withLock { $0.append(origins.count) }
        return origins.map { origin in
            let metres = Int(origin.metres(to: destination))
            return TravelEstimate(metres: metres + 20_000, seconds: Self.longest - metres)
        }
    }

    /// How many places each question was about.
    var questions: [Int] { asked.withLock { $0 } }
}

@Suite("C3, O6: travel times of the configured engine", .timeLimit(.minutes(15)))
struct TravelTimeTests {
    @Test("C3: nearest first is by the engine's times, in one question for all of them")
    func list() async throws {
        let river = RiverTimes()
        try await ProvidersGround.run(travelTimes: river) { ground in
            let near = try await ground.free("Near", metresNorth: 1_000)
            let far = try await ground.free("Far", metresNorth: 5_000)
            let answer = try await ground.get(
                "markets/assef/providers?services=wound-care&\(ProvidersGround.here)", as: UUID())
            #expect(answer.items.compactMap { $0["provider"]?.asText } == [far, near].map(\.lower))
            #expect(answer.items.allSatisfy { ($0["metresAway"]?.asInt ?? 0) > 20_000 })
            #expect(answer.items.allSatisfy { ($0["secondsAway"]?.asInt ?? 0) > 50_000 })
            #expect(river.questions == [2])
        }
    }

    @Test("C3: of many the nearest are compared by one question, and the others are on the next page")
    func many() async throws {
        let river = RiverTimes()
        try await ProvidersGround.run(travelTimes: river) { ground in
            for number in 0..<(FindFreeProviders.compared + 6) {
                try await ground.free("Nurse \(number)", metresNorth: Double(number) * 100)
            }
            let answer = try await ground.get(
                "markets/assef/providers?services=wound-care&limit=100&\(ProvidersGround.here)", as: UUID())
            #expect(answer.items.count == FindFreeProviders.compared)
            #expect(river.questions == [FindFreeProviders.compared])
            let seconds = answer.items.compactMap { $0["secondsAway"]?.asInt }
            #expect(seconds.allSatisfy { $0 > 40_000 }, "\(seconds)")
            #expect(Set(answer.items.compactMap { $0["provider"]?.asText }).count == FindFreeProviders.compared)
            #expect(answer.json["next"]?.asText != nil)
        }
    }

    @Test("O6: the time left on the way is the engine's, to both parties")
    func tracking() async throws {
        let river = RiverTimes()
        try await ProvidersGround.run(travelTimes: river) { ground in
            let (customer, provider) = (UUID.timeOrdered(), try await ground.tell())
            let order = try await ground.order(state: "enRoute", customer: customer, provider: provider)
            let fix = Fix(place: ProvidersGround.north(3_000), at: Date())
            try await ground.pool.execute(StorePositions(reports: [PositionReport(provider: provider, fix: fix)]))
            for (caller, role) in [(customer, "customer"), (provider, "provider")] {
                let answer = try await ground.get("orders/\(order.lower)/tracking", as: caller, role)
                let (metres, seconds) = (answer.json["metresLeft"]?.asInt ?? 0, answer.json["secondsLeft"]?.asInt ?? 0)
                // The place may be off by a metre's part.
                #expect((22_999...23_000).contains(metres) && (57_000...57_001).contains(seconds))
            }
            #expect(river.questions == [1, 1])
        }
    }

    @Test("C3, O6: an engine that is slow costs no more than its time, and then the great circle answers")
    func slow() async throws {
        try await MapServer.run { map, url in
            map.answers(#"{"code":"Ok","durations":[[1]],"distances":[[1]]}"#, after: .seconds(20))
            let outside = try PlaceParts.Outside(url: url, timeout: 100, geocoder: nil, logger: TestThreads.logger)
            do {
                try await ProvidersGround.run(travelTimes: outside.travelTimes) { ground in
                    try await ground.free("Sara", metresNorth: 1_000)
                    let answer = try await ground.get(
                        "markets/assef/providers?services=wound-care&\(ProvidersGround.here)", as: UUID())
                    // 198 s from the middle of the cell.
                    #expect(answer.items.first?["secondsAway"] == 180 && map.questions.count <= 1)
                }
            } catch {
                try await outside.client.shutdown()
                throw error
            }
            try await outside.client.shutdown()
        }
    }
}
