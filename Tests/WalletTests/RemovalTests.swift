import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("What the payment provider shall not keep", .timeLimit(.minutes(15)))
struct RemovalTests {
    @Test(
        "W3: something is gone when the payment provider says so, not whenever it refuses",
        arguments: [
            (200, "", nil), (404, #"{"error": {"type": "invalid_request_error", "code": "resource_missing"}}"#, nil),
            (400, #"{"error": {"type": "invalid_request_error", "code": "resource_missing"}}"#, nil),
            (400, #"{"error": {"type": "invalid_request_error", "code": "parameter_unknown"}}"#, "HTTP 400"),
            (400, #"{"error": {"type": "invalid_request_error"}}"#, "HTTP 400"), (400, "", "HTTP 400"),
            (404, "<html>", "HTTP 404"), (401, "", "HTTP 401"), (429, "", "HTTP 429"), (500, "", "HTTP 500"),
        ] as [(UInt, String, String?)])
    func answers(status: UInt, body: String, failure: String?) {
        let reply = SeraiWallet.PaymentProvider.Reply(status: status, body: Data(body.utf8))
        #expect(SeraiWallet.PaymentProvider.failure(reply) == failure)
    }

    @Test("W3: a card that was taken away there already is gone; one that its customer still has is not")
    func alreadyGone() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let salem = try await wallet.people.customer()
            let text = try await wallet.card(salem)
            let id = try #require(UUID(uuidString: text))
            let card = try #require(try await wallet.pool.first(FindCard(card: id, account: salem.account)))
            let removal = Removal(reference: card.reference, kind: .card)
            for _ in 0..<2 { #expect(await wallet.parts.provider.remove(removal) == nil) }
            #expect(wallet.sandbox.attachedCount == 0)
            #expect(await wallet.parts.provider.remove(Removal(reference: "pm_none", kind: .card)) == nil)
            let settings = wallet.parts.provider.settings
            let stranger = SeraiWallet.PaymentProvider(
                settings: .init(url: settings.url, key: Redacted("wrong")), client: wallet.parts.provider.client)
            #expect(await stranger.remove(removal) == "HTTP 401")
        }
    }

    @Test("W3: a customer is made once in a minute; one that was removed since, or a fault, is not repeated for a day")
    func customerKey() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let provider = wallet.parts.provider
            let (account, now) = (UUID.timeOrdered(), Date(timeIntervalSince1970: 1_800_000_000))
            let first = try await provider.makeCustomer(account, at: now)
            #expect(try await provider.makeCustomer(account, at: now.addingTimeInterval(59)) == first)
            #expect(wallet.sandbox.customerCount == 1)
            #expect(await provider.remove(Removal(reference: first, kind: .customer)) == nil)
            let later = now.addingTimeInterval(Double(SeraiWallet.PaymentProvider.customerKeySeconds))
            #expect(try await provider.makeCustomer(account, at: later) != first)
            #expect(wallet.sandbox.customerCount == 1)
            #expect(Double(SeraiWallet.PaymentProvider.customerKeySeconds) < RemovalWorker.graceSeconds)
        }
    }

    @Test("I12: who leaves while a first card is added leaves no customer behind at the payment provider")
    func customer() async throws {
        try await WalletFixture.run(workers: 0) { wallet in
            let (salem, huda) = (try await wallet.people.customer(), try await wallet.people.customer("Huda"))
            try await wallet.pool.withTransaction { transaction in
                _ = try await AccountDeletionGuard.begin(salem.account, version: 5, in: transaction)
            }
            let refused = try await wallet.post("cards", salem, wallet.newCard())
            #expect(refused.slug == "account-leaving", "\(refused.text)")
            _ = try await wallet.card(huda)
            #expect(wallet.sandbox.customerCount == 2)
            try await wallet.pool.execute(EndGrace())
            while try await wallet.parts.removalWorker.removeSome() > 0 {}
            // Who stays keeps the customer and the card.
            #expect(wallet.sandbox.customerCount == 1 && wallet.sandbox.attachedCount == 1)
            // A row about it that was left behind by a request that died does nothing.
            let known = try #require(try await wallet.pool.first(FindProviderCustomer(account: huda.account)))
            try await wallet.pool.execute(
                InsertRemoval(removal: Removal(reference: known, kind: .customer), seconds: -1))
            #expect(try await wallet.parts.removalWorker.removeSome() == 0)
            #expect(wallet.sandbox.customerCount == 1)
        }
    }
}
