import Foundation
import Matching

/// A place that a text or a pin stands for (C9).
struct FoundPlace: Sendable, Hashable {
    /// One line for people.
    let name: String
    let place: GeoPoint
}

/// What was found, and whom to thank for it, which readers have to be shown.
struct FoundPlaces: Sendable, Hashable {
    var places: [FoundPlace]
    var attribution: String?
}

/// Why nothing was asked.
enum PlaceSearchFailure: Error, Hashable {
    /// Who asks has had the share of one account; after so many seconds there is more.
    case shareUsed(afterSeconds: Int)
    /// There is no answer now; in some seconds there may be.
    case unavailable
}

/// Finds places by text, and what a place is called.
protocol PlaceSearch: Sendable {
    /// - Parameters:
    ///   - box: what is looked in; south, west, north and east in degrees.
    ///   - language: `en`, `ar`.
    ///   - account: who asks: what may be asked is shared among all.
    /// - Throws: ``PlaceSearchFailure``
    func places(
        named text: String, within box: PlaceBox, language: String, limit: Int, for account: UUID
    ) async throws(PlaceSearchFailure) -> FoundPlaces

    /// What is at a place; nothing, where nothing is known of it.
    ///
    /// - Throws: ``PlaceSearchFailure``
    func name(of place: GeoPoint, language: String, for account: UUID) async throws(PlaceSearchFailure) -> FoundPlaces
}

/// In degrees.
struct PlaceBox: Sendable, Hashable {
    let south: Double
    let west: Double
    let north: Double
    let east: Double
}

/// Answers that were given lately: people type the same places again and again. A value; the oldest go first.
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
        // In one go, so that each costs little.
        guard order.count > limit else { return }
        let old = order.prefix(max(1, limit / 8))
        for key in old { values[key] = nil }
        order.removeFirst(old.count)
    }
}

/// So many a second, and some at once. A value; what is refused is not counted.
struct AskingRate: Sendable {
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
