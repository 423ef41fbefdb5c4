import Foundation
import Messaging

/// Somebody whom a provider has visited before, whoever paid for it.
struct ClientView: Encodable, Sendable {
    let customer: OrderView.Party
    let visits: Int
    let lastVisitAt: Date

    init(_ client: Client) {
        customer = OrderView.Party(account: client.account.text, name: client.name)
        visits = client.visits
        lastVisitAt = client.lastVisitAt
    }
}
