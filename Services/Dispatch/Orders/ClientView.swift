import Foundation
import Messaging

/// A client whom a provider has visited, whoever paid for the visits.
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
