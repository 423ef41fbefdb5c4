import AsyncHTTPClient
import Foundation
import Locks
import Logging
import Matching
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import SeraiJSON

/// Travel times from a routing engine with OSRM's `table` service (C7, H3). If it does not answer in time, estimates
/// from the great circle are used, so that no request waits for a map.
final class RoutingTimes: TravelTimes {
    /// The number of origins per request: the engine's default limit is 100 places, and the destination is one of them.
    static let maximumOrigins = 99
    static let maximumAnswerBytes = 1_048_576
    /// The pause after a failed request.
    static let pause: Duration = .seconds(5)

    private let client: HTTPClient
    private let url: String
    private let timeout: TimeAmount
    private let logger: Logger
    private let fallback = StreetTimes()
    private let pausedUntil = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - url: for example `http://osrm:5000`, without a path.
    ///   - timeout: in milliseconds.
    init(client: HTTPClient, url: String, timeout: Int, logger: Logger) {
        self.client = client
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.timeout = .milliseconds(Int64(timeout))
        self.logger = logger
    }

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
        if let until = pausedUntil.withLock({ $0 }), ContinuousClock.now < until { return nil }
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: Self.question(url, origins, destination)), timeout: timeout)
            guard response.status == .ok else { throw Unanswered(status: Int(response.status.code)) }
            let body = try await response.body.collect(upTo: Self.maximumAnswerBytes)
            return try Self.read(Data(buffer: body), count: origins.count)
        } catch {
            if Task.isCancelled { return nil }
            pausedUntil.withLock { $0 = .now + Self.pause }
            logger.warning("the routing engine did not answer", metadata: ["error": "\(type(of: error))"])
            return nil
        }
    }

    static func question(_ url: String, _ origins: [GeoPoint], _ destination: GeoPoint) -> String {
        func place(_ point: GeoPoint) -> String {
            String(format: "%.6f,%.6f", point.longitude, point.latitude)
        }
        let places = (origins + [destination]).map(place).joined(separator: ";")
        let sources = origins.indices.map(String.init).joined(separator: ";")
        return "\(url)/table/v1/driving/\(places)?sources=\(sources)&destinations=\(origins.count)"
            + "&annotations=duration,distance"
    }

    static func read(_ data: Data, count: Int) throws -> [TravelEstimate?] {
        let table = try JSON.wire.decode(Table.self, data)
        guard table.code == "Ok", table.durations.count == count, table.distances.count == count else {
            throw Unanswered(status: 200)
        }
        return zip(table.durations, table.distances).map { durations, distances in
            guard let seconds = durations.first ?? nil, let metres = distances.first ?? nil,
                (0...10_000_000).contains(seconds), (0...100_000_000).contains(metres)
            else { return nil }
            return TravelEstimate(metres: Int(metres.rounded()), seconds: Int(seconds.rounded()))
        }
    }

    struct Unanswered: Error { let status: Int }

    private struct Table: Decodable {
        let code: String
        let durations: [[Double?]]
        let distances: [[Double?]]
    }
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
