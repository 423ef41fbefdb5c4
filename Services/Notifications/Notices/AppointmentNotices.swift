import Contracts
import Foundation
import Messaging
import SeraiJSON

/// The reminders of an appointment (N7): to both parties, and to a relative who is visited and may see the order. They are of
/// the order as it is: after a newer version of it they say nothing.
enum AppointmentNotices {
    /// - Parameter settings: of the market, with the time zone in which the time is told.
    static func notices(_ event: AppointmentNear, _ settings: MarketSettings?) throws -> [Notice] {
        let order = event.order
        guard let time = order.scheduledAt, let provider = order.provider else { return [] }
        let isOwn = Market.Workflow(rawValue: order.kind) == .parcel
        let names = order.services.map(\.name.texts)
        let arguments: [String: TextArgument] = [
            "services": isOwn ? .ownWords(names, by: order.customer.account) : .words(names),
            "customer": TextArgument(order.customer), "provider": TextArgument(provider),
            "time": .text(settings?.moment(of: time) ?? WireTime.text(time)),
        ]
        func item(_ topic: InboxTopic, to account: UUID) throws -> Notice {
            try .item(
                topic, arguments, to: account, order: order.order, at: event.at, id: .timeOrdered(),
                asOf: order.version)
        }
        var items = [
            try item(.appointmentForCustomer, to: order.customer.account),
            try item(.appointmentForProvider, to: provider.account),
        ]
        if let recipient = order.recipient, recipient.sees, recipient.account != order.customer.account {
            items.append(try item(.visitForYouNear, to: recipient.account))
        }
        return items
    }
}
