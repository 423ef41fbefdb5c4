import Foundation
import Locks
import Matching
import SeraiJSON
import ServiceKit

/// Finds ways with OSRM's `route` (H3). Answers are kept for a while, and only so many are asked for in a second.
final class WayFinder: Sendable {
    enum Answer: Sendable, Hashable {
        case way(Way)
        /// No street leads there.
        case none
        /// The engine does not answer now, or there is none.
        case unavailable
    }

    static let maximumAnswerBytes = 2_097_152
    static let maximumPoints = 20_000
    static let maximumSteps = 2_000
    /// How long an answer is kept.
    static let lifetime: Duration = .seconds(600)
    private static let cached = 500
    private static let perSecond = 20.0
    private static let burst = 40.0
    /// A quarter of it: everybody may ask without an account, and many people share one address.
    private static let share = RateLimit(perSecond: 5, burst: 20)

    private struct Question: Hashable {
        let profile: Way.Profile
        let from: GeoPoint
        let to: GeoPoint
    }

    private let driving: RoutingEngine?
    private let walking: RoutingEngine?
    private let cache = Mutex(AnswerCache<Question, Answer>(limit: cached))
    private let rate = Mutex(TokenBucket(perSecond: perSecond, burst: burst))
    private let shares = KeyedRateLimit(share)

    /// Nil where no engine is configured.
    init(driving: RoutingEngine?, walking: RoutingEngine?) {
        self.driving = driving
        self.walking = walking
    }

    /// - Parameter asker: the client's address, as limits count it.
    func way(from: GeoPoint, to: GeoPoint, _ profile: Way.Profile, for asker: String) async -> Answer {
        guard let engine = profile == .walking ? walking : driving else { return .unavailable }
        // Four decimals are about ten metres: who stands still asks once.
        let question = Question(profile: profile, from: Self.near(from), to: Self.near(to))
        let now = ContinuousClock.now
        if let kept = cache.withLock({ $0.value(of: question, at: now) }) { return kept }
        // The address's share comes first, so that its refused questions do not use up the common rate. Kept answers
        // are free.
        guard shares.take(asker) == nil, rate.withLock({ $0.take(at: now) }) else { return .unavailable }
        let answer = await engine.ask(
            Self.path(question.from, question.to, profile), maximumBytes: Self.maximumAnswerBytes,
            statuses: [200, 400], Self.read)
        guard let answer else { return .unavailable }
        cache.withLock { $0.put(answer, for: question, until: now + Self.lifetime) }
        return answer
    }

    private static func near(_ place: GeoPoint) -> GeoPoint {
        GeoPoint(
            latitude: (place.latitude * 10_000).rounded() / 10_000,
            longitude: (place.longitude * 10_000).rounded() / 10_000)
    }

    static func path(_ from: GeoPoint, _ to: GeoPoint, _ profile: Way.Profile) -> String {
        "/route/v1/\(profile == .walking ? "foot" : "driving")/\(from.forRouting);\(to.forRouting)"
            + "?overview=full&geometries=geojson&steps=true"
    }

    static func read(_ data: Data) throws -> Answer {
        let told = try JSON.wire.decode(Told.self, data)
        if told.code == "NoRoute" || told.code == "NoSegment" { return .none }
        guard told.code == "Ok", let route = told.routes?.first, (0...100_000_000).contains(route.distance),
            (0...10_000_000).contains(route.duration)
        else { throw RoutingEngine.Unanswered(status: 200) }
        let line = try route.geometry.coordinates.map(point)
        let steps = route.legs.flatMap(\.steps)
        guard (2...maximumPoints).contains(line.count), steps.count <= maximumSteps else {
            throw RoutingEngine.Unanswered(status: 200)
        }
        return .way(
            Way(
                metres: Int(route.distance.rounded()), seconds: Int(route.duration.rounded()), line: line,
                steps: try steps.map { step in
                    guard (0...100_000_000).contains(step.distance), (0...10_000_000).contains(step.duration) else {
                        throw RoutingEngine.Unanswered(status: 200)
                    }
                    let maneuver = step.maneuver
                    return Way.Step(
                        turn: Turn(type: maneuver.type, modifier: maneuver.modifier, exit: maneuver.exit),
                        street: String(step.name.prefix(200)), metres: Int(step.distance.rounded()),
                        seconds: Int(step.duration.rounded()), at: try point(maneuver.location))
                }))
    }

    private static func point(_ pair: [Double]) throws -> GeoPoint {
        guard pair.count >= 2, (-180...180).contains(pair[0]), (-90...90).contains(pair[1]) else {
            throw RoutingEngine.Unanswered(status: 200)
        }
        return GeoPoint(latitude: pair[1], longitude: pair[0])
    }

    private struct Told: Decodable {
        struct Route: Decodable {
            let distance: Double
            let duration: Double
            let geometry: Line
            let legs: [Leg]
        }

        struct Line: Decodable { let coordinates: [[Double]] }
        struct Leg: Decodable { let steps: [Step] }

        struct Step: Decodable {
            let distance: Double
            let duration: Double
            let name: String
            let maneuver: Maneuver
        }

        struct Maneuver: Decodable {
            let type: String
            let modifier: String?
            let exit: Int?
            let location: [Double]
        }

        let code: String
        let routes: [Route]?
    }
}
