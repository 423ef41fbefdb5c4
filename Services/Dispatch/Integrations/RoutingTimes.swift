import Foundation
import Matching
import SeraiJSON

/// Travel times from a routing engine with OSRM's `table` service (C7, H3). If it does not answer in time, estimates
/// from the great circle are used, so that no request waits for a map.
final class RoutingTimes: TravelTimes {
    /// The number of origins per request: the engine's default limit is 100 places, and the destination is one of them.
    static let maximumOrigins = 99
    static let maximumAnswerBytes = 1_048_576
    private let engine: RoutingEngine
    private let fallback = StreetTimes()

    init(engine: RoutingEngine) { self.engine = engine }

    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) async throws -> [TravelEstimate] {
        var estimates: [TravelEstimate] = []
        var rest = origins[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.maximumOrigins))
            rest = rest.dropFirst(some.count)
            let straight = fallback.estimates(from: some, to: destination, metresPerMinute: metresPerMinute)
            guard let answer = await ask(some, destination) else {
                estimates += straight
                continue
            }
            // The engine gives no value for a place that no street reaches.
            estimates += zip(answer, straight).map { $0 ?? $1 }
        }
        return estimates
    }

    private func ask(_ origins: [GeoPoint], _ destination: GeoPoint) async -> [TravelEstimate?]? {
        await engine.ask(Self.question(origins, destination), maximumBytes: Self.maximumAnswerBytes) { data in
            try Self.read(data, count: origins.count)
        }
    }

    static func question(_ origins: [GeoPoint], _ destination: GeoPoint) -> String {
        let places = (origins + [destination]).map(\.forRouting).joined(separator: ";")
        let sources = origins.indices.map(String.init).joined(separator: ";")
        return "/table/v1/driving/\(places)?sources=\(sources)&destinations=\(origins.count)"
            + "&annotations=duration,distance"
    }

    static func read(_ data: Data, count: Int) throws -> [TravelEstimate?] {
        let table = try JSON.wire.decode(Table.self, data)
        guard table.code == "Ok", table.durations.count == count, table.distances.count == count else {
            throw RoutingEngine.Unanswered(status: 200)
        }
        return zip(table.durations, table.distances).map { durations, distances in
            guard let seconds = durations.first ?? nil, let metres = distances.first ?? nil,
                (0...10_000_000).contains(seconds), (0...100_000_000).contains(metres)
            else { return nil }
            return TravelEstimate(metres: Int(metres.rounded()), seconds: Int(seconds.rounded()))
        }
    }

    private struct Table: Decodable {
        let code: String
        let durations: [[Double?]]
        let distances: [[Double?]]
    }
}

extension GeoPoint {
    /// As OSRM reads places: longitude first, to a tenth of a metre.
    var forRouting: String { String(format: "%.6f,%.6f", longitude, latitude) }
}

/// Estimates without a map: the great circle, lengthened by the usual detour of streets, for metres and for time.
struct StreetTimes: TravelTimes {
    func estimates(
        from origins: [GeoPoint], to destination: GeoPoint, metresPerMinute: Int
    ) -> [TravelEstimate] {
        origins.map { origin in
            let straight = origin.metres(to: destination)
            let time = GreatCircleTimes.estimate(metres: straight, metresPerMinute: metresPerMinute)
            return TravelEstimate(
                metres: Int((straight * GreatCircleTimes.detour).rounded()), seconds: time.seconds)
        }
    }
}
