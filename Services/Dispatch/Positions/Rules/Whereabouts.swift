import Foundation
import Matching

/// What is kept of a provider's phone from one place to the next.
struct Whereabouts: Hashable, Sendable {
    /// How far behind our clock a phone may measure; seconds. One that posts old places in turn, and then a new one, has no
    /// more time than this between them beyond what has really gone by.
    static let measuringSeconds: TimeInterval = 30

    let last: Fix
    let stay: Stay
    let steady: GeoPoint

    /// The first place, or one of which nothing else is known.
    init(_ last: Fix, toldAt: Date) {
        self.init(last: last, stay: Stay(at: last.place, toldAt: toldAt), steady: last.place)
    }

    init(last: Fix, stay: Stay, steady: GeoPoint) {
        self.last = last
        self.stay = stay
        self.steady = steady
    }

    init(_ report: PositionReport, after known: Whereabouts?) {
        let place = report.fix.place
        last = report.fix
        stay = known?.stay.moved(to: place, toldAt: report.toldAt) ?? Stay(at: place, toldAt: report.toldAt)
        steady = SteadyPlace.following(place, after: known?.steady, accuracy: report.accuracyMetres)
    }

    /// Whether a report of somebody who holds an order may follow: one must be able to get there in the time since the last
    /// place, whatever the silence, and whatever the phone says about the time.
    func mayBeFollowedInOrder(by report: PositionReport) -> Bool {
        guard report.fix.at > last.at else { return false }
        let from = max(last.at, stay.toldAt.addingTimeInterval(-Self.measuringSeconds))
        return report.fix.isReachable(from: Fix(place: last.place, at: from))
    }
}
