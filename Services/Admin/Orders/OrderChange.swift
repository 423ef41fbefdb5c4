import Contracts
import Foundation

/// The content of one order event, or of several in order of arrival.
struct OrderChange: Sendable {
    /// The first event's snapshot, for the values that never change: market, customer, time of the request.
    let first: OrderSnapshot
    /// The newest snapshot; the first one if several have the same version.
    private(set) var newest: OrderSnapshot
    /// The newest acceptance, since an order that loses its provider is accepted again.
    private(set) var acceptance: Acceptance?
    /// From the single event that has it; the first such event wins.
    private(set) var endedAt: Date?

    struct Acceptance: Sendable {
        let version: Int
        let at: Date
        let companion: String?
    }

    init(_ event: some OrderEvent) {
        first = event.order
        newest = event.order
        switch event {
        case let accepted as OrderAccepted:
            acceptance = Acceptance(
                version: accepted.order.version, at: accepted.order.changedAt, companion: accepted.companion)
        case is OrderCompleted, is OrderCancelled, is OrderRefused, is OrderExpired:
            endedAt = event.order.changedAt
        default: break
        }
    }

    /// Adds the content of a later event.
    mutating func add(_ later: OrderChange) {
        if newest.version < later.newest.version { newest = later.newest }
        if let accepted = later.acceptance, acceptance.map({ $0.version < accepted.version }) ?? true {
            acceptance = accepted
        }
        endedAt = endedAt ?? later.endedAt
    }

    /// The accounts whose names are in the newest snapshot.
    var people: [UUID] {
        [newest.customer.account, newest.provider?.account].compactMap(\.self) + (newest.shares ?? []).map(\.account)
    }
}
