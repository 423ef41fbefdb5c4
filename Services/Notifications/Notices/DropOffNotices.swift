import Contracts
import Foundation
import Messaging

/// The notices for customer and driver of a delivered bike.
extension OrderNotices {
    var isDropOff: Bool { order.kind == Market.Workflow.bikeDropOff.rawValue }

    /// Nil if the notices are those of a ride.
    func dropOffItems() throws -> [Notice?]? {
        switch event {
        case is OrderAccepted: [try toCustomer(.dropOffTaken)]
        // The driver is at the rack, where the customer does not wait.
        case is OrderArrived: []
        case is OrderStarted: [try toCustomer(.dropOffOnTheWay)]
        case is OrderConfirmed:
            [try order.by == .customer ? toProvider(.dropOffReceived) : toCustomer(.dropOffConfirm)]
        case is OrderCompleted where order.outcome == nil:
            [try toCustomer(.dropOffDelivered), try toProvider(.orderCompletedForProvider)]
        case is OrderCancelled where order.reason == "customer-no-show":
            [
                try toCustomer(.orderMissedForCustomer, ["fine": fine]),
                try toProvider(.dropOffNotTakenForProvider, ["fine": fine]),
            ]
        case is OrderDisputed where isContactOpened:
            [try toCustomer(.dropOffNotReceivedForCustomer), try toProvider(.dropOffNotReceivedForProvider)]
        default: nil
        }
    }

    private var isContactOpened: Bool {
        let reasons = market?.kind(order.kind)?.contactReasons ?? []
        return order.by == .customer && order.reason.map(reasons.contains) == true
    }
}
