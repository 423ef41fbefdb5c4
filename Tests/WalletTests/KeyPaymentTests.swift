import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiWallet
@testable import ServiceKit

@Suite("X9, Q7: payments of an account, asked by the key of one of its markets", .timeLimit(.minutes(10)))
struct KeyPaymentTests {
    @Test(
        "X9, Q7: a key reads, pays, abandons and tips its own market's orders; another market's are not found, and nothing moves"
    )
    func bound() async throws {
        try await WalletFixture.run { wallet async throws in
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            try await wallet.give(50_000, to: salem)
            let (own, other) = (
                try await wallet.people.key(of: salem, in: "assef"),
                try await wallet.people.key(of: salem, in: "carrepsa")
            )
            let reads = try await wallet.people.key(of: salem, in: "assef", ["orders:read"])
            let order = try await wallet.accepted(salem, noura)
            let path = "orders/\(order.order.text)"
            #expect(try await wallet.get("\(path)/payment", own).status == 200)
            #expect(try await wallet.get("\(path)/payment", other).status == 404)
            #expect(try await wallet.pay(order, other, by: "wallet").status == 404)
            #expect(try await wallet.pay(order, reads, by: "wallet").slug == "outside-key-scope")
            #expect(try await wallet.call(.delete, "\(path)/payment", other, nil).status == 404)
            #expect(try await wallet.state(of: order) == .due)
            #expect(try await wallet.pay(order, own, by: "wallet").status == 202)
            try await wallet.eventually(order, is: .held)
            try await wallet.hear(order.now(.completed))
            try await wallet.eventually(order, is: .captured)
            let before = try await wallet.balance(salem)
            #expect(try await wallet.post("\(path)/tip", other, #"{"amount": 400}"#).status == 404)
            #expect(try await wallet.balance(salem) == before)
            #expect(try await wallet.post("\(path)/tip", own, #"{"amount": 400}"#).status == 201)
            // What the account has besides is no key's.
            for closed in ["wallets", "cards", "topups/\(UUID.timeOrdered().text)"] {
                #expect(try await wallet.get(closed, own).slug == "outside-key-scope", "\(closed)")
            }
            try await wallet.expectSound()
        }
    }

    @Test("X9, Q7: the key of somebody else finds no payment, in whichever market")
    func strangers() async throws {
        try await WalletFixture.run(workers: 0) { wallet async throws in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            let order = try await wallet.accepted(salem, try await wallet.people.provider())
            let key = try await wallet.people.key(of: huda, in: "assef")
            #expect(try await wallet.get("orders/\(order.order.text)/payment", key).status == 404)
            #expect(try await wallet.pay(order, key, by: "cash").status == 404)
        }
    }
}
