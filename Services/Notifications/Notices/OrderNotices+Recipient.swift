import Contracts
import Foundation
import Messaging

/// Notices to a relative about a visit that somebody has ordered for him or her (O7, I9): that it is ordered and
/// confirmed, moved, begun, or off. Nothing of the money, and nothing without a link that lets the relative see the
/// customer's orders.
extension OrderNotices {
    func recipientItems() throws -> [Notice?] {
        guard let recipient = order.recipient, recipient.sees, recipient.account != order.customer.account,
            recipient.account != order.provider?.account, let topic = recipientTopic
        else { return [] }
        return [try item(topic, [:], to: recipient.account, as: .customer)]
    }

    private var recipientTopic: InboxTopic? {
        switch event {
        case is OrderRequested: .visitForYou
        case is OrderAccepted: .visitForYouConfirmed
        case is OrderStarted: .visitForYouStarted
        case is OrderRescheduled: .visitForYouMoved
        // A partner who did not take the visit was never named to the relative.
        case is OrderReopened where !["declined", "assignment-window-over"].contains(order.reason):
            .visitForYouOpenAgain
        // Before the payment the relative was told nothing.
        case is OrderCancelled, is OrderRefused, is OrderExpired: order.payment.method == nil ? nil : .visitForYouOff
        default: nil
        }
    }
}
