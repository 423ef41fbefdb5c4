import Foundation
import Matching

/// A place found by a text or a pin (C9).
struct FoundPlace: Sendable, Hashable {
    /// One line in words.
    let name: String
    let place: GeoPoint
}

/// The places found, and the attribution that must be shown with them.
struct FoundPlaces: Sendable, Hashable {
    var places: [FoundPlace]
    var attribution: String?

    init(places: [FoundPlace], attribution: String? = nil) {
        self.places = places
        self.attribution = attribution
    }

    /// The answers of several searches as one list: the best of each first.
    init(inTurn answers: [FoundPlaces]) {
        let longest = answers.map(\.places.count).max() ?? 0
        self.init(
            places: (0..<longest).flatMap { rank in
                answers.compactMap { rank < $0.places.count ? $0.places[rank] : nil }
            },
            attribution: answers.lazy.compactMap(\.attribution).first)
    }
}

/// The reasons why a search was not done.
enum PlaceSearchFailure: Error, Hashable {
    /// The account has used its share; it may search again after these seconds.
    case shareUsed(afterSeconds: Int)
    /// The service gives no answer at present.
    case unavailable
}

/// Finds places by text, and the name of a place.
protocol PlaceSearch: Sendable {
    /// - Parameters:
    ///   - box: the searched area.
    ///   - language: `en` or `ar`.
    ///   - account: the searching account; the rate is shared fairly among accounts.
    /// - Throws: ``PlaceSearchFailure``
    func places(
        named text: String, within box: PlaceBox, language: String, limit: Int, for account: UUID
    ) async throws(PlaceSearchFailure) -> FoundPlaces

    /// Finds the name of a place; empty if none is known.
    ///
    /// - Throws: ``PlaceSearchFailure``
    func name(of place: GeoPoint, language: String, for account: UUID) async throws(PlaceSearchFailure) -> FoundPlaces
}

/// South, west, north and east in degrees. Across the 180th meridian the west is greater than the east.
struct PlaceBox: Sendable, Hashable {
    let south: Double
    let west: Double
    let north: Double
    let east: Double

    /// The box itself, or its two parts on both sides of the 180th meridian, for searches that know no box across it.
    var parts: [PlaceBox] {
        guard west > east else { return [self] }
        return [
            PlaceBox(south: south, west: west, north: north, east: 180),
            PlaceBox(south: south, west: -180, north: north, east: east),
        ]
    }
}

/// A bounded cache of recent answers, because people search for the same places repeatedly. A value type; evicts the
/// oldest entries.
struct AnswerCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let limit: Int
    private var values: [Key: (value: Value, until: ContinuousClock.Instant)] = [:]
    private var order: [Key] = []

    init(limit: Int) { self.limit = limit }

    var count: Int { values.count }

    func value(of key: Key, at now: ContinuousClock.Instant) -> Value? {
        guard let kept = values[key], now < kept.until else { return nil }
        return kept.value
    }

    mutating func put(_ value: Value, for key: Key, until end: ContinuousClock.Instant) {
        if values.updateValue((value, end), forKey: key) == nil { order.append(key) }
        // Evicts an eighth at once, so that the cost per entry stays small.
        guard order.count > limit else { return }
        let old = order.prefix(max(1, limit / 8))
        for key in old { values[key] = nil }
        order.removeFirst(old.count)
    }
}

/// A token bucket: a rate per second and a burst. A value type; refused requests are not counted.
struct TokenBucket: Sendable {
    let perSecond: Double
    let burst: Double
    private var left: Double
    private var last: ContinuousClock.Instant?

    init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
        left = burst
    }

    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if let last {
            let seconds = Double((now - last).components.seconds) + Double((now - last).components.attoseconds) / 1e18
            left = min(burst, left + max(0, seconds) * perSecond)
        }
        last = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
