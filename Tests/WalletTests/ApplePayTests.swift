import AsyncHTTPClient
import Foundation
import Logging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiWallet

@Suite("Apple Pay on the web", .timeLimit(.minutes(5)))
struct ApplePayTests {
    private static func withMerchant(
        of gateway: String?, _ body: (ApplePayMerchant) async throws -> Void
    ) async throws {
        let settings = ApplePayMerchant.Settings(
            merchant: "merchant.test", domain: "serai.example", gateway: gateway, identity: nil)
        let client = try ApplePayMerchant.makeClient(settings)
        do {
            try await body(ApplePayMerchant(settings: settings, client: client, logger: Logger(label: "test")))
            try await client.shutdown()
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    @Test("W2: a browser with Apple Pay is given the merchant's session as the gateway gives it")
    func session() async throws {
        try await SandboxServer.withServer { _, url in
            try await Self.withMerchant(of: url) { merchant in
                let body = try await merchant.session(at: "\(url)/paymentservices/startSession", name: "Assef")
                let session = try JSONValue(parsing: body)
                #expect(session["merchantIdentifier"] == "merchant.test" && session["displayName"] == "Assef")
                #expect(session["domainName"] == "serai.example")
                await #expect(throws: SeraiWallet.PaymentProvider.CardError.unavailable) {
                    _ = try await merchant.session(at: "\(url)/paymentservices/nothing", name: "Assef")
                }
            }
        }
    }

    @Test(
        "Q6, W2: no address but Apple's gateways is ever asked for a session",
        arguments: [
            ("https://apple-pay-gateway.apple.com/paymentservices/startSession", true),
            ("https://apple-pay-gateway-nc-pod4.apple.com/paymentservices/startSession", true),
            ("https://cn-apple-pay-gateway-sh-pod1.apple.com/paymentservices/paymentSession", true),
            ("http://apple-pay-gateway.apple.com/paymentservices/startSession", false),
            ("https://apple-pay-gateway.apple.com:8443/paymentservices/startSession", false),
            ("https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession", false),
            ("https://apple-pay-gateway.apple.com@evil.example/paymentservices/startSession", false),
            ("https://evil.example/paymentservices/startSession", false),
            ("https://store.apple.com/paymentservices/startSession", false),
            ("https://apple-pay-gateway.apple.com/other", false), ("http://127.0.0.1:5432/paymentservices/", false),
            ("file:///etc/passwd", false), ("", false),
        ])
    func gateways(url: String, isGateway: Bool) async throws {
        try await Self.withMerchant(of: nil) { #expect($0.isGateway(url) == isGateway) }
    }

    @Test("W2: a merchant of Apple Pay without its domain does not start; without a merchant there is no Apple Pay")
    func configuration() throws {
        func merchant(_ more: [String: String]) throws -> ApplePayMerchant? {
            let usual = [
                "SERAI_PAYMENT_PROVIDER_URL": "http://127.0.0.1:9", "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_none",
                "SERAI_PAYMENT_RETURN_URL": "http://127.0.0.1:9/payments", "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_none",
            ]
            let configuration = try ServiceConfiguration(
                keys: WalletConfiguration.all, arguments: [], environment: usual.merging(more) { $1 })
            return try ApplePayMerchant(configuration, logger: Logger(label: "test"))
        }
        #expect(try merchant([:])?.settings.merchant == nil)
        #expect(throws: ApplePayMerchant.NoDomain.self) {
            _ = try merchant(["SERAI_PAYMENT_APPLE_MERCHANT": "merchant.test"])
        }
    }

    @Test("W2: the sheet names the market; without a login, a market, or an address of the gateway there is no session")
    func callers() async throws {
        try await WalletFixture.run { wallet in
            let salem = try await wallet.people.customer()
            let path = "apple-pay/sessions"
            let gateway = try #require(wallet.parts.applePay?.settings.gateway)
            let good = #"{"market": "assef", "validationURL": "\#(gateway)/paymentservices/startSession"}"#
            let session = try await wallet.post(path, salem, good)
            #expect(session.status == 200 && session.json["displayName"]?.string == "Assef", "\(session.text)")
            let evil = #"{"market": "assef", "validationURL": "https://evil.example/paymentservices/startSession"}"#
            #expect(try await wallet.post(path, salem, evil).codes == ["/validationURL": "invalid-value"])
            let empty = try await wallet.post(path, salem, "{}")
            #expect(empty.codes == ["/market": "required", "/validationURL": "required"])
            #expect(try await wallet.post(path, nil, good).status == 401)
        }
    }

    @Test("W2: what a phone encrypts becomes a token at the payment provider that pays an order, once")
    func token() async throws {
        try await WalletFixture.run { wallet in
            try await MethodTests.allowAll(wallet)
            let (salem, noura) = (try await wallet.people.customer(), try await wallet.people.provider())
            let token = try await wallet.parts.provider.applePayToken(#"{"data": "of a phone"}"#)
            let order = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(order, salem, by: "applePay", token: token).status == 202)
            try await wallet.eventually(order, is: .held)
            let next = try await wallet.accepted(salem, noura)
            #expect(try await wallet.pay(next, salem, by: "applePay", token: token).status == 422)
            try await wallet.expectSound()
        }
    }
}

extension SeraiWallet.PaymentProvider {
    /// What the page does with a customer's yes.
    fileprivate func applePayToken(_ paymentData: String) async throws -> String {
        let form = FormBody(["pk_token": paymentData, "pk_token_payment_network": "Visa"])
        let reply = try await post("/v1/tokens", form, key: nil, limit: .seconds(5))
        return try JSON.wire.decode(StripeJSON.Identified.self, reply.body).id
    }
}
