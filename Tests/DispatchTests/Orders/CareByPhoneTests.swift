import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: visits that the desk orders for a caller", .timeLimit(.minutes(15)))
struct CareByPhoneTests {
    @Test("O7: an admin orders for a caller who agrees to the released card or the wallet; others cannot say so")
    func chargedByPhone() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let (released, other) = (UUID.timeOrdered(), UUID.timeOrdered())
            try await server.world.pool.execute(
                StoreMethod(
                    account: customer.account, hasMethod: true, version: 1,
                    cards: [
                        .init(card: released, expiryMonth: 12, expiryYear: 2099, isConsented: true),
                        .init(card: other, expiryMonth: 12, expiryYear: 2099, isConsented: false),
                    ]))
            let time = try CareTests.noon()
            func order(_ more: String, as person: OrderServer.Person) async throws -> Answer {
                try await server.post(CareTests.visits, as: person, CareTests.body(time, more: more))
            }
            let named = #", "customer": "\#(customer.account.text)""#
            func card(_ id: UUID) -> String { #", "payment": "card", "card": "\#(id.text)""# }
            let made = try await order(named + card(released), as: admin)
            #expect(made.status == 201 && made["state"]?.text == "pending", "\(made.json)")
            let id = try #require(made["order"]?.text.flatMap(UUID.init(uuidString:)))
            let first = try #require(try await told(server, id))
            #expect(first.consent?.method == .card && first.consent?.card == released && first.paysByConsent == true)
            #expect(first.consent?.upTo == first.total.amount)
            let byWallet = try await order(named + #", "payment": "wallet""#, as: admin)
            let second = try #require(byWallet["order"]?.text.flatMap(UUID.init(uuidString:)), "\(byWallet.json)")
            let wallet = try #require(try await told(server, second))
            #expect(wallet.consent?.method == .wallet && wallet.paysByConsent == nil)
            let later = try await order(named + #", "payment": "later""#, as: admin)
            let third = try #require(later["order"]?.text.flatMap(UUID.init(uuidString:)), "\(later.json)")
            #expect(try await told(server, third)?.isUnattended == false)

            #expect(try await order(named + card(other), as: admin).codes == ["/card": "card-not-consented"])
            #expect(try await order(named + card(.timeOrdered()), as: admin).codes == ["/card": "no-such-card"])
            #expect(
                try await order(named + #", "card": "\#(released.text)""#, as: admin).codes
                    == ["/card": "only-with-card"])
            #expect(try await order(card(released), as: customer).codes == ["/payment": "only-for-callers"])
        }
    }

    /// The order as it was told when it was ordered.
    private func told(_ server: OrderServer, _ order: UUID) async throws -> OrderSnapshot? {
        let events = try await server.world.pool.query(ReadEvents(order: order.text))
        return try events.last { $0.name == OrderPending.name.text }.map {
            try JSON.wire.decode(OrderPending.self, Array($0.payload.utf8)).order
        }
    }
}
