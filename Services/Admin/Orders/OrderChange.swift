import Contracts
import Foundation

/// What one event of an order tells, or several in the order in which they came.
struct OrderChange: Sendable {
    /// Of the event that came first. What no event changes is taken from it: market, customer, the request's time.
    let first: OrderSnapshot
    /// Of several of one version the one that came first.
    private(set) var newest: OrderSnapshot
    /// The newest: an order that loses its provider is accepted again.
    private(set) var acceptance: Acceptance?
    /// What only one event of an order tells; the first that does stands.
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

    /// Takes in what came after.
    mutating func add(_ later: OrderChange) {
        if newest.version < later.newest.version { newest = later.newest }
        if let accepted = later.acceptance, acceptance.map({ $0.version < accepted.version }) ?? true {
            acceptance = accepted
        }
        endedAt = endedAt ?? later.endedAt
    }

    /// Whose names are in the newest snapshot.
    var people: [UUID] { [newest.customer.account, newest.provider?.account].compactMap(\.self) }
}
