import Contracts
import Messaging
import Postgres

extension PostgresTransaction {
    /// Publishes an order's news with the commit. The caller holds the order's lock.
    func tell(_ news: OrderNews, of change: OrderChange) throws {
        let order = OrderSnapshot(change.order)
        let former = change.former.map { OrderSnapshot.Party($0) }
        switch news {
        case .requested: try publish(OrderRequested(order: order))
        case .accepted: try publish(OrderAccepted(order: order, companion: change.order.companion))
        case .refused: try publish(OrderRefused(order: order, former: former))
        case .enRoute: try publish(OrderEnRoute(order: order))
        case .nearby:
            guard case .comeNear(let metres, let seconds) = change.trigger else { return }
            try publish(OrderNearby(order: order, metresLeft: metres, secondsLeft: seconds))
        case .arrived: try publish(OrderArrived(order: order))
        case .confirmed: try publish(OrderConfirmed(order: order))
        case .completed: try publish(OrderCompleted(order: order))
        case .cancelled: try publish(OrderCancelled(order: order, former: former))
        case .expired: try publish(OrderExpired(order: order))
        case .disputed: try publish(OrderDisputed(order: order, former: former))
        case .undecided: try publish(OrderUndecided(order: order))
        case .paymentChanged: try publish(OrderPaymentChanged(order: order))
        case .pending: try publish(OrderPending(order: order))
        case .offered: try publish(OrderOffered(order: order))
        case .started: try publish(OrderStarted(order: order))
        case .passed: try publish(OrderPassed(order: order, former: former))
        case .reopened: try publish(OrderReopened(order: order, former: former))
        case .preparing: try publish(OrderPreparing(order: order, readyAt: change.order.food?.readyAt))
        case .ready: try publish(OrderReady(order: order))
        case .deposited: try publish(OrderDeposited(order: order))
        case .timeAsked:
            guard let time = change.order.proposedAt else { return }
            try publish(OrderTimeAsked(order: order, time: time))
        case .rescheduled: try publish(OrderRescheduled(order: order))
        }
    }
}
