import Foundation
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

/// The version of Stripe's API in which requests are made and events are read.
@Suite("The payment provider's version", .timeLimit(.minutes(15)))
struct ProviderVersionTests {
    @Test("W4: the wallet asks in the version that the sandbox speaks")
    func version() async throws {
        #expect(SeraiWallet.PaymentProvider.apiVersion == StripeAPI.version)
        try await WalletFixture.run { wallet async throws in
            // The sandbox refuses a request without the version.
            let reply = try await wallet.parts.provider.get("/v1/payouts", limit: .seconds(10))
            #expect(reply.status == 200)
        }
    }

    @Test("W4: an event of another version is taken, and an operator reads of it in the log")
    func event() async throws {
        try await WalletFixture.run { wallet async throws in
            let words = "the payment provider sends events of another version"
            func send(_ version: String) async throws -> Int {
                let id = "evt_\(UUID().uuidString)"
                return try await wallet.webhook(
                    #"{"id": "\#(id)", "type": "customer.updated", "api_version": "\#(version)", "data": {}}"#
                ).status
            }
            #expect(try await send(SeraiWallet.PaymentProvider.apiVersion) == 200)
            #expect(!wallet.logs.text.contains(words))
            #expect(try await send("2015-10-16") == 200)
            #expect(wallet.logs.text.contains(words))
        }
    }
}
