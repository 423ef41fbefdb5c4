import Foundation
import Matching

/// Measures the way of an order's provider, so that neither noise nor invented positions make it longer. Its input are
/// steady places (``PositionSmoothing``).
///
/// It remembers the last counted places, each with a circle of the measurement's possible error. A step counts if its
/// end lies outside all these circles; its length is measured from the nearest of these places, which is the last one
/// for a provider who goes straight on. A provider who returns into a circle is at that place again, and nothing
/// counts. So a phone at rest, or one that moves to and fro between a few points, counts nothing after the first time.
///
/// The way begins at the first place. At any time it is at most as long as a way at 1.5 times the market's speed since
/// the start. All steps together may exceed what their durations allow by ``errorMetres``; a step beyond that is an
/// impossible jump and counts nothing.
struct Odometer: Hashable, Sendable {
    /// Accuracy in metres of a phone that states none. No better accuracy is accepted, since a smaller circle counts
    /// more.
    static let usualAccuracy = 25.0
    /// Worst accepted accuracy in metres; otherwise a phone could switch the odometer off by its claim.
    static let worstAccuracy = 100.0
    /// Allowance for errors over the whole way, in metres.
    static let errorMetres = 100.0
    /// Allowed factor over the market's speed.
    static let maximumSpeedFactor = 1.5
    /// Number of remembered places.
    static let placeLimit = 24

    /// A counted place.
    struct Mark: Hashable, Sendable {
        let place: GeoPoint
        /// Metres, within the accepted bounds.
        let accuracy: Double
        /// Time of the provider's last visit.
        var at: Date

        init(_ fix: Fix, accuracy: Double? = nil) {
            place = fix.place
            self.accuracy = Odometer.bounded(accuracy)
            at = fix.at
        }

        func holds(_ other: Mark) -> Bool { place.metres(to: other.place) <= accuracy + other.accuracy }
    }

    private(set) var metres: Double
    /// Start of the way; nil for an odometer of an older version.
    private(set) var start: Fix?
    /// Counted places before the current one, least recently visited first.
    private(set) var earlier: [Mark]
    /// The provider's current counted place.
    private(set) var here: Mark
    /// Rest of the allowance, in metres.
    private(set) var errorLeft: Double

    /// Place from which the next step counts.
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

    /// A phone's stated accuracy, limited to the accepted bounds.
    static func bounded(_ accuracy: Double?) -> Double {
        guard let accuracy, accuracy.isFinite else { return usualAccuracy }
        return min(max(accuracy, usualAccuracy), worstAccuracy)
    }

    /// Adds a position.
    /// - Parameters:
    ///   - accuracy: the phone's stated accuracy in metres.
    ///   - speed: the market's speed in metres per minute.
    /// - Returns: whether anything changed. A position older than the current place counts nothing.
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
            // For jumps among counted places, the step is the distance from the nearest of them.
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
        let limit = max(0, time.timeIntervalSince(start.at)) * Double(speed) / 60 * Self.maximumSpeedFactor
        metres = max(metres, min(metres + step, limit))
    }

    /// Moves back to a counted place, the nearest one if there are several; returns whether there is one.
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
