import Foundation
import Matching

/// State that is kept of a provider's phone between two positions.
struct ProviderPositionState: Hashable, Sendable {
    /// Maximum seconds by which a phone's measurement may lag behind the server's clock. A phone that posts a series of
    /// old positions and then a new one gains at most this much time between them.
    static let measuringSeconds: TimeInterval = 30

    let last: Fix
    let stay: Stay
    let steady: GeoPoint
    /// Whether the place may move money. The first position of a provider who already holds an order is taken on trust,
    /// since there is nothing to compare it with; it moves no money until two positions agree (``Stay``).
    let isSettled: Bool

    /// State from a position alone.
    init(_ last: Fix, toldAt: Date) {
        self.init(last: last, stay: Stay(at: last.place, toldAt: toldAt), steady: last.place)
    }

    init(last: Fix, stay: Stay, steady: GeoPoint, isSettled: Bool = true) {
        self.last = last
        self.stay = stay
        self.steady = steady
        self.isSettled = isSettled
    }

    /// - Parameter isInOrder: whether the provider holds an order, or is on the way of one.
    init(_ report: PositionReport, after known: ProviderPositionState?, isInOrder: Bool = false) {
        let place = report.fix.place
        last = report.fix
        stay = known?.stay.moved(to: place, toldAt: report.toldAt) ?? Stay(at: place, toldAt: report.toldAt)
        steady = PositionSmoothing.following(place, after: known?.steady, accuracy: report.accuracyMetres)
        isSettled = (known?.isSettled ?? !isInOrder) || stay.isProved(by: place)
    }

    /// Whether a report of a provider who holds an order is credible: the provider must be able to reach it in the time
    /// since the last position, however long the silence and whatever time the phone states. A place that was only
    /// taken on trust refuses no other one.
    func mayBeFollowedInOrder(by report: PositionReport) -> Bool {
        guard report.fix.at > last.at else { return false }
        guard isSettled else { return true }
        let from = max(last.at, stay.toldAt.addingTimeInterval(-Self.measuringSeconds))
        return report.fix.isReachable(from: Fix(place: last.place, at: from))
    }
}
