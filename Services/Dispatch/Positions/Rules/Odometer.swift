import Foundation
import Matching

/// Counts the way of one order's provider, so that neither noise nor invented points make it longer. It is told of steady places
/// (``SteadyPlace``).
///
/// It remembers the places that it has counted last, each with a circle of what its measurement may be wrong by. A step counts
/// when its end lies outside all of these circles; its length is that from the nearest of these places, which is the last one of
/// who goes on. Who comes back into a circle is at that place again, and nothing counts. So a phone at rest, and one that goes to
/// and fro between a few points, count nothing after the first time.
///
/// The way begins at the first place. Until a moment it is never longer than somebody goes who is half as fast again as the
/// market expects. All steps together may be ``errorMetres`` further than their times allow; what goes beyond that is an absurd
/// jump, which counts nothing.
struct Odometer: Hashable, Sendable {
    /// What a phone may be wrong by that does not say so; metres. Nothing better is believed, for a smaller circle counts more.
    static let usualAccuracy = 25.0
    /// Nothing worse is believed: what a phone claims would else switch the odometer off.
    static let worstAccuracy = 100.0
    /// For the whole way; metres.
    static let errorMetres = 100.0
    /// How much faster than the market's speed somebody may be.
    static let haste = 1.5
    /// So many places are remembered.
    static let placeLimit = 24

    /// A place that was counted.
    struct Mark: Hashable, Sendable {
        let place: GeoPoint
        /// Metres, within the bounds.
        let accuracy: Double
        /// When the provider came there last.
        var at: Date

        init(_ fix: Fix, accuracy: Double? = nil) {
            place = fix.place
            self.accuracy = Odometer.bounded(accuracy)
            at = fix.at
        }

        func holds(_ other: Mark) -> Bool { place.metres(to: other.place) <= accuracy + other.accuracy }
    }

    private(set) var metres: Double
    /// Where the way began; nil of one that a version before this began.
    private(set) var start: Fix?
    /// Those before the last one, the one that was visited longest ago first.
    private(set) var earlier: [Mark]
    /// Where the provider is, as far as it is counted.
    private(set) var here: Mark
    /// What is left of the allowance; metres.
    private(set) var errorLeft: Double

    /// From where the next step counts.
    var base: Fix { Fix(place: here.place, at: here.at) }

    init(metres: Double = 0, base: Fix, accuracy: Double? = nil) {
        self.init(metres: metres, start: base, earlier: [], here: Mark(base, accuracy: accuracy))
    }

    init(metres: Double, start: Fix?, earlier: [Mark], here: Mark, errorLeft: Double = Odometer.errorMetres) {
        self.metres = metres
        self.start = start
        self.earlier = Array(earlier.suffix(Self.placeLimit - 1))
        self.here = here
        self.errorLeft = min(max(0, errorLeft), Self.errorMetres)
    }

    /// What is believed of what a phone says.
    static func bounded(_ accuracy: Double?) -> Double {
        guard let accuracy, accuracy.isFinite else { return usualAccuracy }
        return min(max(accuracy, usualAccuracy), worstAccuracy)
    }

    /// - Parameters:
    ///   - accuracy: what the phone says that it may be wrong by; metres.
    ///   - speed: the market's; metres a minute.
    /// - Returns: whether anything changed. What is older than the place counts nothing.
    @discardableResult
    mutating func move(to fix: Fix, accuracy: Double? = nil, speed: Int) -> Bool {
        guard fix.at > here.at else { return false }
        let next = Mark(fix, accuracy: accuracy)
        if here.holds(next) { return false }
        if returns(to: next) { return true }
        let step = here.place.metres(to: next.place)
        let excess = max(0, step - fix.at.timeIntervalSince(here.at) * Fix.fastestMetresPerSecond)
        if excess <= errorLeft {
            errorLeft -= excess
            // Who jumps about among places that are counted has come no further than the nearest.
            let metres = earlier.reduce(step) { min($0, $1.place.metres(to: next.place)) }
            count(metres, until: fix.at, speed: speed)
        }
        earlier.append(here)
        if earlier.count >= Self.placeLimit { earlier.removeFirst() }
        here = next
        return true
    }

    private mutating func count(_ step: Double, until time: Date, speed: Int) {
        guard let start else { return metres += step }
        let limit = max(0, time.timeIntervalSince(start.at)) * Double(speed) / 60 * Self.haste
        metres = max(metres, min(metres + step, limit))
    }

    /// The provider is back at a place that was counted; of several, the nearest one.
    private mutating func returns(to next: Mark) -> Bool {
        let near = earlier.indices.filter { earlier[$0].holds(next) }
        let nearest = near.min { earlier[$0].place.metres(to: next.place) < earlier[$1].place.metres(to: next.place) }
        guard let nearest else { return false }
        var mark = earlier.remove(at: nearest)
        mark.at = next.at
        earlier.append(here)
        here = mark
        return true
    }
}
